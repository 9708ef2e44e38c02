//! An answer, split once for all checks.

mod markdown;
mod paragraphs;
mod sentences;
mod tokens;

use std::cell::OnceCell;
use std::ops::Range;

pub use markdown::{Fence, LineKind, Markdown, Table};

/// An answer and what is known of it. Every fact is found when it is first asked for; ranges are in bytes.
pub struct Output<'a> {
    pub text: &'a str,
    separators: &'a [&'a str],
    divided: bool,
    section: Option<(&'a str, &'a str)>,
    lower: OnceCell<String>,
    words: OnceCell<Vec<Range<usize>>>,
    sentences: OnceCell<Vec<Range<usize>>>,
    paragraphs: OnceCell<Vec<Range<usize>>>,
    markdown: OnceCell<Markdown>,
    language: OnceCell<&'static str>,
}

impl<'a> Output<'a> {
    /// An answer whose parts these `separators` divide, if any, or empty lines if it has to be `divided` by them.
    pub const fn new(text: &'a str, separators: &'a [&'a str], divided: bool) -> Self {
        Self {
            text,
            separators,
            divided,
            section: None,
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

    /// Its paragraphs: what stands between the separators, if the prompt names some, else between empty lines.
    pub fn paragraphs(&self) -> &[Range<usize>] {
        let paragraphs = || match self.separators {
            // Without the separator, the paragraphs of an answer can still be told.
            [first, ..] if paragraphs::between(self.text, first).len() > 1 => {
                paragraphs::between(self.text, first)
            }
            _ if self.divided => paragraphs::all_between_empty_lines(self.markdown()),
            _ => paragraphs::between_empty_lines(self.text, self.markdown()),
        };
        self.found(&self.paragraphs, paragraphs).as_slice()
    }

    /// What stands between the places of a separator, without what is empty.
    pub fn parts(&self, separator: &str) -> Vec<Range<usize>> {
        paragraphs::between(self.text, separator)
    }

    /// The separators that the prompt names.
    pub const fn separators(&self) -> &'a [&'a str] {
        self.separators
    }

    /// The same with the name that marks its sections, and the words of the prompt that say so.
    pub const fn with_section(mut self, section: Option<(&'a str, &'a str)>) -> Self {
        self.section = section;
        self
    }

    /// The name that marks its sections, and the words of the prompt that say so.
    pub const fn section(&self) -> Option<(&'a str, &'a str)> {
        self.section
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
        let start = self.text.len() - self.text.trim_start().len();
        start..start.max(self.text.trim_end().len())
    }

    /// Whether the answer says nothing.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
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

pub use tokens::{UNSPACED, is_spaced_word, is_unspaced, is_word};
