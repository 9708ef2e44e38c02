//! Parts of a text.

use std::ops::Range;

/// Parts of a text, for looking up whether a place lies in one.
#[derive(Debug, Default)]
pub struct Cover(Vec<Range<usize>>);

impl Cover {
    /// The union of the ranges.
    pub fn of(lists: &[&Vec<Range<usize>>]) -> Self {
        let mut all: Vec<Range<usize>> =
            lists.iter().flat_map(|list| list.iter().cloned()).collect();
        all.sort_by_key(|range| range.start);
        let mut merged: Vec<Range<usize>> = Vec::new();
        for range in all {
            match merged.last_mut() {
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        Self(merged)
    }

    /// Whether a range shares a byte with it.
    pub fn touches(&self, range: &Range<usize>) -> bool {
        let next = self.0.partition_point(|part| part.end <= range.start);
        self.0.get(next).is_some_and(|part| part.start < range.end)
    }

    /// Whether a range lies inside a part, or takes something of one and leaves something of it.
    pub fn is_cut_by(&self, range: &Range<usize>) -> bool {
        let first = self.0.partition_point(|part| part.end <= range.start);
        let behind = self.0.partition_point(|part| part.start < range.end);
        let goes = |part: &Range<usize>| range.start <= part.start && part.end <= range.end;
        first < behind && !(goes(&self.0[first]) && goes(&self.0[behind - 1]))
    }
}
