//! Sets of characters.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex_syntax::hir::{Class as Parsed, ClassUnicode, ClassUnicodeRange};

use crate::prefix::bucket;

/// Sorted ranges of characters, both ends included.
pub type Ranges = Vec<(char, char)>;

/// A set of characters.
#[derive(Debug)]
pub struct Class {
    /// Those of ASCII, a bit each.
    ascii: u128,
    ranges: Ranges,
    /// The buckets of the bytes that they begin with, a bit each.
    pub buckets: u32,
}

/// Classes that programs share. They are kept: what expressions there are is known when the program is compiled.
static KNOWN: LazyLock<Mutex<HashMap<Ranges, &'static Class>>> = LazyLock::new(Mutex::default);

impl Class {
    /// The class of these ranges.
    pub fn of(ranges: Ranges) -> &'static Self {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(ranges).or_insert_with_key(|ranges| {
            let (mut ascii, mut buckets) = (0, 0);
            for (start, end) in ranges {
                for c in (*start..=*end).take_while(char::is_ascii) {
                    ascii |= 1 << u32::from(c);
                    buckets |= 1 << bucket(c as u8);
                }
                if !end.is_ascii() {
                    buckets |= 1 << bucket(u8::MAX);
                }
            }
            Box::leak(Box::new(Self { ascii, ranges: ranges.clone(), buckets }))
        })
    }

    /// Whether it has a character.
    #[inline]
    pub fn contains(&self, c: char) -> bool {
        if c.is_ascii() {
            return self.ascii & 1 << u32::from(c) != 0;
        }
        let behind = self.ranges.partition_point(|(start, _)| *start <= c);
        behind > 0 && c <= self.ranges[behind - 1].1
    }
}

/// The ranges of a parsed class.
pub fn ranges(class: &Parsed) -> Ranges {
    match class {
        Parsed::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Parsed::Bytes(class) => {
            class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect()
        }
    }
}

/// The ranges with letters of ASCII in both cases where they have them in one.
pub fn in_both_cases(mut ranges: Ranges) -> Ranges {
    let has = |c: char| ranges.iter().any(|(start, end)| (*start..=*end).contains(&c));
    let single = ('a'..='z').filter(|c| has(*c) != has(c.to_ascii_uppercase()));
    let both: Vec<_> = single.flat_map(|c| [c, c.to_ascii_uppercase()]).collect();
    if both.is_empty() {
        return ranges;
    }
    ranges.extend(both.into_iter().map(|c| (c, c)));
    let joined = ClassUnicode::new(
        ranges.into_iter().map(|(start, end)| ClassUnicodeRange::new(start, end)),
    );
    self::ranges(&Parsed::Unicode(joined))
}

/// The letter of ASCII that a class has in both cases and nothing else: ſ and the sign of kelvin, which Unicode folds to
/// s and k, are not taken for these. Nobody writes them.
pub fn letter(ranges: &[(char, char)]) -> Option<u8> {
    let &[(upper, end), (lower, last), ref rest @ ..] = ranges else { return None };
    let is_folded = upper == end
        && lower == last
        && upper.is_ascii_uppercase()
        && lower == upper.to_ascii_lowercase()
        && matches!(rest, [] | [('\u{17f}', '\u{17f}') | ('\u{212a}', '\u{212a}')]);
    is_folded.then_some(lower as u8)
}
