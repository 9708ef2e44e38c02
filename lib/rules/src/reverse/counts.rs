//! Counting what can be counted.

use super::document::Document;
use super::wording::said;
use super::words::{self, Word, is_emoji, mostly_unspaced};
use engine::page::BlockRole;
use patterns::pattern;
use text::Cover;

/// Fewer words than this have no reading level.
const READABLE: usize = 60;
/// Longer words are hard to read, in characters.
const LONG_WORD: usize = 6;

/// Sizes and marks of a document.
#[derive(Debug, Default)]
pub struct Counts {
    /// Words; characters where words are not written apart.
    pub words: usize,
    /// Whether `words` counts characters.
    pub in_characters: bool,
    /// Words of more than six letters.
    long_words: usize,
    pub sentences: usize,
    pub paragraphs: usize,
    pub items: usize,
    /// Items that are numbered in the source.
    pub numbered: usize,
    pub rows: usize,
    pub headings: usize,
    /// Lines of the source that are not empty.
    pub lines: usize,
    pub questions: usize,
    pub exclamations: usize,
    pub emojis: usize,
    pub hashtags: usize,
    pub links: usize,
    pub numbers: usize,
    pub speech: usize,
    pub prices: usize,
    pub bold: bool,
}

impl Counts {
    /// Counts in a document whose words are given.
    pub fn of(document: &Document, list: &[Word<'_>]) -> Self {
        let raw = &document.raw;
        let mut this = Self {
            in_characters: mostly_unspaced(raw),
            long_words: list.iter().filter(|word| word.text.chars().count() > LONG_WORD).count(),
            numbered: pattern!(r"(?m)^\s*\d{1,3}[.)、]\s+\S").find_iter(raw).count(),
            lines: raw.lines().filter(|line| !line.trim().is_empty()).count(),
            links: raw.matches("://").count(),
            bold: pattern!(r"\*\*[^*\n]+\*\*").is_match(raw),
            prices: pattern!(r"[$€£¥] ?\d|\d ?(?:€|EUR|USD|CHF|£|{reverse_measure.currency})")
                .find_iter(raw)
                .count(),
            ..Self::default()
        };
        this.words = if this.in_characters {
            raw.chars().filter(|c| c.is_alphanumeric()).count()
        } else if document.blocks.is_empty() {
            words::words(raw).len()
        } else {
            list.len()
        };
        for block in &document.blocks {
            match block.role {
                BlockRole::Paragraph => this.paragraphs += 1,
                BlockRole::ListItem => this.items += 1,
                BlockRole::TableRow => this.rows += 1,
                BlockRole::Heading(_) => this.headings += 1,
                BlockRole::Action | BlockRole::Field => {}
            }
            if matches!(block.role, BlockRole::Paragraph | BlockRole::ListItem) {
                this.sentences += text::sentences(&block.text, &Cover::default()).len().max(1);
            }
        }
        let mut before = ' ';
        for character in raw.chars() {
            match character {
                '?' | '？' | '؟' => this.questions += 1,
                '!' | '！' => this.exclamations += 1,
                '“' | '«' | '„' | '「' => this.speech += 1,
                '"' if before.is_whitespace() => this.speech += 1,
                c if is_emoji(c) => this.emojis += 1,
                c if c.is_alphabetic() && before == '#' => this.hashtags += 1,
                c if c.is_ascii_digit() && !before.is_ascii_digit() => this.numbers += 1,
                _ => {}
            }
            before = character;
        }
        this
    }

    /// Mean number of words of a sentence.
    pub fn sentence_length(&self) -> Option<usize> {
        let known = self.sentences > 0 && !self.in_characters && self.words >= 30;
        known.then(|| (self.words as f64 / self.sentences as f64).round() as usize)
    }

    /// How hard it is to read, in English: the readability index LIX (Björnsson 1968), words a sentence plus the
    /// percentage of long words, which works for many languages.
    pub fn level(&self) -> Option<&'static str> {
        if self.in_characters || self.words < READABLE || self.sentences == 0 {
            return None;
        }
        let words = self.words as f64;
        Some(match words / self.sentences as f64 + 100.0 * self.long_words as f64 / words {
            index if index < 40.0 => said("easy to read"),
            index if index < 52.0 => said("of medium difficulty"),
            _ => said("demanding"),
        })
    }
}
