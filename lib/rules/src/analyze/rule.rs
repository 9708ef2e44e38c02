//! What a rule is, and the places that it finds.

use super::reading::{Medium, Reading};
use engine::prompt::Span;
use engine::{MetricName, Severity};

/// A rule: what it finds lowers one metric by one severity.
pub struct Rule {
    /// Its stable name.
    pub id: &'static str,
    /// The metric that it lowers.
    pub metric: MetricName,
    /// How much what it finds matters.
    pub severity: Severity,
    /// The prompts that it applies to.
    pub scope: Scope,
    /// Finds its places.
    pub find: fn(&Reading<'_>) -> Vec<Spot>,
    /// The edit that mends a place, where that is sure without knowledge of the matter.
    pub mend: Option<Mend>,
}

/// Places of a kind that a rule looks at; a prompt with more of them says nothing new.
pub const LOOKED_AT: usize = 60;

/// Prompts that a rule applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All.
    Any,
    /// Those for texts.
    Text,
    /// Those for pictures and clips.
    Visual,
}

/// The edit that mends a place, or none where this place needs its author.
pub type Mend = fn(&Reading<'_>, &Spot) -> Option<Edit>;

/// What goes, and what comes in its place.
pub type Edit = (Span, String);

impl Rule {
    /// The places that it finds.
    pub fn spots(&self, reading: &Reading<'_>) -> Vec<Spot> {
        let applies = match self.scope {
            Scope::Any => true,
            Scope::Text => reading.medium == Medium::Text,
            Scope::Visual => reading.medium != Medium::Text,
        };
        if applies { (self.find)(reading) } else { Vec::new() }
    }
}

/// A place that a rule found.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Its extent; empty for what is missing.
    pub span: Span,
    /// What the message names, if it is not the place itself.
    pub value: Option<String>,
}

impl Spot {
    /// A place that its own words describe.
    pub const fn new(span: Span) -> Self {
        Self { span, value: None }
    }

    /// A place whose message names something else than its words.
    pub fn naming(span: Span, value: impl Into<String>) -> Self {
        Self { span, value: Some(value.into()) }
    }

    /// The place alone, if the condition holds.
    pub fn when(self, condition: bool) -> Vec<Self> {
        if condition { vec![self] } else { Vec::new() }
    }

    /// Two places of which the later excludes the earlier.
    pub fn clash(reading: &Reading<'_>, one: Span, other: Span) -> Self {
        Self::naming(one.max(other), reading.source.slice(one.min(other)).trim())
    }
}
