//! Ruling out places of a text by the first three bytes there.
//!
//! Bytes are told apart by 32 kinds: letters without case, figures, spaces, other ASCII; beyond it by their low five bits.

use regex_syntax::hir::{Hir, literal::Extractor};

/// Kinds of bytes.
const KINDS: usize = 32;
/// More beginnings than these are not told apart, nor larger classes.
const MOST: usize = 4_000;
const LARGEST: usize = 64;
/// Bytes that are looked at.
const BYTES: usize = 3;

/// The kind of each byte.
static KIND: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        kinds[byte] = match c {
            b'a'..=b'z' => c - b'a',
            b'A'..=b'Z' => c - b'A',
            b'0'..=b'9' => 26,
            b' ' | b'\t' | b'\n' | b'\r' => 27,
            0x80.. => c & 31,
            _ => 28,
        };
        byte += 1;
    }
    kinds
};

/// The bucket of the end of the text, and of later bytes of a character, where nothing begins.
const END: u32 = 31;
const INSIDE: u32 = 30;

/// The bucket of a first byte: its kind; one for all beyond ASCII.
#[inline]
pub fn bucket(byte: u8) -> u32 {
    match byte {
        0x80..=0xbf => INSIDE,
        0xc0.. => 29,
        _ => u32::from(KIND[usize::from(byte)]),
    }
}

/// The bucket of the first byte of a character.
pub fn bucket_of(c: char) -> u32 {
    bucket(if c.is_ascii() { c as u8 } else { u8::MAX })
}

/// The bucket of what begins at a byte of a text.
#[inline]
pub fn bucket_at(text: &str, at: usize) -> u32 {
    text.as_bytes().get(at).map_or(END, |byte| bucket(*byte))
}

/// What the first three bytes of a match can be.
#[derive(Debug)]
pub struct Prefix {
    /// For each kind of a first byte the kinds of second ones, a bit each.
    seconds: [u32; KINDS],
    /// For each kind of a second byte the kinds of third ones.
    thirds: [u32; KINDS],
}

impl Prefix {
    /// The beginnings of an expression. `None` where it has none or too many.
    pub fn of(expression: &Hir) -> Option<Self> {
        let found = Extractor::new()
            .limit_class(LARGEST)
            .limit_repeat(BYTES)
            .limit_literal_len(BYTES)
            .limit_total(MOST)
            .extract(expression);
        let mut prefix = Self { seconds: [0; KINDS], thirds: [0; KINDS] };
        for literal in found.literals()? {
            let kinds = |at: usize| match literal.as_bytes().get(at) {
                Some(byte) => 1 << KIND[usize::from(*byte)],
                None => u32::MAX,
            };
            let (first, second, third) = (kinds(0), kinds(1), kinds(2));
            for kind in 0..KINDS {
                prefix.seconds[kind] |= if first & 1 << kind != 0 { second } else { 0 };
                prefix.thirds[kind] |= if second & 1 << kind != 0 { third } else { 0 };
            }
        }
        Some(prefix)
    }

    /// The first place at `from` or later, but before the last two bytes, where a match can begin by its first three
    /// bytes; else the last but one place, which the caller looks at itself.
    #[inline]
    pub fn next(&self, bytes: &[u8], from: usize) -> usize {
        let kind = |at: usize| usize::from(KIND[usize::from(bytes[at])]);
        let end = bytes.len().saturating_sub(BYTES - 1);
        let mut at = from;
        while at < end {
            let second = kind(at + 1);
            if self.seconds[kind(at)] >> second & 1 != 0
                && self.thirds[second] >> kind(at + 2) & 1 != 0
            {
                return at;
            }
            at += 1;
        }
        at
    }
}
