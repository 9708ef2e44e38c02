//! An answer, split once for all checks.

mod markdown;
mod paragraphs;
mod sentences;
mod tokens;

use std::cell::OnceCell;
use std::ops::Range;

pub use markdown::{LineKind, Markdown, Table};

/// An answer and what is known of it. Every fact is found when it is first asked for; ranges are in bytes.
pub struct Output<'a> {
    pub text: &'a str,
    lower: OnceCell<String>,
    words: OnceCell<Vec<Range<usize>>>,
    sentences: OnceCell<Vec<Range<usize>>>,
    paragraphs: OnceCell<Vec<Range<usize>>>,
    markdown: OnceCell<Markdown>,
    language: OnceCell<&'static str>,
}

impl<'a> Output<'a> {
    /// An answer of which nothing is known yet.
    pub const fn new(text: &'a str) -> Self {
        Self {
            text,
            lower: OnceCell::new(),
            words: OnceCell::new(),
            sentences: OnceCell::new(),
            paragraphs: OnceCell::new(),
            markdown: OnceCell::new(),
            language: OnceCell::new(),
        }
    }

    /// The answer in lower case, letter by letter, so that every place is that of the answer.
    pub fn lower(&self) -> &str {
        self.found(&self.lower, || lowered(self.text)).as_str()
    }

    /// Its words: letters, marks and figures in a row, with the apostrophes inside and the points of numbers; each
    /// character of a script that puts no spaces between words.
    pub fn words(&self) -> &[Range<usize>] {
        self.found(&self.words, || tokens::words(self.text)).as_slice()
    }

    /// Its sentences outside code, headings and tables.
    pub fn sentences(&self) -> &[Range<usize>] {
        self.found(&self.sentences, || sentences::of(self.text, self.markdown())).as_slice()
    }

    /// Its paragraphs: what stands between empty lines.
    pub fn paragraphs(&self) -> &[Range<usize>] {
        self.found(&self.paragraphs, || paragraphs::of(self.text, self.markdown())).as_slice()
    }

    /// Its lines and what Markdown makes of them.
    pub fn markdown(&self) -> &Markdown {
        self.found(&self.markdown, || Markdown::of(self.text))
    }

    /// The tag of its language, as far as it can be told.
    pub fn language(&self) -> &'static str {
        let tag: &&'static str = self.found(&self.language, || text::language::detect(self.text));
        tag
    }

    /// A fact, which takes a pass over the answer when it is first asked for.
    fn found<'f, T>(&self, fact: &'f OnceCell<T>, find: impl FnOnce() -> T) -> &'f T {
        fact.get_or_init(|| {
            budget::spend(self.text.len());
            find()
        })
    }

    /// The text at a range.
    pub fn at(&self, range: &Range<usize>) -> &'a str {
        &self.text[range.clone()]
    }

    /// The answer without the spaces around it.
    pub fn trimmed(&self) -> Range<usize> {
        trimmed(self.text, 0..self.text.len())
    }

    /// Whether the answer says nothing.
    pub fn is_empty(&self) -> bool {
        self.trimmed().is_empty()
    }
}

/// A range of a text without the spaces around it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    start..start.max(range.start + part.trim_end().len())
}

/// A text in lower case; letters whose small form has another length stay as they are.
pub fn lowered(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    for character in text.chars() {
        let mut small = character.to_lowercase();
        match (small.next(), small.next()) {
            (Some(one), None) if one.len_utf8() == character.len_utf8() => lower.push(one),
            _ => lower.push(character),
        }
    }
    lower
}

pub use tokens::{is_joined, is_unspaced, is_word};
