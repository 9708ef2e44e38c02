//! A prompt as rules see it: its own words apart from the material that it carries.

use super::mask::{self, Mask};
use super::span::Span;
use text::Cover;
use text::language;

/// A sentence, heading or list item of the prose.
#[derive(Clone, Copy, Debug)]
pub struct Sentence {
    /// Its extent without surrounding whitespace and list marks.
    pub span: Span,
    /// Whether it is a heading or a label above what follows.
    pub heading: bool,
    /// Its words, as a range of [`Source::words`].
    pub words: (usize, usize),
}

/// A word of the prose.
#[derive(Clone, Debug)]
pub struct Word {
    /// Its extent.
    pub span: Span,
    /// The word in small letters, with straight apostrophes.
    pub lower: String,
}

/// A prompt taken apart. All offsets are those of [`Source::text`].
pub struct Source<'a> {
    /// The prompt.
    pub text: &'a str,
    /// The prompt with spaces in place of quotations, code, material and variables, byte for byte.
    pub prose: String,
    /// What the spaces stand for.
    pub mask: Mask,
    /// The prose in order.
    pub sentences: Vec<Sentence>,
    /// The words of all sentences in order.
    pub words: Vec<Word>,
    /// Language of the prose; `und` when it has no letters.
    pub language: &'static str,
}

impl<'a> Source<'a> {
    /// Takes a prompt apart.
    pub fn of(text: &'a str) -> Self {
        let mask = mask::of(text);
        let prose = mask.blank(text);
        let language = language_of(&prose);
        let elides = matches!(language, "fr" | "it");
        let mut source =
            Self { text, prose, mask, sentences: Vec::new(), words: Vec::new(), language };
        source.split(elides);
        source
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// The prose of a span.
    pub fn prose_of(&self, span: Span) -> &str {
        self.prose.get(span.start..span.end).unwrap_or_default()
    }

    /// The words of a sentence.
    pub fn words_of(&self, sentence: &Sentence) -> &[Word] {
        &self.words[sentence.words.0..sentence.words.1]
    }

    /// Whether words are set apart by spaces, so that they can be counted.
    pub fn is_spaced(&self) -> bool {
        match self.language {
            "zh" | "ja" | "th" | "lo" | "km" | "my" => false,
            "und" => self.words.len() >= 2,
            _ => true,
        }
    }

    /// Offset behind the last visible character.
    pub fn end(&self) -> usize {
        self.text.trim_end().len()
    }

    fn split(&mut self, elides: bool) {
        let prose = std::mem::take(&mut self.prose);
        let mut offset = 0;
        for line in prose.split_inclusive('\n') {
            let lead = list_mark(line);
            for found in
                text::sentences_in(&prose, offset + lead..offset + line.len(), &Cover::default())
            {
                let span = Span::new(found.start, found.end);
                let first = self.words.len();
                words(&prose[span.start..span.end], span.start, elides, &mut self.words);
                let text = prose[span.start..span.end].trim_end();
                self.sentences.push(Sentence {
                    span,
                    heading: line.trim_start().starts_with('#')
                        || text.ends_with(':') && text.len() <= 60,
                    words: (first, self.words.len()),
                });
            }
            offset += line.len();
        }
        self.prose = prose;
    }
}

/// Bytes of the whitespace and the list mark that a line begins with.
fn list_mark(line: &str) -> usize {
    let indent = line.len() - line.trim_start().len();
    let rest = &line[indent..];
    let hashes = rest.bytes().take_while(|byte| *byte == b'#').count();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let mark = if (1..=6).contains(&hashes) && rest[hashes..].starts_with(' ') {
        hashes + 1
    } else if rest.starts_with("- ") || rest.starts_with("* ") {
        2
    } else if rest.starts_with("• ") {
        "• ".len()
    } else if (1..=3).contains(&digits)
        && (rest[digits..].starts_with(". ") || rest[digits..].starts_with(") "))
    {
        digits + 2
    } else {
        0
    };
    indent + mark
}

/// The words of a text. An apostrophe belongs to the word, but ends an elided article.
fn words(text: &str, offset: usize, elides: bool, found: &mut Vec<Word>) {
    let mut start: Option<usize> = None;
    let mut lower = String::new();
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let followed = characters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        let joins = start.is_some() && followed;
        let apostrophe = matches!(character, '\'' | '’');
        if character.is_alphanumeric() || is_mark(character) && start.is_some() {
            start.get_or_insert(at);
            lower.extend(character.to_lowercase());
        } else if joins && apostrophe && !elides {
            lower.push('\'');
        } else if joins && character == '-' {
            lower.push('-');
        } else if let Some(first) = start.take() {
            let end = if apostrophe && joins { at + character.len_utf8() } else { at };
            let span = Span::new(offset + first, offset + end);
            found.push(Word { span, lower: std::mem::take(&mut lower) });
        }
    }
    if let Some(first) = start {
        found.push(Word { span: Span::new(offset + first, offset + text.len()), lower });
    }
}

/// Combining marks and joiners, which belong to the letter before them.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}' | '\u{5b0}'..='\u{5c7}' | '\u{64b}'..='\u{65f}')
}

/// Only this much of the prose decides about its language.
const SAMPLE: usize = 3000;

fn language_of(prose: &str) -> &'static str {
    let sample: String = prose.chars().take(SAMPLE).collect();
    let sample = sample.split_whitespace().collect::<Vec<_>>().join(" ");
    if !sample.chars().any(char::is_alphabetic) {
        return "und";
    }
    if let Some(tag) = language::detect_other_than_english(&sample) {
        return tag;
    }
    super::lexicon::language_by_request(&sample).unwrap_or_else(|| language::detect(&sample))
}
