//! Continuing: the prompt that there is stays, and what a message asks for is changed or added.

use std::collections::HashSet;

use crate::convert;
use crate::draft::{Draft, technique};
use crate::goal;
use crate::outline::Outline;
use crate::refine;
use crate::title;
use crate::visual::exclude;
use crate::visual::picture::{self, Picture};
use crate::wording::tag_named;
use engine::{
    Beside, EngineError, FeedbackStatus, GenerateBrief, Mode, ModelKind, RefineBrief, Section,
};
use text::language;

/// The prompt to change and what is known about it.
pub struct Base<'a> {
    /// Its text.
    pub prompt: &'a str,
    /// Its title, if it has one.
    pub title: Option<&'a str>,
    /// The goal it was made for, if known.
    pub goal: Option<&'a str>,
}

/// Changes a prompt as the message of a brief asks: [refining](refine) it. What could not be done is among the
/// assumptions.
///
/// # Errors
///
/// As [`refine::refine`].
pub fn apply(base: &Base<'_>, brief: &GenerateBrief) -> Result<Draft, EngineError> {
    let refined = refine::refine(&RefineBrief {
        beside: Beside::default(),
        feedback: brief.message.clone(),
        prompt: base.prompt.replace("\r\n", "\n"),
        language: brief.language.clone(),
        target_model: brief.target_model,
        images: Vec::new(),
    })?;
    let mode = mode(base, brief);
    let picture = if matches!(mode, Mode::Image | Mode::Video) {
        picture::of(&refined.prompt, mode, brief.target_model, false)
    } else {
        let parameters = brief.target_model.model().parameters.clone();
        Picture { prompt: refined.prompt, parameters, ..Picture::default() }
    };
    let (unwanted, negative) = negative(brief, mode, picture.negative);
    // A language that the message names is that of the answers if the prompt names it now.
    let words = brief.message.rsplit(|c: char| !c.is_alphabetic());
    let named = words.filter_map(tag_named).next();
    let language = named
        .filter(|tag| picture.prompt.contains(&language::english_name(tag)))
        .map(str::to_owned);
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
    let kept = technique(
        "minimal_change",
        "Minimal change",
        "Keeps your prompt as it is and changes only what you asked for, so that nothing that worked is lost.",
    );
    Ok(Draft {
        title: base
            .title
            .map_or_else(|| title::of(base.goal.unwrap_or(base.prompt)), title::shorten),
        mode,
        prompt: picture.prompt,
        parameters: picture.parameters,
        negative_prompt: negative,
        sections,
        assumptions: left.map(|item| format!("\"{}\": {}", item.text, item.reason)).collect(),
        techniques: vec![kept],
        usage: usage(brief),
        language,
        ..Draft::default()
    })
}

/// What a message excludes, and the field for it, if the model has one.
fn negative(
    brief: &GenerateBrief,
    mode: Mode,
    usual: Option<String>,
) -> (Vec<String>, Option<String>) {
    let takes =
        matches!(mode, Mode::Image | Mode::Video) && brief.target_model.model().negative_prompt;
    let unwanted = if takes { exclude::named(&brief.message) } else { Vec::new() };
    let usual = usual.unwrap_or_default();
    let mut named: Vec<&str> = unwanted.iter().map(String::as_str).collect();
    named.extend(usual.split(", ").filter(|item| !item.is_empty()));
    let mut known = HashSet::new();
    named.retain(|item| known.insert(*item));
    let negative = (!named.is_empty()).then(|| named.join(", "));
    (unwanted, negative)
}

/// The kind of the prompt that is continued.
fn mode(base: &Base<'_>, brief: &GenerateBrief) -> Mode {
    match (brief.mode, brief.target_model.model().kind) {
        (Mode::Auto, ModelKind::Image) => Mode::Image,
        (Mode::Auto, ModelKind::Video) => Mode::Video,
        (Mode::Auto, _) => convert::visual_kind(base.prompt)
            .unwrap_or_else(|| goal::read(base.goal.unwrap_or(base.prompt), Mode::Auto).task.mode),
        (asked, _) => asked,
    }
}

fn usage(brief: &GenerateBrief) -> Vec<String> {
    let target = match brief.target_model.as_str() {
        "Universal" => "your model",
        name => name,
    };
    vec![
        "Compare the new prompt with the old one on the same input.".to_owned(),
        format!("Paste it as a whole into {target}."),
    ]
}
