//! Sets of code points.

use regex_syntax::hir::{Class, HirKind};

/// Sorted ranges of code points, both ends included.
pub type Ranges = Vec<(u32, u32)>;

/// Classes that the matcher has tables of, see `unicode.rs` of the crate `patterns`: its number is the place + 1.
const TABLES: [&str; 6] = [r"\w", r"\p{L}", r"\p{Lu}", r"\p{Ll}", r"\p{N}", r"\s"];

/// The ranges of a class in its notation.
///
/// # Panics
///
/// At what is no class.
pub fn of(class: &str) -> Ranges {
    let parsed = regex_syntax::parse(class).expect("a class");
    match parsed.kind() {
        HirKind::Class(class) => of_class(class),
        _ => panic!("{class} is no class"),
    }
}

/// The ranges of a parsed class.
///
/// ſ and the sign of kelvin are not taken for s and k, as they are where case does not matter: nobody
/// writes them, and no word would begin with ASCII only.
pub fn of_class(class: &Class) -> Ranges {
    let ranges: Ranges = match class {
        Class::Unicode(class) => {
            class.iter().map(|range| (range.start() as u32, range.end() as u32)).collect()
        }
        Class::Bytes(class) => {
            class.iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect()
        }
    };
    let folded = |single: u32, of: char| {
        ranges.len() <= 3
            && ranges.contains(&(single, single))
            && ranges.contains(&(of as u32, of as u32))
    };
    let (long, kelvin) = (folded(0x17f, 's'), folded(0x212a, 'k'));
    ranges
        .into_iter()
        .filter(|range| !(long && *range == (0x17f, 0x17f) || kelvin && *range == (0x212a, 0x212a)))
        .collect()
}

/// The part beyond ASCII.
pub fn beyond_ascii(ranges: &Ranges) -> Ranges {
    ranges
        .iter()
        .filter(|(_, end)| *end >= 128)
        .map(|(start, end)| ((*start).max(128), *end))
        .collect()
}

/// The ASCII part, a bit each.
fn ascii(ranges: &Ranges) -> u128 {
    let within = |code: u32| ranges.iter().any(|(start, end)| (*start..=*end).contains(&code));
    (0..128).filter(|code| within(*code)).fold(0, |bits, code| bits | 1 << code)
}

/// Everything beyond ASCII that is not in `ranges`.
fn complement(ranges: &Ranges) -> Ranges {
    let mut from = 128;
    let mut rest = Vec::new();
    for (start, end) in ranges {
        if from < *start {
            rest.push((from, start - 1));
        }
        from = end + 1;
    }
    if from <= 0x10_ffff {
        rest.push((from, 0x10_ffff));
    }
    rest
}

/// What of `ranges` lies outside of `table`, if the table lies inside of them.
fn besides(ranges: &Ranges, table: &Ranges) -> Option<Ranges> {
    let outside = complement(ranges);
    let disjoint = |(start, end): &(u32, u32)| {
        !table.iter().any(|(first, last)| first <= end && start <= last)
    };
    outside.iter().all(disjoint).then(|| {
        let missing = complement(table);
        let cut = |(start, end): &(u32, u32)| {
            missing
                .iter()
                .filter(|(first, last)| first <= end && start <= last)
                .map(|(first, last)| ((*start).max(*first), (*end).min(*last)))
                .collect::<Vec<_>>()
        };
        ranges.iter().flat_map(cut).collect()
    })
}

/// A class as the matcher reads it: four words of ASCII, one that says what else counts, and ranges.
pub fn encoded(ranges: &Ranges) -> Vec<u32> {
    let bits = ascii(ranges);
    let mut words: Vec<u32> = (0..4).map(|word| (bits >> (32 * word)) as u32).collect();
    let positive = beyond_ascii(ranges);
    // The shortest way to say it: with a table or without, or as what it is not.
    let mut shortest = (0, positive.clone());
    for (negated, ranges) in [(0, &positive), (1 << 8, &complement(&positive))] {
        if ranges.len() < shortest.1.len() {
            shortest = (negated, ranges.clone());
        }
        for (place, table) in TABLES.iter().enumerate() {
            let table = beyond_ascii(&of(table));
            if let Some(rest) = besides(ranges, &table)
                && rest.len() < shortest.1.len()
            {
                shortest = (negated | (place as u32 + 1), rest);
            }
        }
    }
    let (kind, ranges) = shortest;
    words.push(kind | (ranges.len() as u32) << 16);
    words.extend(ranges.iter().flat_map(|(start, end)| [*start, *end]));
    words
}
