//! Reading the programs that the crate `patterns-macros` writes.

use crate::scope::Scope;
use crate::{prefix, unicode};

/// A compiled expression. Its layout is told in `compile.rs` of `patterns-macros`.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    words: &'static [u32],
}

/// What an instruction does.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Match,
    Character(char),
    /// A character of the class at this word.
    Class(usize),
    Jump(usize),
    /// Goes on at each of the places that the words from the first number on name; there are so many.
    Choose(usize, usize),
    /// As a choice of two, at a round of a repetition without an end: the first number is the repetition's.
    Loop(usize, usize),
    /// Goes on where the table at this word says for the next character.
    Switch(usize),
    Save(usize),
    Place(u32),
    Fail,
    /// All characters of the class at this word that follow each other.
    Span(usize),
    /// Goes on if this language is asked.
    Language(u32),
}

/// Where the first instruction stands.
pub const START: usize = 6;
/// Words that say what pairs of bytes a match can begin with.
const PAIRS: usize = 64;
/// The bit for the end of the text among what a match can begin with.
const END: u32 = 31;

/// The bucket of each first byte of a character: letters without case, figures, spaces, other ASCII, the rest. A later
/// byte begins nothing.
const BUCKETS: [u8; 256] = {
    let mut buckets = [29; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        buckets[byte] = match c {
            b'a'..=b'z' => c - b'a',
            b'A'..=b'Z' => c - b'A',
            b'0'..=b'9' => 26,
            b' ' | b'\t' | b'\n' | b'\r' => 27,
            0x80..=0xbf => INSIDE,
            _ if c < 128 => 28,
            _ => 29,
        };
        byte += 1;
    }
    buckets
};
/// The bucket of later bytes of a character: no pattern begins there.
const INSIDE: u8 = 30;

/// The bucket of the character that begins with this byte, or of the end.
#[inline]
fn bucket(byte: Option<&u8>) -> u32 {
    byte.map_or(END, |byte| u32::from(BUCKETS[usize::from(*byte)]))
}

#[inline]
fn is_ascii_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Program {
    pub const fn new(words: &'static [u32]) -> Self {
        Self { words }
    }

    #[inline]
    fn word(self, at: usize) -> u32 {
        self.words[at]
    }

    #[inline]
    fn place(self, at: usize) -> usize {
        self.words[at] as usize
    }

    /// Number of groups, the whole match included.
    pub fn groups(self) -> usize {
        (self.word(0) & 0xffff) as usize
    }

    /// Number of words.
    pub fn len(self) -> usize {
        self.words.len()
    }

    /// Whether a match can begin at the beginning of the text only.
    pub fn is_anchored(self) -> bool {
        self.word(0) & 1 << 16 != 0
    }

    /// Whether one of the languages that a match needs is asked.
    pub fn is_asked(self, scope: Scope) -> bool {
        let place = self.place(5);
        place == 0 || (0..self.place(place)).any(|at| scope.asks(self.word(place + 1 + at)))
    }

    /// Whether a match can begin at a place.
    #[inline]
    pub fn may_begin(self, text: &str, at: usize) -> bool {
        let bytes = text.as_bytes();
        let begins_words = self.word(0) & 1 << 17 != 0;
        // Inside of a word of ASCII no word begins or ends.
        self.word(1) & 1 << bucket(bytes.get(at)) != 0
            && !(begins_words
                && bytes.get(at).is_some_and(|byte| is_ascii_word(*byte))
                && at > 0
                && is_ascii_word(bytes[at - 1]))
    }

    /// The first place at `from` or later where a match can begin.
    pub fn candidate(self, text: &str, from: usize) -> Option<usize> {
        let beginnings = self.word(1);
        if beginnings == u32::MAX {
            return Some(from);
        }
        let bytes = text.as_bytes();
        let pairs = self.place(4);
        let mut at = from;
        loop {
            if pairs > 0 {
                at = prefix::next(&self.words[pairs..pairs + PAIRS], bytes, at);
            }
            if at >= bytes.len() {
                return (beginnings & 1 << END != 0).then_some(text.len());
            }
            if self.may_begin(text, at) {
                return Some(at);
            }
            at += 1;
        }
    }

    /// The instruction at a place.
    #[inline]
    pub fn step(self, at: usize) -> Step {
        let word = self.word(at);
        let operand = word >> 8;
        match word & 0xff {
            0 => Step::Match,
            1 => Step::Character(char::from_u32(operand).unwrap_or(char::REPLACEMENT_CHARACTER)),
            2 => Step::Class(self.place(2) + operand as usize),
            3 => Step::Jump(operand as usize),
            4 => Step::Choose(at + 1, operand as usize),
            5 => Step::Switch(at + 1),
            6 => Step::Save(operand as usize),
            7 => Step::Place(operand),
            9 => Step::Span(self.place(2) + operand as usize),
            10 => Step::Loop(operand as usize, at + 1),
            11 => Step::Language(operand),
            _ => Step::Fail,
        }
    }

    /// The place that a list names.
    #[inline]
    pub fn choice(self, list: usize, number: usize) -> usize {
        self.place(list + number)
    }

    /// Where the table says to go on before this byte.
    #[inline]
    pub fn switched(self, table: usize, next: Option<&u8>) -> usize {
        self.place(table + bucket(next) as usize)
    }

    /// Whether the class at a word holds a character.
    #[inline]
    pub fn holds(self, class: usize, c: char) -> bool {
        let code = c as u32;
        if code < 128 {
            return self.word(class + (code / 32) as usize) & 1 << (code % 32) != 0;
        }
        let kind = self.word(class + 4);
        let (table, is_negated, length) = (kind & 0xff, kind & 0x100 != 0, (kind >> 16) as usize);
        let ranges = class + 5;
        let (mut low, mut high) = (0, length);
        while low < high {
            let middle = (low + high) / 2;
            if self.word(ranges + 2 * middle) <= code {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let is_listed = low > 0 && code <= self.word(ranges + 2 * low - 1);
        (is_listed || unicode::contains(table as usize, code)) != is_negated
    }

    /// Whether a place between characters is of a kind.
    pub fn is_at(self, kind: u32, text: &str, at: usize) -> bool {
        let bytes = text.as_bytes();
        let ascii = |byte: Option<&u8>| byte.is_some_and(|byte| is_ascii_word(*byte));
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        match kind {
            0 => at == 0,
            1 => at == text.len(),
            2 => before.is_none_or(|byte| *byte == b'\n'),
            3 => bytes.get(at).is_none_or(|byte| *byte == b'\n'),
            4 | 5 => {
                let left = match before {
                    Some(byte) if byte.is_ascii() => ascii(before),
                    _ => text[..at].chars().next_back().is_some_and(unicode::is_word),
                };
                let right = match bytes.get(at) {
                    Some(byte) if byte.is_ascii() => ascii(bytes.get(at)),
                    _ => text[at..].chars().next().is_some_and(unicode::is_word),
                };
                (left != right) == (kind == 4)
            }
            _ => (ascii(before) != ascii(bytes.get(at))) == (kind == 6),
        }
    }

    /// The number of the group with a name.
    pub fn group(self, name: &str) -> Option<usize> {
        // A group without a name has an empty one.
        if name.is_empty() {
            return None;
        }
        let mut at = self.place(3);
        for group in 1..self.groups() {
            let length = self.place(at);
            let words = &self.words[at + 1..at + 1 + length.div_ceil(4)];
            if length == name.len()
                && name
                    .as_bytes()
                    .chunks(4)
                    .zip(words)
                    .all(|(part, word)| word.to_le_bytes().starts_with(part))
            {
                return Some(group);
            }
            at += 1 + words.len();
        }
        None
    }
}

/// The character at a byte.
pub fn next(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
        Some(_) => text[at..].chars().next(),
        None => None,
    }
}
