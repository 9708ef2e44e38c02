//! What a rule is.

use super::reading::{Medium, Reading};
use super::span::Span;
use engine::{MetricName, Severity};

/// A rule: what it finds lowers one metric by one severity.
pub struct Rule {
    /// Its stable name.
    pub id: &'static str,
    /// The metric that it lowers.
    pub metric: MetricName,
    /// How much what it finds matters, unless the place says otherwise.
    pub severity: Severity,
    find: Find,
    /// Mends a place, where that needs no knowledge of the matter.
    pub mend: Option<Mend>,
}

/// The edits that mend a place, or none where this place needs its author.
pub type Mend = fn(&Reading<'_>, &Spot) -> Vec<Edit>;

/// What is to be done to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes; empty where something is only added.
    pub span: Span,
    /// What comes in its place; where nothing does, the space and the commas around it are closed.
    pub text: Option<String>,
}

impl Edit {
    /// New words for a place.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: Some(text.into()) }
    }

    /// Takes a place out of its sentence.
    pub const fn cut(span: Span) -> Self {
        Self { span, text: None }
    }
}

/// What finds the places of a rule.
enum Find {
    /// The phrases of the lexicon that speak for it, in prompts for texts.
    Phrases,
    /// A search of its own.
    Code(fn(&Reading<'_>) -> Vec<Spot>),
}

impl Rule {
    /// A rule that finds its phrases in prompts for texts.
    pub const fn phrases(id: &'static str, metric: MetricName, severity: Severity) -> Self {
        Self { id, metric, severity, find: Find::Phrases, mend: None }
    }

    /// A rule that searches by itself.
    pub const fn code(
        id: &'static str,
        metric: MetricName,
        severity: Severity,
        find: fn(&Reading<'_>) -> Vec<Spot>,
    ) -> Self {
        Self { id, metric, severity, find: Find::Code(find), mend: None }
    }

    /// The rule with what mends the places that it finds.
    pub const fn mended(self, mend: Mend) -> Self {
        Self { mend: Some(mend), ..self }
    }

    /// The places that it finds.
    pub fn spots(&self, reading: &Reading<'_>) -> Vec<Spot> {
        match self.find {
            Find::Phrases if reading.medium == Medium::Text => phrases(reading, self.id),
            Find::Phrases => Vec::new(),
            Find::Code(find) => find(reading),
        }
    }
}

/// The places of the phrases that speak for a rule.
pub fn phrases(reading: &Reading<'_>, rule: &str) -> Vec<Spot> {
    reading.phrases(rule).map(|hit| Spot::new(hit.span)).collect()
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

    /// The place alone, if the condition holds.
    pub fn when(self, condition: bool) -> Vec<Self> {
        if condition { vec![self] } else { Vec::new() }
    }
}
