//! What is wrong with an answer.

use std::fmt;

/// A rule for results that an answer broke.
#[derive(Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: &'static str,
    /// JSON pointer into the answer; empty for the whole answer.
    pub place: String,
    /// What is wrong, in words. It may quote the user's material, so no log has it.
    pub detail: String,
}

impl Violation {
    /// A violation of `rule` at `place`.
    pub fn new(rule: &'static str, place: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { rule, place: place.into(), detail: detail.into() }
    }
}

/// In full: for the model, and for the caller.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, detail, .. } = self;
        if place.is_empty() { f.write_str(detail) } else { write!(f, "{place}: {detail}") }
    }
}

/// Without the material.
impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, place, .. } = self;
        if place.is_empty() { f.write_str(rule) } else { write!(f, "{rule} at {place}") }
    }
}

/// The broken rules and their places, without the material: for the log.
pub fn summary(violations: &[Violation]) -> String {
    let broken: Vec<String> = violations.iter().map(|violation| format!("{violation:?}")).collect();
    broken.join(", ")
}
