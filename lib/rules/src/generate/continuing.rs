//! Continuing: the prompt that there is stays, and what a message asks for is changed or added.

use crate::convert;
use crate::draft::Draft;
use crate::goal;
use crate::outline::Outline;
use crate::refine;
use crate::title;
use crate::visual::exclude;
use crate::visual::picture::{self, Picture};
use crate::wording::{Voice, said};
use engine::{
    Beside, EngineError, FeedbackStatus, GenerateBrief, Mode, ModelKind, RefineBrief, Section,
};

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
pub fn apply(prompt: &str, brief: &GenerateBrief) -> Result<Draft, EngineError> {
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
    let mode = mode(prompt, goal, brief);
    let picture = if matches!(mode, Mode::Image | Mode::Video) {
        picture::of(&refined.prompt, mode, brief.target_model, false)
    } else {
        let parameters = brief.target_model.model().parameters.clone();
        Picture { prompt: refined.prompt, parameters, ..Picture::default() }
    };
    let takes =
        matches!(mode, Mode::Image | Mode::Video) && brief.target_model.model().negative_prompt;
    let unwanted = if takes { exclude::named(&brief.message) } else { Vec::new() };
    let outline = Outline::of(&picture.prompt);
    let sections = if outline.has_headings() {
        outline.sections()
    } else {
        vec![Section { heading: "Prompt".to_owned(), text: picture.prompt.clone() }]
    };
    let left = refined.feedback_items.iter().filter(|item| {
        // What stands in the negative prompt is kept away.
        let excluded = unwanted.iter().any(|what| item.text.ends_with(what.as_str()));
        item.status != FeedbackStatus::Applied && !excluded
    });
    let voice = Voice::of(&brief.language);
    Ok(Draft {
        title: previous.map_or_else(|| title::of(goal), |version| title::shorten(&version.title)),
        mode,
        parameters: picture.parameters,
        negative_prompt: negative(&unwanted, &picture.negative.unwrap_or_default()),
        sections,
        assumptions: left.map(|item| format!("\"{}\": {}", item.text, item.reason)).collect(),
        techniques: vec![voice.technique(MINIMAL, &[])],
        usage: vec![voice.say("Compare the new prompt with the old one on the same input.", &[])],
        prompt: picture.prompt,
        ..Draft::default()
    })
}

/// The field for what is excluded: what the message names, and what is usual.
fn negative(unwanted: &[String], usual: &str) -> Option<String> {
    let mut named: Vec<&str> = unwanted.iter().map(String::as_str).collect();
    let others = usual.split(", ").filter(|item| !item.is_empty() && !named.contains(item));
    named.extend(others.collect::<Vec<_>>());
    (!named.is_empty()).then(|| named.join(", "))
}

/// The kind of the prompt that is continued.
fn mode(prompt: &str, goal: &str, brief: &GenerateBrief) -> Mode {
    match (brief.mode, brief.target_model.model().kind) {
        (Mode::Auto, ModelKind::Image) => Mode::Image,
        (Mode::Auto, ModelKind::Video) => Mode::Video,
        (Mode::Auto, _) => {
            convert::visual_kind(prompt).unwrap_or_else(|| goal::read(goal, Mode::Auto).task.mode)
        }
        (asked, _) => asked,
    }
}
