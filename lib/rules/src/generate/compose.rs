//! Composing prompts for language models: the user's words, and around them what a recipe knows.

use super::reusable;
use crate::dialect::{self, Piece, bullets, lay_out};
use crate::draft;
use crate::goal::Goal;
use crate::knowledge::Recipe;
use crate::title;
use crate::wording::{Tongue, Voice, said};
use engine::{GenerateBrief, Generation, Mode, OutputMode, Technique, Variable};
use patterns::pattern;
use text::language::{self, Locale, primary};

/// Questions beside a prompt.
const MOST_QUESTIONS: usize = 2;
/// Words and bytes of a goal that says nearly nothing.
const FEW_WORDS: usize = 3;
const FEW_BYTES: usize = 24;

/// Writes the prompt for a goal.
pub fn compose(goal: &Goal, brief: &GenerateBrief, mode: Mode) -> Generation {
    let (tag, voice) = (goal.language.unwrap_or(&brief.language), Voice::of(&brief.language));
    let text = match brief.output_mode {
        OutputMode::Reusable => reusable::introduce(&goal.text),
        OutputMode::ReadyToUse => goal.text.clone(),
    };
    let (recipe, answer) = (goal.recipe(brief.mode, tag), answer_language(goal, brief));
    let mut made = match recipe {
        Some(recipe) => {
            let pieces = pieces(recipe, goal, &text, answer.as_deref(), language::locale(tag));
            let (prompt, sections) = lay_out(&pieces, brief.target_model, language::locale(tag));
            let techniques = techniques(&pieces, brief);
            Generation { sections, techniques, ..draft::of(prompt, mode, brief) }
        }
        None => {
            let mut made = draft::of(alone(goal, text, answer.as_deref(), tag), mode, brief);
            made.assumptions.push(voice.name(NO_RECIPE));
            made
        }
    };
    let elsewhere = Tongue::of(&goal.text).tag != primary(&brief.language);
    if let (None, Some(own), true) = (&answer, goal.language, elsewhere) {
        made.language = own.to_owned();
    }
    let as_system = mode == Mode::Agent && brief.target_model.model().system_prompt;
    Generation {
        title: title::of(&goal.text),
        parameters: brief.target_model.model().parameters.clone(),
        clarifying_questions: questions(goal, recipe, brief),
        usage_guide: usage(brief, as_system, &made.variables),
        system_prompt: as_system.then(|| made.prompt.clone()),
        ..made
    }
}

/// The user's words within what experts look for.
fn pieces(
    recipe: &Recipe,
    goal: &Goal,
    text: &str,
    answer: Option<&str>,
    locale: &Locale,
) -> Vec<Piece> {
    let refused = goal.refused();
    let fits = |(fact, line): &&(String, String)| {
        let line = line.to_lowercase();
        !goal.states(fact) && !refused.iter().any(|word| line.contains(word.as_str()))
    };
    let role = recipe.role.as_deref().filter(|_| !goal.gives_role());
    let role = role.map_or_else(String::new, |role| locale.role.replace("{}", role));
    let lines = recipe.lines.iter().filter(fits).map(|(_, line)| line.clone());
    let mut guidelines: Vec<String> = lines.collect();
    let is_pasted = pattern!(r"```|:[ \t]*\r?\n").is_match(&goal.text);
    if is_pasted && goal.text.contains('\n') {
        guidelines.push(locale.line("pasted").to_owned());
    }
    guidelines.extend(answer.map(str::to_owned));
    let mut pieces = vec![
        Piece { part: dialect::ROLE, text: role },
        Piece { part: dialect::TASK, text: task(goal, text, locale) },
        Piece { part: dialect::GUIDELINES, text: bullets(&guidelines) },
    ];
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// The user's words, with a frame that makes work of them where they only describe who is to do it.
fn task(goal: &Goal, text: &str, locale: &Locale) -> String {
    let lead = match () {
        () if goal.wants_prompt() => locale.line("prompt"),
        () if goal.task.recipe.as_deref() == Some("agent") => locale.line("assistant"),
        () => return text.to_owned(),
    };
    format!("{lead}\n\n{text}")
}

/// The user's words alone: no recipe surely fits.
fn alone(goal: &Goal, text: String, answer: Option<&str>, tag: &str) -> String {
    let framed = goal.wants_prompt() && language::has_locale(tag);
    let lead = framed.then(|| language::locale(tag).line("prompt"));
    lead.into_iter().chain([text.as_str()]).chain(answer).collect::<Vec<_>>().join("\n\n")
}

const NO_RECIPE: &str =
    said("No recipe surely fits this goal, so the prompt is the goal in your own words.");

/// The sentence that sets the language of the answer, where the brief names another one than the goal is in.
///
/// English is what a brief has that names none.
fn answer_language(goal: &Goal, brief: &GenerateBrief) -> Option<String> {
    let wanted = primary(&brief.language);
    let own = goal.language.unwrap_or_else(|| Tongue::of(&goal.text).tag);
    (wanted != "en" && wanted != own && !goal.states("language"))
        .then(|| language::respond_in(&brief.language))
}

/// Questions about facts that are not stated.
fn questions(goal: &Goal, recipe: Option<&Recipe>, brief: &GenerateBrief) -> Vec<String> {
    let Some(recipe) = recipe else {
        let is_bare = goal.text.len() <= FEW_BYTES && goal.text.split(' ').count() <= FEW_WORDS;
        let voice = Voice::of(&brief.language);
        return OPEN.iter().filter(|_| is_bare).map(|question| voice.name(question)).collect();
    };
    let asked =
        |question: &str| brief.conversation.iter().any(|turn| turn.content.contains(question));
    let open = recipe.ask.iter().filter(|(fact, question)| !goal.states(fact) && !asked(question));
    open.map(|(_, question)| question.clone()).take(MOST_QUESTIONS).collect()
}

const OPEN: [&str; 3] = [
    said("What should the result be: a text, a plan, an explanation, code or a picture?"),
    said("What is it about, and who is it for?"),
    said("Is there anything that it must or must not contain?"),
];

/// The techniques of prompts: id, name, and why it helps.
const ROLE: [&str; 3] = [
    "role",
    said("Role"),
    said("Sets the standard of someone who produces this kind of result for a living."),
];
const TAGS: [&str; 3] = [
    "xml_tags",
    said("XML tags"),
    said("Tags separate the parts in the way that the model's vendor advises."),
];
const CRITERIA: [&str; 3] = [
    "quality_criteria",
    said("Expert criteria"),
    said(
        "Says what makes a good result of this kind, so that the model does not fall back on a generic one.",
    ),
];

/// The techniques that a prompt uses, and why.
fn techniques(pieces: &[Piece], brief: &GenerateBrief) -> Vec<Technique> {
    let has = |part: &str| pieces.iter().any(|piece| piece.part == part);
    let voice = Voice::of(&brief.language);
    let all = [
        (has(dialect::ROLE), ROLE),
        (dialect::uses_tags(brief.target_model), TAGS),
        (has(dialect::GUIDELINES), CRITERIA),
    ];
    let used = all.into_iter().filter(|(used, _)| *used);
    used.map(|(_, technique)| voice.technique(technique, &[])).collect()
}

/// How to use a prompt.
fn usage(brief: &GenerateBrief, as_system: bool, variables: &[Variable]) -> Vec<String> {
    let voice = Voice::of(&brief.language);
    let model = match brief.target_model.as_str() {
        "Universal" => voice.name("the model of your choice"),
        name => name.to_owned(),
    };
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    let mut says = Vec::new();
    if !names.is_empty() {
        says.push("Replace the variables first: {2}.");
    }
    says.extend(if as_system { AS_SYSTEM } else { AS_MESSAGE });
    says.iter().map(|text| voice.say(text, &[&model, &names.join(", ")])).collect()
}

const AS_SYSTEM: [&str; 2] = [
    said(
        "Put the text into the system field of {}; where there is none, send it as the first message.",
    ),
    said(
        "Try it with one normal, one off-topic and one hostile message before it meets real people.",
    ),
];
const AS_MESSAGE: [&str; 2] = [
    said("Paste the whole prompt as one message into {}."),
    said("Read the result once and ask for changes in the same conversation."),
];
