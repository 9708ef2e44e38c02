//! An answer, split once for all checks.

mod markdown;
mod sentences;

use std::cell::OnceCell;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

pub use markdown::{LineKind, Markdown, Table, cells};

/// An answer and what is known of it. Every fact is found when it is first asked for; ranges are in bytes.
#[derive(Default)]
pub struct Output<'a> {
    pub text: &'a str,
    lower: OnceCell<String>,
    sentences: OnceCell<Vec<Range<usize>>>,
    markdown: OnceCell<Markdown>,
    language: OnceCell<&'static str>,
}

impl<'a> Output<'a> {
    /// An answer of which nothing is known yet.
    pub fn new(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }

    /// The answer in lower case, letter by letter, so that every place is that of the answer.
    pub fn lower(&self) -> &str {
        self.found(&self.lower, || lowered(self.text)).as_str()
    }

    /// Its words, as Unicode divides them: an apostrophe inside joins, a hyphen divides, and each Han character is one.
    pub fn words(&self) -> Vec<Range<usize>> {
        budget::spend(self.text.len());
        self.text.unicode_word_indices().map(|(at, word)| at..at + word.len()).collect()
    }

    /// Its sentences outside code, headings and tables.
    pub fn sentences(&self) -> &[Range<usize>] {
        self.found(&self.sentences, || sentences::of(self.text, self.markdown())).as_slice()
    }

    /// Its paragraphs: what stands between empty lines. No headings, no lines that only divide, and a block of code is
    /// one.
    pub fn paragraphs(&self) -> Vec<Range<usize>> {
        let divides =
            |kind| matches!(kind, LineKind::Blank | LineKind::Break | LineKind::Heading(_));
        self.markdown().runs(|kind| !divides(kind))
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
}

/// A text in lower case; letters whose small form has another length stay as they are.
pub fn lowered(text: &str) -> String {
    let small = |letter: char| {
        let mut small = letter.to_lowercase();
        let one =
            small.next().filter(|one| small.len() == 0 && one.len_utf8() == letter.len_utf8());
        one.unwrap_or(letter)
    };
    text.chars().map(small).collect()
}

/// Whether a character is of a word that may go on.
pub fn is_joined(character: char) -> bool {
    let is_word = character.is_alphanumeric()
        || character == '_'
        || character >= '\u{300}' && is_combining_mark(character);
    is_word && !is_unspaced(character)
}

/// Whether a character is of a script that puts no spaces between words: Han, kana and bopomofo.
pub const fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{312f}' | '\u{31a0}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9d}' | '\u{20000}'..='\u{3fffd}')
}
