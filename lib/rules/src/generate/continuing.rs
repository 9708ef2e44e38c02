//! Continuing: the prompt that there is stays, and what a message asks for is changed or added.

use crate::convert;
use crate::draft;
use crate::goal;
use crate::outline::Outline;
use crate::refine;
use crate::title;
use crate::visual::picture::{self, Picture};
use crate::wording::{Voice, said};
use engine::{Beside, EngineError, FeedbackStatus, GenerateBrief, Generation, Mode, RefineBrief};

/// The technique: its id, its name, and why it helps.
const MINIMAL: [&str; 3] = [
    "minimal_change",
    said("Minimal change"),
    said(
        "Keeps your prompt as it is and changes only what you asked for, so that nothing that worked is lost.",
    ),
];

/// Changes a prompt as the message of a brief asks: [refining](refine) it. What could not be done is among the
/// assumptions.
///
/// # Errors
///
/// As [`refine::refine`].
pub fn apply(prompt: &str, brief: &GenerateBrief) -> Result<Generation, EngineError> {
    let refined = refine::refine(&RefineBrief {
        beside: Beside::default(),
        feedback: brief.message.clone(),
        prompt: prompt.replace("\r\n", "\n"),
        language: brief.language.clone(),
        target_model: brief.target_model,
        images: Vec::new(),
    })?;
    let previous = brief.previous.as_ref();
    let goal = previous.map_or(prompt, |version| version.message.as_str());
    let read = || goal::read(goal, Mode::Auto).task.mode;
    let mode = super::mode(brief, || convert::visual_kind(prompt).unwrap_or_else(read));
    let picture = if matches!(mode, Mode::Image | Mode::Video) {
        picture::of(&refined.prompt, mode, brief.target_model, false)
    } else {
        let parameters = brief.target_model.model().parameters.clone();
        Picture::with(&refined.prompt, parameters)
    };
    let left = refined.feedback_items.iter().filter(|item| item.status != FeedbackStatus::Applied);
    let voice = Voice::of(&brief.language);
    let mut made = draft::of(picture.prompt, mode, brief);
    let outline = Outline::of(&made.prompt);
    if outline.has_headings() {
        made.sections = outline.sections();
    }
    let left = left.map(|item| format!("\"{}\": {}", item.text, item.reason));
    made.assumptions.extend(left);
    Ok(Generation {
        title: previous.map_or_else(|| title::of(goal), |version| version.title.clone()),
        parameters: picture.beside.parameters,
        negative_prompt: picture.beside.negative_prompt,
        techniques: vec![voice.technique(MINIMAL, &[])],
        usage_guide: vec![
            voice.say("Compare the new prompt with the old one on the same input.", &[]),
        ],
        ..made
    })
}
