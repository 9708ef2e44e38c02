//! Which n-grams are put into the dictionary.
//!
//! A run of a script without spaces is searched by any part of it. Every single character is a key. A longer
//! n-gram is a key if both n-grams that are shorter by one, at its front and at its end, are keys
//! with [`COMMON`] items or more, up to [`LONGEST`] characters. So an n-gram that is no key and
//! isn't too long has a part that is a key with fewer than [`COMMON`] items (or none), and at most
//! that many items' runs are read to find it.

use std::collections::HashMap;

/// Items from which on an n-gram is common.
pub(crate) const COMMON: usize = 2_048;

/// Characters of the longest n-gram that is a key.
pub(crate) const LONGEST: usize = 12;

/// Adds the n-grams of every item's runs to `terms`, each with its items in ascending order.
pub(crate) fn collect(runs: &str, run_offsets: &[u64], terms: &mut HashMap<Box<str>, Vec<u32>>) {
    // For each byte, whether a common n-gram of the previous length begins there.
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

/// Calls `found` with the item and the offset of all n-grams of `length` characters.
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

/// Whether an n-gram is a key; `is_common` says whether the n-gram shorter by one at an offset in
/// it is common.
pub(crate) fn is_key(ngram: &str, is_common: impl Fn(usize) -> bool) -> bool {
    let first = ngram.chars().next().map_or(0, char::len_utf8);
    first == ngram.len() || (is_common(0) && is_common(first))
}

/// All n-grams of `length` characters, with their byte offsets.
pub(crate) fn windows(run: &str, length: usize) -> impl Iterator<Item = (usize, &str)> {
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run
        .char_indices()
        .map(|(at, character)| at + character.len_utf8())
        .skip(length.saturating_sub(1));
    starts.zip(ends).map(|(start, end)| (start, &run[start..end]))
}
