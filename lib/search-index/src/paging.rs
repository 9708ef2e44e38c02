//! Pages of sorted results.

use crate::document::SortValues;
use crate::posting::{Docs, words};

/// Ordinals in an order, ascending, with access by index.
pub(crate) enum Ordinals {
    /// All below `end` except `gone`, which is ascending.
    Without { end: u32, gone: Vec<u32> },
    /// These, ascending.
    List(Vec<u32>),
    /// Those whose bit is set; `before` counts the bits before every [`STRIDE`]th word.
    Bits { bits: Vec<u64>, before: Vec<u32>, count: u32 },
}

const STRIDE: usize = 32;

/// Most ordinals that are sorted as a list; more become a bitmap.
const SORTED: usize = 1_000;

impl Ordinals {
    /// The ordinals of a set in the order of the items' numbers.
    pub(crate) fn of(docs: Docs) -> Self {
        match docs {
            Docs::List(list) => Ordinals::List(list),
            Docs::Bits(bits) => Self::bits(bits),
        }
    }

    /// The ordinals of a set in another order.
    pub(crate) fn moved(docs: &Docs, items: u32, place: impl Fn(u32) -> Option<u32>) -> Self {
        if let Docs::List(list) = docs
            && list.len() <= SORTED
        {
            let mut places: Vec<u32> = list.iter().filter_map(|doc| place(*doc)).collect();
            places.sort_unstable();
            return Ordinals::List(places);
        }
        let mut bits = vec![0u64; words(items)];
        docs.each(|doc| {
            if let Some(place) = place(doc)
                && let Some(word) = bits.get_mut(place as usize / 64)
            {
                *word |= 1 << (place % 64);
            }
        });
        Self::bits(bits)
    }

    fn bits(bits: Vec<u64>) -> Self {
        let mut count = 0;
        let before = bits
            .chunks(STRIDE)
            .map(|chunk| {
                let before = count;
                count += chunk.iter().map(|word| word.count_ones()).sum::<u32>();
                before
            })
            .collect();
        Ordinals::Bits { bits, before, count }
    }

    /// The number of ordinals.
    pub(crate) fn len(&self) -> usize {
        match self {
            Ordinals::Without { end, gone } => (*end as usize).saturating_sub(gone.len()),
            Ordinals::List(list) => list.len(),
            Ordinals::Bits { count, .. } => *count as usize,
        }
    }

    /// The ordinal at an index.
    pub(crate) fn nth(&self, index: usize) -> Option<u32> {
        if index >= self.len() {
            return None;
        }
        match self {
            Ordinals::Without { gone, .. } => {
                let (mut low, mut high) = (0, gone.len());
                while low < high {
                    let middle = low + (high - low) / 2;
                    if gone[middle] as usize - middle <= index {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                Some((index + low) as u32)
            }
            Ordinals::List(list) => list.get(index).copied(),
            Ordinals::Bits { bits, before, .. } => {
                let stride = before.partition_point(|before| *before as usize <= index) - 1;
                let mut left = index as u32 - before[stride];
                for (offset, word) in bits[stride * STRIDE..].iter().enumerate() {
                    if left < word.count_ones() {
                        let word = (0..left).fold(*word, |word, _| word & (word - 1));
                        return Some(
                            ((stride * STRIDE + offset) * 64) as u32 + word.trailing_zeros(),
                        );
                    }
                    left -= word.count_ones();
                }
                None
            }
        }
    }
}

/// At most `size` identifiers from `offset` on of two merged sequences: one of `length` whose key
/// at an index is `at`, and `others`, which is sorted.
pub(crate) fn merged(
    length: usize,
    at: impl Fn(usize) -> Option<SortValues>,
    others: &[SortValues],
    offset: usize,
    size: usize,
) -> Vec<u128> {
    // Bisects how many of `others` come before the page.
    let (mut low, mut high) = (offset.saturating_sub(length), offset.min(others.len()));
    while low < high {
        let middle = low + (high - low) / 2;
        if at(offset - middle - 1).is_none_or(|key| others[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let (mut index, mut other) = (offset - low.min(offset), low);
    let mut ids = Vec::with_capacity(size.min(length + others.len()));
    while ids.len() < size {
        let next = if index < length { at(index) } else { None };
        match (next, others.get(other)) {
            (Some(key), Some(another)) if key < *another => {
                ids.push(key.2);
                index += 1;
            }
            (_, Some(another)) => {
                ids.push(another.2);
                other += 1;
            }
            (Some(key), None) => {
                ids.push(key.2);
                index += 1;
            }
            (None, None) => break,
        }
    }
    ids
}
