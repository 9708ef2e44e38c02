//! How well a prompt suits its target model, by what the model's vendor documents.

use super::reading::Reading;
use crate::wording::Voice;
use engine::{Finding, ModelFit};

/// Scores a prompt by what its target model makes and takes.
pub fn of(reading: &Reading<'_>, findings: &[Finding], voice: &Voice) -> ModelFit {
    let model = reading.target.model();
    let found = |rule: &str| findings.iter().any(|finding| finding.rule_id == rule);
    let (score, key) = if found("wrong_medium") {
        (30, "fit.medium")
    } else if found("prompt_too_long") {
        (60, "fit.length")
    } else {
        (100, "fit.suits")
    };
    let limit = model.max_prompt_chars.to_string();
    ModelFit { score, notes: vec![voice.say(key, &[&model.name, &limit])] }
}
