//! How well a prompt suits its target model, by what the model's vendor documents.

use super::reading::Reading;
use super::texts::{self, Texts};
use crate::visual::family;
use engine::{Finding, ModelFit, ModelKind};
use patterns::{Pattern, pattern};

/// A remark that may hold: whether it does, the key of its text, and the points that it costs.
type Note = (bool, &'static str, u8);

/// Scores a prompt against the conventions of its target model.
pub fn of(reading: &Reading<'_>, findings: &[Finding], texts: &Texts) -> ModelFit {
    let model = reading.target.model();
    let found = |rule: &str| findings.iter().any(|finding| finding.rule_id.starts_with(rule));
    let mut notes: Vec<Note> = vec![(found("wrong_medium"), "medium", 70)];
    if matches!(model.kind, ModelKind::Image | ModelKind::Video) {
        notes.push(exclusions(reading));
    }
    let is_too_long = reading.source.text.chars().nth(model.max_prompt_chars).is_some();
    notes.push((is_too_long, "length", 40));
    notes.retain(|(holds, ..)| *holds);
    if notes.is_empty() {
        notes.push((true, "suits", 0));
    }
    let lost: u32 = notes.iter().map(|(.., points)| u32::from(*points)).sum();
    let limit = model.max_prompt_chars.to_string();
    ModelFit {
        score: u8::try_from(100_u32.saturating_sub(lost)).unwrap_or(0),
        notes: notes
            .iter()
            .map(|(_, key, _)| texts::fill(texts::get(&texts.fit, key), &model.name, &limit))
            .collect(),
    }
}

const EXCLUSION: Pattern = pattern!(r"(?i)(?:^|[^-\w]){analyze_fit.exclusion}\s+\p{L}");

/// What is said about exclusions in a prompt for a picture or a clip.
fn exclusions(reading: &Reading<'_>) -> Note {
    let model = reading.target.model();
    let excludes = EXCLUSION.is_match(&reading.source.prose);
    let family = family::of(model);
    match family {
        _ if family.flags => {
            (excludes && !reading.source.text.contains("--no "), "exclusions_no", 15)
        }
        _ if family.positive => (excludes, "positive", 25),
        _ if model.negative_prompt => (excludes, "exclusions_field", 15),
        _ => (excludes, "exclusions_none", 20),
    }
}
