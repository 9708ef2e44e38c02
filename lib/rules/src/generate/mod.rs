//! Writing a prompt for a goal, or the next version of one.

mod compose;
mod continuing;
mod reusable;

use std::collections::HashSet;

use engine::{
    EngineError, EngineIdentity, GenerateBrief, Generation, Mode, ModelKind, Role, tokens,
};

use text::imperative;

use crate::analyze::variables_of;
use crate::draft::Draft;
use crate::goal::{self, Goal};
use crate::split;
use crate::visual;
use crate::wording::Voice;

/// Writes a prompt for the goal in `brief`, or continues the prompt that the brief has.
///
/// # Errors
///
/// [`EngineError::Rejected`]: the message has no visible text, or the goal cannot be worked with.
pub fn generate(brief: &GenerateBrief) -> Result<Generation, EngineError> {
    if !text::is_visible(&brief.message) {
        return Err(EngineError::Rejected { reason: "the message has no visible text".to_owned() });
    }
    let current = brief.current_prompt.as_deref().filter(|prompt| text::is_visible(prompt));
    let previous = brief.previous.as_ref().map(|version| version.prompt.as_str());
    let draft = match current.or(previous) {
        Some(prompt) => continuing::apply(prompt, brief)?,
        None => composed(&goal::read(&whole(brief), brief.mode), brief),
    };
    let mut made = finish(draft, brief);
    made.assumptions.extend(crate::notes(&brief.images, &brief.language));
    Ok(made)
}

/// What the user said, in order: earlier turns, each answer behind its question, then the message.
fn whole(brief: &GenerateBrief) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut question = None;
    let turns = brief.conversation.iter().map(|turn| (turn.role, turn.content.as_str()));
    for (role, text) in turns.chain([(Role::User, brief.message.as_str())]) {
        if role == Role::Assistant {
            question = split::sentences(text).pop().filter(|last| last.ends_with('?'));
            continue;
        }
        let asked = question.take().filter(|_| !said.is_empty());
        said.push(format!("{} {}", asked.unwrap_or_default(), text.trim()).trim_start().to_owned());
    }
    // Repetition says nothing new.
    let mut seen = HashSet::new();
    said.retain(|text| seen.insert(text.clone()));
    said.join("\n\n")
}

fn composed(goal: &Goal, brief: &GenerateBrief) -> Draft {
    match mode(goal, brief) {
        mode @ (Mode::Image | Mode::Video) => {
            visual::compose(&goal.text, mode, brief.target_model, Voice::of(&brief.language))
        }
        mode => compose::compose(goal, brief, mode),
    }
}

/// The mode to use: the one that the model or the caller asks for, else that of the goal.
fn mode(goal: &Goal, brief: &GenerateBrief) -> Mode {
    let request = imperative::unwrapped(&goal.text);
    match (brief.target_model.model().kind, brief.mode) {
        (ModelKind::Image, _) => Mode::Image,
        (ModelKind::Video, _) => Mode::Video,
        (_, Mode::Auto) if visual::asks::for_image(request) => Mode::Image,
        (_, Mode::Auto) if visual::asks::for_video(request) => Mode::Video,
        (_, Mode::Auto) if goal.task.recipe.is_none() && visual::asks::for_edit(request) => {
            Mode::Image
        }
        (_, Mode::Auto) => goal.task.mode,
        (_, asked) => asked,
    }
}

/// Adds what every result has.
fn finish(mut draft: Draft, brief: &GenerateBrief) -> Generation {
    let most = brief.target_model.model().max_prompt_chars;
    if draft.prompt.chars().count() > most {
        draft.assumptions.push(Voice::of(&brief.language).say(
            "The prompt is longer than the {} characters that {2} takes: shorten the description.",
            &[&most.to_string(), brief.target_model.as_str()],
        ));
    }
    Generation {
        token_estimate: tokens::estimate(&draft.prompt, brief.target_model),
        variables: variables_of(&draft.prompt),
        language: draft.language.unwrap_or_else(|| brief.language.clone()),
        output_mode: brief.output_mode,
        title: draft.title,
        mode: draft.mode,
        prompt: draft.prompt,
        system_prompt: draft.system_prompt,
        negative_prompt: draft.negative_prompt,
        parameters: draft.parameters,
        sections: draft.sections,
        assumptions: draft.assumptions,
        clarifying_questions: draft.questions,
        techniques: draft.techniques,
        usage_guide: draft.usage,
        engine: EngineIdentity::rules(),
    }
}
