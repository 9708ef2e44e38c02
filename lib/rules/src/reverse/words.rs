//! Words of any script.

/// A word and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    /// Its letters and digits, with hyphens and apostrophes inside.
    pub text: &'a str,
    /// Whether it begins a sentence.
    pub opens: bool,
    /// Whether punctuation or a line break stands before it.
    pub breaks: bool,
}

/// The words of a text, in order. What is written without spaces, as Chinese, Japanese and Thai are, comes as
/// one word for each run without punctuation.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let word = patterns::pattern!(
        r"[\p{Alphabetic}\p{M}\p{N}]+(?:[-'’\x{200d}][\p{Alphabetic}\p{N}][\p{Alphabetic}\p{M}\p{N}]*)*"
    );
    let mut end = 0;
    let mut list = Vec::new();
    for found in word.find_iter(text) {
        let between = &text[end..found.start()];
        let opens = end == 0 || between.contains(['.', '!', '?', '…', '。', '！', '？', '\n', ':']);
        let breaks = opens || between.contains(|c: char| !c.is_whitespace());
        list.push(Word { text: found.as_str(), opens, breaks });
        end = found.end();
    }
    list
}

/// Whether a letter is of a script that is written without spaces between words.
pub fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// Whether most of a text is in such scripts, so that its length is counted in characters.
pub fn mostly_unspaced(text: &str) -> bool {
    let (mut letters, mut unspaced) = (0usize, 0usize);
    for character in text.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        unspaced += usize::from(is_unspaced(character));
    }
    unspaced * 10 > letters * 3
}

/// Whether a character is a pictograph.
pub fn is_emoji(character: char) -> bool {
    matches!(character, '\u{2600}'..='\u{2604}' | '\u{2607}'..='\u{27bf}' | '\u{2b50}' | '\u{1f300}'..='\u{1faff}')
}
