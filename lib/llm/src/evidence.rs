//! What rules know of a prompt: evidence for a model.

use std::cmp::Reverse;

use domain::Timestamp;
use engine::{Constraint, Engine, Finding, Image, PromptBrief, constraints};
use futures::FutureExt;

use crate::data::Block;

/// Most findings and constraints that are shown; the model has the whole prompt anyway.
const MOST: usize = 40;
/// Most characters of a quotation that are shown.
const LONGEST_QUOTE: usize = 120;
/// A picture of one pixel. It stands for those of a prompt: rules ask only whether there are any.
const PIXEL: &[u8] = include_bytes!("pixel.png");

/// Findings and constraints of a prompt.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    findings: Vec<Finding>,
    constraints: Vec<Constraint>,
}

impl Evidence {
    /// What `rules`, an engine that answers at once, find in `prompt` in the place of the brief's own, most severe
    /// findings first. Nothing if they reject it: a model may still take it.
    pub fn of(rules: &dyn Engine, prompt: &str, brief: &PromptBrief) -> Self {
        let pixel = || Image { media_type: "image/png".to_owned(), bytes: PIXEL.to_vec() };
        let brief = PromptBrief {
            prompt: prompt.to_owned(),
            context: brief.context.clone(),
            language: brief.language.clone(),
            target_model: brief.target_model,
            variations: brief.variations,
            images: brief.images.first().map(|_| pixel()).into_iter().collect(),
        };
        let analyzed = rules.analyze(&brief, Timestamp::from_millis(i64::MAX)).now_or_never();
        match analyzed {
            Some(Ok(mut analysis)) => {
                analysis.findings.sort_by_key(|finding| Reverse(finding.severity));
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
}

/// The beginning of a quotation, as a JSON string, with an ellipsis behind it if it goes on.
fn shown(quote: &str) -> String {
    let end = quote.char_indices().nth(LONGEST_QUOTE).map(|(end, _)| end);
    let shown = serde_json::json!(&quote[..end.unwrap_or(quote.len())]);
    format!("{shown}{}", if end.is_some() { "…" } else { "" })
}
