//! The elements of a description: what stands between commas and ends of sentences.

use patterns::pattern;

/// An element with the mark behind it.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    /// Its words.
    pub text: &'a str,
    mark: &'a str,
    /// Whether it was taken out.
    pub is_gone: bool,
}

impl Element<'_> {
    /// Whether a sentence or line ends with it.
    pub fn closes(&self) -> bool {
        closes(self.mark)
    }
}

fn closes(mark: &str) -> bool {
    mark.is_empty() || mark.contains(['.', '!', '?', '\n', '。', '！', '？'])
}

/// The elements of a text, in order. What stands between quotation marks or brackets is in one of them, up to 120 characters.
pub fn split(text: &str) -> Vec<Element<'_>> {
    let marks = pattern!(
        r#""[^"\n]{0,120}"|“[^”\n]{0,120}”|„[^“”"\n]{0,120}[“”"]|«[^»\n]{0,120}»|「[^」\n]{0,120}」|\([^()\n]{0,120}\)|\[[^\[\]\n]{0,120}\]|\{[^{}\n]{0,120}\}|(?P<mark>[,;]\s+|[.!?]+(?:\s+|$)|\s*\n\s*|[、，；。！？])"#
    );
    let element = |text, mark| Element { text, mark, is_gone: false };
    let mut found = Vec::new();
    let mut start = 0;
    for mark in marks.captures_iter(text).filter_map(|found| found.name("mark")) {
        found.push(element(&text[start..mark.start()], mark.as_str()));
        start = mark.end();
    }
    if start < text.len() {
        found.push(element(&text[start..], ""));
    }
    found
}

/// The text of the elements that are left. Where the last one of a sentence is gone, the one before it ends it.
pub fn joined(elements: &[Element<'_>]) -> String {
    let mut left: Vec<(&str, &str)> = Vec::new();
    for element in elements {
        match left.last_mut() {
            _ if !element.is_gone => left.push((element.text, element.mark)),
            Some((_, mark)) if element.closes() && !closes(mark) => *mark = element.mark,
            _ => {}
        }
    }
    let text: String = left.iter().flat_map(|(text, mark)| [*text, *mark]).collect();
    text.trim().trim_end_matches([',', ';', '、', '，', ' ']).to_owned()
}
