//! Sets of characters, and buckets of the bytes that they begin with.

use std::sync::{Mutex, PoisonError};

use regex_syntax::hir::ClassUnicode;

/// The bucket of the end of the text; of a part of an expression, that it may take nothing.
pub const EMPTY: u64 = 1 << 63;
/// All buckets.
pub const ANYTHING: u64 = u64::MAX;
/// The buckets of all characters beyond ASCII.
const BEYOND: u64 = !EMPTY & ANYTHING << 36;

/// The bucket of each byte as a bit, without case; nothing begins with the later bytes of a character.
static BUCKETS: [u64; 256] = {
    let mut buckets = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        buckets[byte] = match c {
            b'a'..=b'z' => 1 << (c - b'a'),
            b'A'..=b'Z' => 1 << (c - b'A'),
            b'0'..=b'9' => 1 << 26,
            b' ' | b'\t' | b'\n' | b'\r' => 1 << 27,
            0x80..=0xbf => 0,
            0xc0..=0xf4 => 1 << (36 + (c - 0xc0) / 2),
            _ => 1 << (28 + c % 8),
        };
        byte += 1;
    }
    buckets
};

/// The bucket of what begins at a byte of a text.
#[inline]
pub fn buckets_at(text: &str, at: usize) -> u64 {
    text.as_bytes().get(at).map_or(EMPTY, |byte| BUCKETS[usize::from(*byte)])
}

/// The buckets of the characters of a range, in either case if case does not matter.
pub fn buckets_of(start: char, end: char, folds: bool) -> u64 {
    let first = |c: char| c.encode_utf8(&mut [0; 4]).as_bytes()[0];
    let bytes = first(start)..=first(end);
    let buckets = bytes.map(|byte| BUCKETS[usize::from(byte)]).fold(0, |all, one| all | one);
    if folds && buckets & BEYOND != 0 { buckets | BEYOND } else { buckets }
}

/// A set of characters.
#[derive(Debug)]
pub struct Class {
    /// Those of ASCII, a bit each.
    ascii: u128,
    parsed: ClassUnicode,
    /// Whether the other case of its letters belongs to it.
    folds: bool,
    /// The buckets of the bytes that they begin with.
    pub buckets: u64,
}

/// Classes that programs share. They are kept: what expressions there are is known when the program is compiled.
static KNOWN: Mutex<Vec<&Class>> = Mutex::new(Vec::new());

impl Class {
    /// The class of what the parser has read, in either case if it `folds`.
    pub fn of(parsed: &ClassUnicode, folds: bool) -> &'static Self {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.iter().find(|class| class.folds == folds && class.parsed == *parsed);
        if let Some(class) = same {
            return class;
        }
        let mut class = Self { ascii: 0, parsed: parsed.clone(), folds, buckets: 0 };
        for range in parsed.iter() {
            class.buckets |= buckets_of(range.start(), range.end(), folds);
            for c in (range.start()..=range.end()).take_while(char::is_ascii) {
                let other = if folds && c.is_ascii_alphabetic() { 0x20 } else { 0 };
                class.ascii |= 1 << c as u8 | 1 << (c as u8 ^ other);
            }
        }
        known.push(Box::leak(Box::new(class)));
        known[known.len() - 1]
    }

    /// Whether it has a character.
    #[inline]
    pub fn contains(&self, c: char) -> bool {
        if c.is_ascii() {
            return self.ascii & 1 << u32::from(c) != 0;
        }
        self.is_in_range(c)
            || self.folds && self.is_in_range(lower(c))
            || self.folds && c.to_uppercase().any(|c| self.is_in_range(c))
    }

    fn is_in_range(&self, c: char) -> bool {
        let ranges = self.parsed.ranges();
        let behind = ranges.partition_point(|range| range.start() <= c);
        behind > 0 && c <= ranges[behind - 1].end()
    }
}

/// The small letter of a letter; the sign of kelvin, which Unicode folds to a letter of ASCII, is not taken for that.
pub fn lower(c: char) -> char {
    match c.is_ascii() {
        true => c.to_ascii_lowercase(),
        false => c.to_lowercase().next().filter(|c| !c.is_ascii()).unwrap_or(c),
    }
}
