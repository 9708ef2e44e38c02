//! What rules know of a prompt: evidence for a model, and a check of what it says and writes.

use std::collections::BTreeSet;

use domain::Timestamp;
use engine::{Constraint, Engine, Finding, PromptBrief, Severity, constraints};
use futures::FutureExt;

use crate::{data::Block, violation::Violation};

/// Most findings and constraints that are shown; the model has the whole prompt anyway.
const MOST: usize = 40;
/// Most characters of a quotation that are shown.
const LONGEST_QUOTE: usize = 120;

/// Findings and constraints of a prompt.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    findings: Vec<Finding>,
    constraints: Vec<Constraint>,
}

impl Evidence {
    /// What `rules`, an engine that needs no time, find in the text of a prompt. Nothing if they reject it: a model
    /// may still take it.
    pub fn of(rules: &dyn Engine, brief: &PromptBrief) -> Self {
        let brief = PromptBrief { images: Vec::new(), ..brief.clone() };
        let analyzed = rules.analyze(&brief, Timestamp::from_millis(i64::MAX)).now_or_never();
        match analyzed {
            Some(Ok(analysis)) => {
                Self { findings: analysis.findings, constraints: analysis.constraints }
            }
            _ => Self::default(),
        }
    }

    /// The constraints of a prompt alone.
    pub fn of_constraints(prompt: &str) -> Self {
        Self { findings: Vec::new(), constraints: constraints::of(prompt) }
    }

    /// The evidence for a model, one line for each piece.
    pub fn block(&self) -> Block {
        let findings = self.findings.iter().map(|finding| {
            let Finding { severity, rule_id, quote, message, .. } = finding;
            let severity = serde_json::json!(severity);
            let severity = severity.as_str().unwrap_or_default().to_owned();
            format!("finding {severity} {rule_id} {}: {message}", shown(quote))
        });
        let constraints = self.constraints.iter().map(|Constraint { kind, quote, .. }| {
            format!("constraint {} {}", kind.as_str(), shown(quote))
        });
        let lines: Vec<String> = findings.take(MOST).chain(constraints.take(MOST)).collect();
        Block::new("evidence", if lines.is_empty() { "none".to_owned() } else { lines.join("\n") })
    }

    /// The rules behind findings that will go wrong.
    fn grave(&self) -> BTreeSet<&str> {
        let grave = self.findings.iter().filter(|finding| finding.severity == Severity::High);
        grave.map(|finding| finding.rule_id.as_str()).collect()
    }

    /// The violation of an analysis with these findings that leaves out one of high severity.
    pub fn left_out(&self, findings: &[Finding], place: &str) -> Option<Violation> {
        let is_missing = |rule: &&str| !findings.iter().any(|finding| finding.rule_id == *rule);
        let missing: Vec<_> = self.grave().into_iter().filter(is_missing).collect();
        (!missing.is_empty()).then(|| {
            let detail =
                format!("the evidence has findings that are missing: {}", missing.join(", "));
            Violation::new("evidence", format!("{place}/findings"), detail)
        })
    }

    /// The violation of a version in which rules find something of high severity that the original does not have.
    pub fn worsened(&self, version: &Self, place: &str) -> Option<Violation> {
        let new: Vec<_> = version.grave().difference(&self.grave()).copied().collect();
        (!new.is_empty()).then(|| {
            let detail =
                format!("it has problems that the original does not have: {}", new.join(", "));
            Violation::new("evidence", place, detail)
        })
    }
}

/// The beginning of a quotation, on one line.
fn shown(quote: &str) -> String {
    let line = quote.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("\"{}…\"", &line[..end]),
        None => format!("\"{line}\""),
    }
}
