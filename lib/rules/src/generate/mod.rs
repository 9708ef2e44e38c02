//! Writing a prompt for a goal, or the next version of one.

mod compose;
mod continuing;
mod reusable;

use std::collections::HashSet;

use engine::{EngineError, GenerateBrief, Generation, Mode, Role};
use text::imperative;

use crate::goal::{self, Goal};
use crate::split;
use crate::visual;

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
    let mut made = match current.or(previous) {
        Some(prompt) => continuing::apply(prompt, brief)?,
        None => composed(&goal::read(&whole(brief), brief.mode), brief),
    };
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

fn composed(goal: &Goal, brief: &GenerateBrief) -> Generation {
    match mode(brief, || told(goal)) {
        mode @ (Mode::Image | Mode::Video) => visual::compose(&goal.text, mode, brief),
        mode => compose::compose(goal, brief, mode),
    }
}

/// The mode to use: the one that the model or the caller asks for, else the one that is told.
fn mode(brief: &GenerateBrief, told: impl FnOnce() -> Mode) -> Mode {
    match (visual::family::mode_of(brief.target_model.model()), brief.mode) {
        (Some(only), _) => only,
        (None, Mode::Auto) => told(),
        (None, asked) => asked,
    }
}

/// The mode of a goal.
fn told(goal: &Goal) -> Mode {
    let request = imperative::unwrapped(&goal.text);
    match goal.task.recipe {
        _ if visual::asks::for_image(request) => Mode::Image,
        _ if visual::asks::for_video(request) => Mode::Video,
        None if visual::asks::for_edit(request) => Mode::Image,
        _ => goal.task.mode,
    }
}
