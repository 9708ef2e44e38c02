//! What a part of a prompt demands.

use std::ops::Range;

use super::number::Amount;
use crate::{ConstraintKind, Relation};

/// A constraint and where it is stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it bounds.
    pub kind: ConstraintKind,
    /// How the number is meant; `None` where there is none.
    pub relation: Option<Relation>,
    /// The number, or the lower of two.
    pub number: Option<u32>,
    /// The upper of two numbers.
    pub upper: Option<u32>,
    /// The words, the language, the format or the phrase that it names.
    pub values: Vec<String>,
    /// Byte offset in the text where its statement begins.
    pub start: usize,
    /// Byte offset behind its statement.
    pub end: usize,
}

impl Statement {
    /// A constraint without number or values, stated in a range of bytes.
    pub fn of(kind: ConstraintKind, range: Range<usize>) -> Self {
        let Range { start, end } = range;
        Self { kind, relation: None, number: None, upper: None, values: Vec::new(), start, end }
    }

    /// The same with one more value.
    pub fn valued(mut self, value: impl Into<String>) -> Self {
        self.values.push(value.into());
        self
    }

    /// The same with a number.
    pub fn counted(mut self, amount: Amount) -> Self {
        self.relation = Some(amount.relation);
        self.number = Some(amount.number);
        self.upper = amount.upper;
        self
    }
}
