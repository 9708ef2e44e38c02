//! Classes of Unicode that many expressions share.

use patterns_macros::ranges;

/// Beyond ASCII; an expression names a table by its place + 1, see `ranges.rs` of the crate `patterns-macros`.
static TABLES: [&[(u32, u32)]; 6] = [
    ranges!(r"\w"),
    ranges!(r"\p{L}"),
    ranges!(r"\p{Lu}"),
    ranges!(r"\p{Ll}"),
    ranges!(r"\p{N}"),
    ranges!(r"\s"),
];

/// Whether a code point beyond ASCII is in a table; number 0 is empty.
pub fn contains(table: usize, code: u32) -> bool {
    let Some(table) = table.checked_sub(1).map(|place| TABLES[place]) else { return false };
    let behind = table.partition_point(|(start, _)| *start <= code);
    behind > 0 && code <= table[behind - 1].1
}

/// Whether a character is part of a word: `\w`.
pub fn is_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() || c == '_' } else { contains(1, c as u32) }
}
