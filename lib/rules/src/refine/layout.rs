//! Laying a prompt out as a model reads best.

use super::work::Outcome;
use crate::optimize;
use crate::wording::Voice;
use engine::{FeedbackStatus, PromptBrief, RefineBrief, TargetModel, VersionLabel};

/// Lays the prompt out as a model reads best, unless its own is of the same family.
pub fn lay_out(
    brief: &RefineBrief,
    prompt: &str,
    target: TargetModel,
    voice: &Voice,
) -> (Outcome, Option<String>) {
    let alike = target.model().family == brief.target_model.model().family;
    let target_model = if alike { brief.target_model } else { target };
    let request = PromptBrief {
        prompt: prompt.to_owned(),
        context: String::new(),
        language: brief.language.clone(),
        target_model,
        variations: 1,
        images: Vec::new(),
    };
    let laid = optimize::optimize(&request)
        .ok()
        .and_then(|result| result.versions.into_iter().next())
        .filter(|version| version.label == VersionLabel::Restructured && version.prompt != prompt)
        .map(|version| version.prompt);
    let (status, reason) = match laid {
        Some(_) => (FeedbackStatus::Applied, "The prompt is laid out for {} now."),
        None => {
            (FeedbackStatus::NotApplied, "Nothing in the prompt has to be laid out anew for {}.")
        }
    };
    ((status, voice.say(reason, &[target_model.as_str()])), laid)
}
