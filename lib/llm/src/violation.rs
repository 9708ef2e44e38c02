//! What is wrong with an answer.

use std::fmt;

/// A broken rule for results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// The rule.
    pub rule: &'static str,
    /// JSON pointer into the answer; empty for the whole answer.
    place: String,
    /// What is wrong, for the model. It may quote the user's material.
    detail: String,
}

impl Violation {
    pub fn new(rule: &'static str, place: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { rule, place: place.into(), detail: detail.into() }
    }
}

/// For the model.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, detail, .. } = self;
        if place.is_empty() { write!(f, "- {detail}") } else { write!(f, "- {place}: {detail}") }
    }
}

/// For the log: the broken rules and their places, never the material.
pub(crate) fn summary(violations: &[Violation]) -> String {
    let broken: Vec<String> = violations
        .iter()
        .map(|Violation { rule, place, .. }| match place.as_str() {
            "" => (*rule).to_owned(),
            place => format!("{rule} at {place}"),
        })
        .collect();
    broken.join(", ")
}
