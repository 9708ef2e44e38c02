//! Ruling out places of a text by the first three bytes there.
//!
//! The kinds of bytes are those of `prefix.rs` in the crate `patterns-macros`.

/// Kinds of bytes.
const COUNT: usize = 32;

/// The kind of each byte.
const KINDS: [u8; 256] = {
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

/// The first place at `from` or later, but before the last two bytes, where the first three bytes are such that a match
/// can begin with them; else the last but one place, which the caller looks at itself.
#[inline]
pub fn next(pairs: &[u32], bytes: &[u8], from: usize) -> usize {
    let (firsts, seconds) = pairs.split_at(COUNT);
    let kind = |at: usize| usize::from(KINDS[usize::from(bytes[at])]);
    let end = bytes.len().saturating_sub(2);
    let mut at = from;
    while at < end {
        let second = kind(at + 1);
        if firsts[kind(at)] >> second & 1 != 0 && seconds[second] >> kind(at + 2) & 1 != 0 {
            return at;
        }
        at += 1;
    }
    at
}
