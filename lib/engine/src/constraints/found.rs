//! The constraints found so far.

use std::{collections::BTreeMap, ops::Range};

use super::statement::Statement;
use crate::ConstraintKind as Kind;

/// Constraints, and which parts of the text state some of a kind.
#[derive(Default)]
pub struct Found {
    pub all: Vec<Statement>,
    /// The end of each stated part by kind and start.
    parts: BTreeMap<(Kind, usize), usize>,
}

impl Found {
    /// Adds a constraint.
    pub fn push(&mut self, one: Statement) {
        let end = self.parts.entry((one.kind, one.start)).or_default();
        *end = one.end.max(*end);
        self.all.push(one);
    }

    /// Whether a constraint of the kind is stated in a part of `range`.
    pub fn overlaps(&self, kind: Kind, range: &Range<usize>) -> bool {
        let before = self.parts.range((kind, 0)..(kind, range.end)).next_back();
        before.is_some_and(|(_, end)| *end > range.start)
    }
}
