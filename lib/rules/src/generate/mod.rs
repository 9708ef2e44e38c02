//! Writing a prompt for a goal, or the next version of one.

mod compose;
mod continuing;
mod reusable;

use std::collections::HashSet;

use engine::{
    EngineError, EngineIdentity, GenerateBrief, Generation, Mode, ModelKind, Role, Variable, tokens,
};
use text::variables;

use crate::attached::Attached;
use crate::draft::Draft;
use crate::goal::{self, Goal};
use crate::split;
use crate::{messages, visual};

/// Writes a prompt for the goal in `brief`, or continues the prompt that the brief has.
///
/// # Errors
///
/// [`EngineError::Rejected`]: the message has no visible text, or the goal cannot be worked with.
pub fn generate(brief: &GenerateBrief) -> Result<Generation, EngineError> {
    let attached = Attached::read(&brief.images)?;
    let mut made = finish(draft(brief, &attached)?, brief);
    made.assumptions.extend(crate::notes(&attached, &brief.language));
    Ok(made)
}

/// The prompt and its parts, before they become a result.
///
/// # Errors
///
/// As [`generate`].
pub fn draft(brief: &GenerateBrief, attached: &Attached) -> Result<Draft, EngineError> {
    let stray = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if brief.message.contains(stray) {
        let message = brief.message.chars().filter(|c| !stray(*c)).collect();
        return draft(&GenerateBrief { message, ..brief.clone() }, attached);
    }
    if !text::is_visible(&brief.message) {
        return Err(EngineError::Rejected { reason: "the message has no visible text".to_owned() });
    }
    if let Some(prompt) = brief.current_prompt.as_deref().filter(|prompt| text::is_visible(prompt))
    {
        let previous = brief.previous.as_ref();
        let base = continuing::Base {
            prompt,
            title: previous.map(|version| version.title.as_str()),
            goal: previous.map(|version| version.message.as_str()),
        };
        return continuing::apply(&base, brief);
    }
    if let Some(version) = &brief.previous {
        let base = continuing::Base {
            prompt: &version.prompt,
            title: Some(&version.title),
            goal: Some(&version.message),
        };
        return continuing::apply(&base, brief);
    }
    Ok(composed(&goal::read(&whole(brief), brief.mode), brief, attached))
}

/// What the user said, in order: earlier turns, each answer behind its question, then the message.
fn whole(brief: &GenerateBrief) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut question = None;
    for turn in &brief.conversation {
        if turn.role == Role::Assistant {
            question = split::sentences(&turn.content).pop().filter(|last| last.ends_with('?'));
        } else {
            let asked = question.take().filter(|_| !said.is_empty());
            said.push(behind(asked, &turn.content));
        }
    }
    let asked = question.filter(|_| !said.is_empty());
    said.push(behind(asked, &brief.message));
    // Repetition says nothing new.
    let mut seen = HashSet::new();
    said.retain(|text| seen.insert(text.clone()));
    said.join("\n\n")
}

fn behind(question: Option<String>, text: &str) -> String {
    let text = text.trim();
    question.map_or_else(|| text.to_owned(), |question| format!("{question} {text}"))
}

fn composed(goal: &Goal, brief: &GenerateBrief, attached: &Attached) -> Draft {
    let (mode, note) = resolve(goal, brief);
    let mut draft = match mode {
        Mode::Image | Mode::Video => {
            let frame = attached.frame(mode == Mode::Video, &brief.language);
            visual::compose(&goal.text, mode, brief.target_model, frame)
        }
        _ => compose::compose(goal, brief, mode),
    };
    draft.assumptions.splice(0..0, note);
    draft
}

/// The mode to use, and a note if it is not the one asked for.
fn resolve(goal: &Goal, brief: &GenerateBrief) -> (Mode, Option<String>) {
    let model = brief.target_model.model();
    let forced = match model.kind {
        ModelKind::Image => Some(Mode::Image),
        ModelKind::Video => Some(Mode::Video),
        ModelKind::Text | ModelKind::Universal => None,
    };
    match (brief.mode, forced) {
        (asked, Some(forced)) if asked == Mode::Auto || asked == forced => (forced, None),
        (asked, Some(forced)) => {
            let (asked, forced_name) = (mode_name(asked), mode_name(forced));
            let note = format!(
                "{} takes only {forced_name} prompts, so the mode {asked} was replaced by {forced_name}.",
                model.name
            );
            (forced, Some(note))
        }
        (Mode::Auto, None) if visual::asks::for_image(&goal.text) => (Mode::Image, None),
        (Mode::Auto, None) if visual::asks::for_video(&goal.text) => (Mode::Video, None),
        (Mode::Auto, None) if goal.task.recipe.is_none() && visual::asks::for_edit(&goal.text) => {
            (Mode::Image, None)
        }
        (Mode::Auto, None) => (goal.task.mode, None),
        (asked @ (Mode::Image | Mode::Video), None) if model.kind == ModelKind::Text => {
            let note = format!(
                "{} answers in text, so the prompt describes the {} for a generator or a tool of the model.",
                model.name,
                mode_name(asked)
            );
            (asked, Some(note))
        }
        (asked, None) => (asked, None),
    }
}

fn mode_name(mode: Mode) -> String {
    format!("{mode:?}").to_lowercase()
}

/// Adds what every result has.
fn finish(mut draft: Draft, brief: &GenerateBrief) -> Generation {
    let most = brief.target_model.model().max_prompt_chars;
    if draft.prompt.chars().count() > most {
        draft.assumptions.push(format!(
            "The prompt is longer than the {most} characters that {} takes: shorten the description.",
            brief.target_model
        ));
    }
    let found = variables::find(&draft.prompt);
    let variables = found
        .iter()
        .map(|variable| {
            let known = draft.variables.iter().find(|(name, ..)| name == variable.name);
            Variable {
                name: variable.name.to_owned(),
                description: known.map(|(_, description, _)| description.clone()),
                default_value: known.and_then(|(.., value)| value.clone()),
                occurrences: variable.occurrences,
            }
        })
        .collect();
    let mut result = Generation {
        token_estimate: tokens::estimate(&draft.prompt, brief.target_model),
        language: draft.language.unwrap_or_else(|| brief.language.clone()),
        output_mode: brief.output_mode,
        title: draft.title,
        mode: draft.mode,
        prompt: draft.prompt,
        system_prompt: draft.system_prompt,
        negative_prompt: draft.negative_prompt,
        parameters: draft.parameters,
        sections: draft.sections,
        variables,
        assumptions: draft.assumptions,
        clarifying_questions: draft.questions,
        techniques: draft.techniques,
        usage_guide: draft.usage,
        engine: EngineIdentity::rules(),
    };
    messages::localize(&mut result, &brief.language);
    result
}
