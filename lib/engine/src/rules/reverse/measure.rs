//! Counting what can be counted.

use super::document::Document;
use super::words::{Word, is_emoji, is_unspaced, mostly_unspaced};
use crate::page::BlockRole;
use patterns::pattern;

/// Sizes and marks of a document.
#[derive(Debug, Default)]
pub struct Measures {
    /// Words; characters where words are not written apart.
    pub words: usize,
    /// Whether `words` counts characters.
    pub in_characters: bool,
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
    /// Flesch–Kincaid grade (Kincaid et al. 1975), for English of at least 60 words.
    pub grade: Option<f64>,
}

impl Measures {
    /// Measures a document whose words are given.
    pub fn of(document: &Document, prose: &str, words: &[Word<'_>]) -> Self {
        let raw = &document.raw;
        let in_characters = mostly_unspaced(raw);
        let sentences = document.blocks.iter().map(|block| match block.role {
            BlockRole::Paragraph | BlockRole::ListItem => ends(&block.text).max(1),
            _ => 0,
        });
        let sentences: usize = sentences.sum();
        let count =
            if document.blocks.is_empty() { super::words::words(raw).len() } else { words.len() };
        let mut this = Self {
            words: if in_characters {
                raw.chars().filter(|c| c.is_alphanumeric()).count()
            } else {
                count
            },
            in_characters,
            sentences,
            paragraphs: document.count(BlockRole::Paragraph),
            items: document.count(BlockRole::ListItem),
            numbered: pattern!(r"(?m)^\s*\d{1,3}[.)、]\s+\S").find_iter(raw).count(),
            rows: document.count(BlockRole::TableRow),
            headings: document
                .blocks
                .iter()
                .filter(|block| matches!(block.role, BlockRole::Heading(_)))
                .count(),
            lines: raw.lines().filter(|line| !line.trim().is_empty()).count(),
            links: raw.matches("://").count(),
            bold: is_bold(raw),
            prices: pattern!(r"[$€£¥] ?\d|\d ?(?:€|EUR|USD|CHF|£|{reverse_measure.currency})")
                .find_iter(raw)
                .count(),
            ..Self::default()
        };
        let mut before = ' ';
        let mut quotes = 0;
        for character in raw.chars() {
            match character {
                '?' | '？' | '؟' => this.questions += 1,
                '!' | '！' => this.exclamations += 1,
                '“' | '«' | '„' | '「' => this.speech += 1,
                '"' => quotes += 1,
                c if is_emoji(c) => this.emojis += 1,
                c if c.is_alphabetic() && before == '#' => this.hashtags += 1,
                c if c.is_ascii_digit() && !before.is_ascii_digit() => this.numbers += 1,
                _ => {}
            }
            before = character;
        }
        this.speech += quotes / 2;
        if document.language.as_deref() == Some("en") && words.len() >= 60 && sentences > 0 {
            this.grade = Some(grade(prose, words, sentences));
        }
        this
    }

    /// Mean number of words of a sentence.
    pub fn sentence_length(&self) -> Option<usize> {
        (self.sentences > 0 && !self.in_characters && self.words >= 30)
            .then(|| (self.words as f64 / self.sentences as f64).round() as usize)
    }
}

/// How many sentences end in a piece of text.
fn ends(text: &str) -> usize {
    let mut count = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let closes = characters.peek().is_none_or(|next| {
            next.is_whitespace() || matches!(next, '"' | '”' | '“' | '»' | '’' | ')' | '」')
        });
        count += usize::from(
            matches!(character, '。' | '！' | '？')
                || closes && matches!(character, '.' | '!' | '?' | '…' | '؟' | '।'),
        );
    }
    count
}

fn grade(prose: &str, words: &[Word<'_>], sentences: usize) -> f64 {
    let syllables: usize =
        if prose.is_empty() { 0 } else { words.iter().map(|word| syllables(word.text)).sum() };
    let words = words.len() as f64;
    0.39 * words / sentences as f64 + 11.8 * syllables as f64 / words - 15.59
}

/// Groups of vowels, less a silent final e: close enough for a mean over a text.
fn syllables(word: &str) -> usize {
    let mut count = 0;
    let mut vowel = false;
    let mut last = ' ';
    for character in word.chars() {
        let character = character.to_ascii_lowercase();
        let is = matches!(character, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
        count += usize::from(is && !vowel);
        vowel = is;
        last = character;
    }
    if last == 'e' && count > 1 {
        count -= 1;
    }
    count.max(1)
}

/// Whether a run of letters is of a script without spaces.
pub fn is_run(word: &str) -> bool {
    word.chars().any(is_unspaced)
}

/// Whether a word or phrase is bold; `__main__` and its like are names of Python's.
fn is_bold(raw: &str) -> bool {
    let names = pattern!(
        r"\b__(?:main|name|init|file|all|str|repr|doc|version|author|dict|class|call|enter|exit|len|eq|hash|iter|next|new|del|getitem|setitem|slots|future|builtins|import|package|path|post_init|add|lt|gt|contains)__"
    );
    pattern!(r"\*\*[^*\n]+\*\*").is_match(raw)
        || pattern!(r"__[^_\n]+__").is_match(&names.replace_all(raw, ""))
}
