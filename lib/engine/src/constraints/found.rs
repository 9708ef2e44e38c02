//! The constraints found so far.

use std::{collections::BTreeMap, ops::Range};

use super::statement::Statement;
use crate::ConstraintKind as Kind;

/// Constraints, and which parts of the text state some of a kind.
#[derive(Default)]
pub struct Found {
    all: Vec<Statement>,
    /// The end of each stated part by kind and start; the parts of a kind do not overlap.
    parts: BTreeMap<(Kind, usize), usize>,
}

impl Found {
    /// Adds a constraint.
    pub fn push(&mut self, one: Statement) {
        let (kind, mut start, mut end) = (one.kind, one.start, one.end);
        while let Some(part) = self.part(kind, &(start..end)) {
            self.parts.remove(&(kind, part.start));
            start = start.min(part.start);
            end = end.max(part.end);
        }
        self.parts.insert((kind, start), end);
        self.all.push(one);
    }

    /// Whether a constraint of the kind is stated in a part of `range`.
    pub fn overlaps(&self, kind: Kind, range: &Range<usize>) -> bool {
        self.part(kind, range).is_some()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Statement> {
        self.all.iter()
    }

    pub fn into_vec(self) -> Vec<Statement> {
        self.all
    }

    fn part(&self, kind: Kind, range: &Range<usize>) -> Option<Range<usize>> {
        let (&(_, start), &end) = self.parts.range((kind, 0)..(kind, range.end)).next_back()?;
        (end > range.start).then_some(start..end)
    }
}
