//! What a search found.

use std::ops::{Index, Range};
use std::sync::Arc;

use crate::program::Program;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match<'t> {
    text: &'t str,
    start: usize,
    end: usize,
}

impl<'t> Match<'t> {
    pub(crate) fn new(text: &'t str, start: usize, end: usize) -> Self {
        Self { text, start, end }
    }

    /// Its first byte.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The byte behind its last.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Its bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Its text.
    pub fn as_str(&self) -> &'t str {
        &self.text[self.start..self.end]
    }
}

/// A match and its groups; group 0 is the match.
#[derive(Clone, Debug)]
pub struct Captures<'t> {
    text: &'t str,
    slots: Vec<usize>,
    program: Arc<Program>,
}

impl<'t> Captures<'t> {
    pub(crate) fn new(text: &'t str, slots: Vec<usize>, program: Arc<Program>) -> Self {
        Self { text, slots, program }
    }

    /// A group by its number, if it took part in the match.
    pub fn get(&self, group: usize) -> Option<Match<'t>> {
        let (start, end) = (*self.slots.get(2 * group)?, *self.slots.get(2 * group + 1)?);
        (end != usize::MAX).then(|| Match::new(self.text, start, end))
    }

    /// The whole match.
    pub fn get_match(&self) -> Match<'t> {
        Match::new(self.text, self.slots[0], self.slots[1])
    }

    /// A group by its name, if it took part in the match.
    pub fn name(&self, name: &str) -> Option<Match<'t>> {
        self.get(self.program.group(name)?)
    }
}

impl Index<&str> for Captures<'_> {
    type Output = str;

    /// # Panics
    ///
    /// The group took no part in the match.
    fn index(&self, name: &str) -> &str {
        self.name(name).map(|found| found.as_str()).unwrap_or_else(|| panic!("no group {name}"))
    }
}
