//! What a rule is.

use super::reading::Reading;
use super::span::Span;
use crate::{MetricName, Severity};

/// A rule: what it finds lowers one metric by one severity.
pub struct Rule {
    /// Its stable name.
    pub id: &'static str,
    /// The metric that it lowers.
    pub metric: MetricName,
    /// How much what it finds matters, unless the place says otherwise.
    pub severity: Severity,
    /// Finds the places.
    pub find: fn(&Reading<'_>) -> Vec<Spot>,
}

/// A place that a rule found.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Its extent; empty for what is missing.
    pub span: Span,
    /// What the message names, if it is not the place itself.
    pub value: Option<String>,
    /// Severity of this place, if it is not the rule's.
    pub severity: Option<Severity>,
}

impl Spot {
    /// A place that its own words describe.
    pub const fn new(span: Span) -> Self {
        Self { span, value: None, severity: None }
    }

    /// A place whose message names something else than its words.
    pub const fn naming(span: Span, value: String) -> Self {
        Self { span, value: Some(value), severity: None }
    }

    /// The place with another severity than the rule's.
    pub const fn at(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }
}

/// The spot, if the condition holds.
pub fn spot_if(condition: bool, span: Span) -> Vec<Spot> {
    if condition { vec![Spot::new(span)] } else { Vec::new() }
}
