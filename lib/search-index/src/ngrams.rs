//! Which sequences of characters are put into the dictionary.
//!
//! A run of Han or Kana is searched by any part of it. Every single character is a key. A longer sequence
//! is a key if both sequences that are shorter by one, at its front and at its end, are keys with
//! [`COMMON`] items or more, up to [`LONGEST`] characters. So a sequence that is no key and isn't too long
//! has a part that is a key with fewer than [`COMMON`] items (or none), and only so many items' runs need
//! to be read to find it.

use std::collections::HashMap;

/// Items that make a sequence common.
pub(crate) const COMMON: usize = 2_048;

/// Characters of the longest sequence that is a key.
pub(crate) const LONGEST: usize = 12;

/// Adds to `terms` the sequences out of every item's runs, each with its items in ascending order.
pub(crate) fn collect(runs: &str, run_offsets: &[u64], terms: &mut HashMap<Box<str>, Vec<u32>>) {
    // For each byte, whether a common sequence of the length before begins there.
    let mut common = vec![true; runs.len()];
    for length in 1..=LONGEST {
        let mut found: HashMap<&str, Vec<u32>> = HashMap::new();
        each(runs, run_offsets, length, |doc, start, ngram| {
            if is_key(ngram, |at| common[start + at]) {
                let docs = found.entry(ngram).or_default();
                if docs.last() != Some(&doc) {
                    docs.push(doc);
                }
            }
        });
        let has_common = found.values().any(|docs| docs.len() >= COMMON);
        if has_common {
            let mut next = vec![false; runs.len()];
            each(runs, run_offsets, length, |_, start, ngram| {
                next[start] = is_key(ngram, |at| common[start + at])
                    && found.get(ngram).is_some_and(|docs| docs.len() >= COMMON);
            });
            common = next;
        }
        terms.extend(found.into_iter().map(|(ngram, docs)| (ngram.into(), docs)));
        if !has_common {
            break;
        }
    }
}

/// Calls `found` with the item and the place of all sequences of so many characters.
fn each<'a>(
    runs: &'a str,
    run_offsets: &[u64],
    length: usize,
    mut found: impl FnMut(u32, usize, &'a str),
) {
    for (doc, bounds) in (0..).zip(run_offsets.windows(2)) {
        let (mut start, end) = (bounds[0] as usize, bounds[1] as usize);
        for run in runs[start..end].split_terminator('\n') {
            windows(run, length).for_each(|(at, ngram)| found(doc, start + at, ngram));
            start += run.len() + 1;
        }
    }
}

/// Whether a sequence is a key, given where in it the common sequences begin that are shorter by one.
pub(crate) fn is_key(ngram: &str, is_common: impl Fn(usize) -> bool) -> bool {
    let first = ngram.chars().next().map_or(0, char::len_utf8);
    first == ngram.len() || (is_common(0) && is_common(first))
}

/// All sequences of so many characters, with the byte that they begin at.
pub(crate) fn windows(run: &str, length: usize) -> impl Iterator<Item = (usize, &str)> {
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run
        .char_indices()
        .map(|(at, character)| at + character.len_utf8())
        .skip(length.saturating_sub(1));
    starts.zip(ends).map(|(start, end)| (start, &run[start..end]))
}
