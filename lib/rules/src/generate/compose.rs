//! Composing prompts for language models: the user's words, and around them what a recipe knows.

use super::reusable;
use crate::dialect::{self, Part, Piece, bullets, lay_out};
use crate::draft::{Draft, technique};
use crate::goal::Goal;
use crate::knowledge::Recipe;
use crate::messages;
use crate::title;
use crate::wording::Tongue;
use engine::{GenerateBrief, Mode, OutputMode, Section, Technique};
use text::language::{self, Locale, primary};

/// Questions beside a prompt.
const MOST_QUESTIONS: usize = 2;
/// Words of a goal that says nearly nothing.
const FEW_WORDS: usize = 3;
/// Characters of such a goal, and where words stand without spaces.
const FEW_CHARACTERS: usize = 24;
const FEW_SIGNS: usize = 8;

/// Writes the prompt for a goal.
pub fn compose(goal: &Goal, brief: &GenerateBrief, mode: Mode) -> Draft {
    let tag = goal.language.unwrap_or(&brief.language);
    let recipe = goal.recipe(brief.mode, tag);
    let (text, variables) = match brief.output_mode {
        OutputMode::Reusable => reusable::introduce(&goal.text, recipe.is_some()),
        OutputMode::ReadyToUse => (goal.text.clone(), Vec::new()),
    };
    let as_system = mode == Mode::Agent && brief.target_model.model().system_prompt;
    let mut draft = Draft {
        title: title::of(&goal.text),
        mode,
        parameters: brief.target_model.model().parameters.clone(),
        variables,
        questions: questions(goal, recipe, brief),
        ..Draft::default()
    };
    let answer = answer_language(goal, brief);
    match recipe {
        Some(recipe) => with_recipe(&mut draft, recipe, goal, &text, answer.as_deref(), brief, tag),
        None => alone(&mut draft, goal, &text, answer.as_deref(), tag),
    }
    if answer.is_none() && Tongue::of(&goal.text).tag != primary(&brief.language) {
        draft.language = goal.language.map(str::to_owned);
    }
    draft.usage = usage(brief, as_system, &draft);
    draft.system_prompt = as_system.then(|| draft.prompt.clone());
    draft
}

/// The user's words within what experts look for.
fn with_recipe(
    draft: &mut Draft,
    recipe: &Recipe,
    goal: &Goal,
    text: &str,
    answer: Option<&str>,
    brief: &GenerateBrief,
    tag: &str,
) {
    let locale = language::locale(tag);
    let refused = goal.refused();
    let fits = |(fact, line): &&(String, String)| {
        let line = line.to_lowercase();
        !goal.states(fact) && !refused.iter().any(|word| line.contains(word.as_str()))
    };
    let role = recipe.role.as_deref().filter(|_| !goal.gives_role());
    let role = role.map_or_else(String::new, |role| locale.role.replace("{}", role));
    let lines = recipe.lines.iter().filter(fits).map(|(_, line)| line.clone());
    let mut guidelines: Vec<String> = lines.collect();
    if goal.has_pasted() {
        guidelines.push(locale.line("pasted").to_owned());
    }
    guidelines.extend(answer.map(str::to_owned));
    let mut pieces = vec![
        Piece { part: Part::Role, text: role },
        Piece { part: Part::Task, text: task(goal, text, locale) },
        Piece { part: Part::Guidelines, text: bullets(&guidelines) },
    ];
    pieces.retain(|piece| !piece.text.is_empty());
    (draft.prompt, draft.sections) = lay_out(&pieces, brief.target_model, locale);
    draft.techniques = techniques(goal, &pieces, brief);
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
fn alone(draft: &mut Draft, goal: &Goal, text: &str, answer: Option<&str>, tag: &str) {
    let text = match goal.wants_prompt() && language::has_locale(tag) {
        true => format!("{}\n\n{text}", language::locale(tag).line("prompt")),
        false => text.to_owned(),
    };
    draft.prompt = answer.map_or_else(|| text.clone(), |answer| format!("{text}\n\n{answer}"));
    draft.sections = vec![Section { heading: "Prompt".to_owned(), text: draft.prompt.clone() }];
    draft.assumptions.push(NO_RECIPE.to_owned());
}

const NO_RECIPE: &str =
    "No recipe surely fits this goal, so the prompt is the goal in your own words.";

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
        let unspaced = goal.text.contains(text::is_unspaced);
        let most = if unspaced { FEW_SIGNS } else { FEW_CHARACTERS };
        let few =
            goal.text.split_whitespace().count() <= FEW_WORDS && goal.text.chars().count() <= most;
        return OPEN.iter().filter(|_| few).map(|question| (*question).to_owned()).collect();
    };
    let asked =
        |question: &str| brief.conversation.iter().any(|turn| turn.content.contains(question));
    let spoken = messages::speaks(&brief.language);
    let own = primary(&brief.language) == goal.language.unwrap_or("en") || spoken;
    recipe
        .ask
        .iter()
        .filter(|(fact, question)| own && !goal.states(fact) && !asked(question))
        .map(|(_, question)| question.clone())
        .take(MOST_QUESTIONS)
        .collect()
}

const OPEN: [&str; 3] = [
    "What should the result be: a text, a plan, an explanation, code or a picture?",
    "What is it about, and who is it for?",
    "Is there anything that it must or must not contain?",
];

/// The techniques that a prompt uses, and why.
fn techniques(goal: &Goal, pieces: &[Piece], brief: &GenerateBrief) -> Vec<Technique> {
    let has = |part: Part| pieces.iter().any(|piece| piece.part == part);
    let label = &goal.task.label;
    let role = format!(
        "Sets the standard of someone who produces this kind of result ({label}) for a living."
    );
    let criteria = format!(
        "Says what makes a good result of this kind ({label}), so that the model does not fall back on a generic one."
    );
    [
        (has(Part::Role), technique("role", "Role", role)),
        (
            dialect::uses_tags(brief.target_model),
            technique(
                "xml_tags",
                "XML tags",
                "Tags separate the parts in the way that the model's vendor advises.",
            ),
        ),
        (has(Part::Guidelines), technique("quality_criteria", "Expert criteria", criteria)),
    ]
    .into_iter()
    .filter_map(|(used, technique)| used.then_some(technique))
    .collect()
}

/// How to use a prompt.
fn usage(brief: &GenerateBrief, as_system: bool, draft: &Draft) -> Vec<String> {
    let model = match brief.target_model.as_str() {
        "Universal" => "the model of your choice",
        name => name,
    };
    let names: Vec<&str> = draft.variables.iter().map(|(name, ..)| name.as_str()).collect();
    let mut list = Vec::new();
    if !names.is_empty() {
        let names = names.join(", ");
        list.push(format!(
            "Replace the variables ({names}) or render the prompt with their default values."
        ));
    }
    if as_system {
        list.push(format!("Put the text into the system field of {model}; where there is none, send it as the first message."));
        list.push("Try it with one normal, one off-topic and one hostile message before it meets real people.".to_owned());
    } else {
        list.push(format!("Paste the whole prompt as one message into {model}."));
        list.push("Read the result once and ask for changes in the same conversation.".to_owned());
    }
    list
}
