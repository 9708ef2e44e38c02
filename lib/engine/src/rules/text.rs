//! Composing prompts for language models.

use super::agent;
use super::dialect::{Part, Piece, bullets, fence, lay_out};
use super::draft::{Draft, technique};
use super::fill::fill;
use super::form;
pub(super) use super::form::output;
use super::goal::Goal;
use super::knowledge::{facets, mode_guidance};
use super::literals;
use super::reusable::{self, Templates};
use super::slots;
use super::split::stop;
use super::title;
use crate::language::{self, Locale};
use crate::messages;
use crate::{GenerateBrief, Mode, OutputMode};
use patterns::pattern;

/// Most hints that a prompt takes over from audience, tone, tools and subject area.
const MOST_HINTS: usize = 4;

/// Writes the prompt for a goal.
pub fn compose(mut goal: Goal, brief: &GenerateBrief, mode: Mode) -> Draft {
    let title = title::of(&goal);
    let templates = match brief.output_mode {
        OutputMode::Reusable => reusable::introduce(&mut goal),
        OutputMode::ReadyToUse => Templates::default(),
    };
    let locale = language::locale(&brief.language);
    let english = locale.families.is_empty();
    let agent = mode == Mode::Agent && goal.task.id != "roleplay";
    let mut assumptions = Vec::new();
    let mut pieces = vec![
        role(&goal, locale, agent),
        Piece {
            part: Part::Task,
            text: if agent && english && goal.language.is_none() {
                agent::purpose(&goal.objective)
            } else {
                goal.objective.clone()
            },
        },
    ];
    if !goal.context.is_empty() {
        pieces.push(Piece { part: Part::Context, text: bullets(&goal.context) });
    }
    pieces.extend(material(&goal, locale, &templates));
    let requirements = requirements(&goal, brief, locale, &templates, &mut assumptions, mode);
    if !requirements.is_empty() {
        pieces.push(Piece { part: Part::Requirements, text: bullets(&requirements) });
    }
    pieces.push(Piece { part: Part::Guidelines, text: bullets(&guidelines(&goal, locale, mode)) });
    if agent && english {
        pieces.extend(agent::pieces(&goal));
    }
    pieces.push(Piece { part: Part::Output, text: output(&goal, locale) });
    let checks = checks(&goal, locale, requirements.len());
    if !checks.is_empty() && !agent && !goal.is_trivial() {
        pieces.push(Piece {
            part: Part::Check,
            text: format!("{}\n{}", locale.check, bullets(&checks)),
        });
    }
    if mode != goal.task.mode && !suits(mode, &goal) {
        assumptions.push(format!(
            "The goal asks for {}, so the prompt keeps to that although another mode was set.",
            goal.task.deliverable
        ));
    }
    let (prompt, sections) = lay_out(&pieces, brief.target_model, locale, mode);
    let as_system = mode == Mode::Agent && brief.target_model.model().system_prompt;
    Draft {
        title,
        mode,
        system_prompt: as_system.then(|| prompt.clone()),
        parameters: brief.target_model.model().parameters.clone(),
        questions: questions(&goal, brief),
        techniques: techniques(&goal, &pieces, brief, &requirements),
        usage: usage(&goal, brief, as_system, &templates, !assumptions.is_empty()),
        variables: templates.variables,
        prompt,
        sections,
        assumptions,
        ..Draft::default()
    }
}

fn role(goal: &Goal, locale: &Locale, agent: bool) -> Piece {
    let family = local(goal, locale);
    let role = match family {
        _ if goal.role.is_some() => goal.role.clone().unwrap_or_default(),
        Some(family) => family.role.clone(),
        None if agent => agent::identity(goal),
        None => fill(&goal.task.role, goal),
    };
    Piece { part: Part::Role, text: locale.role.replace("{}", &role) }
}

fn material(goal: &Goal, locale: &Locale, templates: &Templates) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if !goal.material.is_empty() {
        let blocks: Vec<String> = goal.material.iter().map(|text| fence(text)).collect();
        pieces.push(Piece {
            part: Part::Material,
            text: format!("{}\n\n{}", locale.material_note, blocks.join("\n\n")),
        });
    } else if let Some(marker) = &templates.material {
        pieces.push(Piece {
            part: Part::Material,
            text: format!("{}\n\n{marker}", locale.material_note),
        });
    }
    if !goal.quoted.is_empty() {
        pieces.push(Piece {
            part: Part::Material,
            text: format!("{}\n\n{}", locale.quoted_note, fence(&goal.quoted.join("\n"))),
        });
    }
    pieces
}

fn requirements(
    goal: &Goal,
    brief: &GenerateBrief,
    locale: &Locale,
    templates: &Templates,
    assumptions: &mut Vec<String>,
    mode: Mode,
) -> Vec<String> {
    let mut list = goal.requirements.clone();
    let english = locale.families.is_empty();
    list.extend(templates.requirements.iter().cloned());
    if english && goal.language.is_none() {
        for (slot, requirement, assumption) in &goal.task.defaults {
            let stated =
                goal.slots.get(slot).is_some() || templates.covers(slot) || goal.has_marker(slot);
            let needless = goal.is_trivial() && slot == "tone";
            let set_by_form =
                matches!(slot.as_str(), "length" | "servings") && names_its_length(goal);
            if !stated && !needless && !set_by_form {
                list.push(labelled(slot, requirement));
                assumptions.push(assumption.clone());
            }
        }
    }
    if goal.task.needs_material
        && goal.material.is_empty()
        && !goal.has_inline_material()
        && templates.material.is_none()
        && goal.quoted.is_empty()
    {
        list.push(locale.supplied.clone());
        assumptions.push("The content to work on was not part of the goal, so the prompt expects it after its own text.".to_owned());
    }
    if mode != Mode::Agent || goal.task.id != "agent" {
        assume_audience(goal, assumptions);
    }
    let translated = goal.language.is_some_and(|tag| tag != language::primary(&brief.language));
    if translated {
        let exact = literals::of(&goal.objective);
        if !exact.is_empty() {
            list.push(locale.exact.replace("{}", &exact.join(", ")));
        }
    }
    let foreign = goal.language.is_some_and(|tag| tag != language::primary(&brief.language));
    if language::primary(&brief.language) != "en" || foreign {
        list.push(language::respond_in(&brief.language));
    }
    if !language::has_locale(&brief.language) {
        assumptions.push(format!(
            "The headings and instructions of the prompt are in English, because there are none in {} yet; the answer is asked for in that language.",
            language::english_name(&brief.language)
        ));
    }
    if let Some(tag) = goal.language
        && foreign
    {
        let goal_language =
            if tag == "und" { "another language".to_owned() } else { language::english_name(tag) };
        assumptions.push(format!(
            "The goal is in {goal_language}; the answer is asked for in {}, the language set for this prompt.",
            language::english_name(&brief.language)
        ));
    }
    list
}

/// Whether the form that the goal names sets the length: a haiku, an introduction.
fn names_its_length(goal: &Goal) -> bool {
    pattern!(r"(?i)\b{text.short_form}\b|^\w+(?: {text.me})? (?:\d+|{text.number}) |\b{text.serves} \d+ {text.guests}\b|\b{text.things} {text.things_for} \d+ \w+").is_match(&goal.objective)
}

/// "Tone: polite and direct."
fn labelled(slot: &str, requirement: &str) -> String {
    if !matches!(slot, "tone" | "length" | "duration" | "servings") {
        return requirement.to_owned();
    }
    let mut characters = requirement.chars();
    let lower: String = characters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect());
    format!("{}: {lower}", super::split::capitalize(slot))
}

fn assume_audience(goal: &Goal, assumptions: &mut Vec<String>) {
    let asks = goal.task.ask.iter().any(|(slot, _)| slot == "audience");
    let published = matches!(goal.task.family.as_str(), "longform" | "marketing" | "creative");
    let names_readers = pattern!(r"(?i)\b{text.to} {text.reader} ").is_match(&goal.objective);
    if asks
        && published
        && !names_readers
        && goal.slots.audience.is_none()
        && goal.language.is_none()
    {
        assumptions.push("No audience was named; the prompt leaves it open.".to_owned());
    }
}

/// The localized texts for the goal's kind of task.
///
/// A speech is a matter of images and voice in every language, not one of greeting and subject line.
pub(super) fn local<'a>(goal: &Goal, locale: &'a Locale) -> Option<&'a language::Family> {
    let id = goal.task.id.as_str();
    let family = if id == "speech" { "creative" } else { goal.task.family.as_str() };
    locale.families.get(id).or_else(|| locale.families.get(family))
}

fn guidelines(goal: &Goal, locale: &Locale, mode: Mode) -> Vec<String> {
    if let Some(family) = local(goal, locale) {
        return family.guidance.clone();
    }
    let mut list: Vec<String> = goal.task.guidance.iter().map(|line| fill(line, goal)).collect();
    if goal.is_trivial() {
        list.truncate(4);
    }
    if mode != goal.task.mode && suits(mode, goal) {
        list.extend(mode_guidance(mode).iter().cloned());
    }
    let text = goal.text.chars().take(3000).collect::<String>().to_lowercase();
    let text = slots::without_refusals(&text);
    let mut hints = Vec::new();
    for (dimension, most) in [("stack", 2), ("audience", 1), ("tone", 1), ("domain", 1)] {
        let fitting = facets(dimension)
            .iter()
            .filter(|facet| facet.families.is_empty() || facet.families.contains(&goal.task.family))
            .filter(|facet| facet.cue.is_match(&text))
            .take(most);
        hints.extend(fitting.flat_map(|facet| facet.hints.iter().cloned()));
    }
    hints.truncate(MOST_HINTS);
    list.extend(hints);
    list.retain(|line| form::fits(line, goal));
    list
}

/// Whether what a mode asks for makes sense for the task: a blog post cannot have tests.
fn suits(mode: Mode, goal: &Goal) -> bool {
    !matches!(mode, Mode::Code | Mode::Automation)
        || matches!(goal.task.family.as_str(), "code" | "data" | "automation" | "general")
}

fn checks(goal: &Goal, locale: &Locale, number: usize) -> Vec<String> {
    if let Some(family) = local(goal, locale) {
        return family.check.clone();
    }
    let fitting = goal.task.checks.iter().filter(|check| form::fits(check, goal));
    let mut list: Vec<String> = fitting.map(|check| stop(&fill(check, goal))).collect();
    if !goal.requirements.is_empty() {
        list.push(if number == 1 {
            "the requirement above is met.".to_owned()
        } else {
            "every requirement above is met.".to_owned()
        });
    }
    list
}

/// Questions about slots that are empty, at most three.
fn questions(goal: &Goal, brief: &GenerateBrief) -> Vec<String> {
    let asked: String = brief
        .conversation
        .iter()
        .map(|turn| turn.content.as_str())
        .collect::<Vec<_>>()
        .join("\n")
        .to_lowercase();
    if goal.objective == super::goal::OPEN_REQUEST {
        return [
            "What should the result be: a text, a plan, an explanation, code or a picture?",
            "What is it about, and who is it for?",
            "Is there anything that it must or must not contain?",
        ]
        .map(str::to_owned)
        .to_vec();
    }
    let wordy = goal.words > 45;
    let ask = messages::questions(&brief.language, &goal.task.id)
        .or_else(|| messages::questions(&brief.language, &goal.task.family))
        .unwrap_or(&goal.task.ask);
    ask.iter()
        .filter(|(slot, question)| {
            let answered = match slot.as_str() {
                "material" => !goal.material.is_empty() || goal.has_inline_material(),
                "audience" | "length" | "tone" | "duration" | "period" | "budget" | "platform"
                | "stack" | "format" | "level" | "deadline" => goal.slots.get(slot).is_some(),
                "tools" => !agent::tools(&goal.text).is_empty(),
                "citation" => pattern!(r"(?i)\b(?:apa|mla|chicago|harvard|ieee|vancouver)\b")
                    .is_match(&goal.text),
                "region" => {
                    pattern!(r"\b{text.in} (?:{text.the} )?[A-Z][a-z]+").is_match(&goal.text)
                }
                "purpose" => wordy || pattern!(r"(?i)\b{text.purpose}\b").is_match(&goal.text),
                _ => wordy,
            };
            let answered = answered || goal.has_marker(slot) || goal.tells(question);
            !answered && !asked.contains(&question.to_lowercase())
        })
        .map(|(_, question)| question.clone())
        .take(if wordy { 2 } else { 3 })
        .collect()
}

fn techniques(
    goal: &Goal,
    pieces: &[Piece],
    brief: &GenerateBrief,
    requirements: &[String],
) -> Vec<crate::Technique> {
    let has = |part: Part| pieces.iter().any(|piece| piece.part == part);
    let label = &goal.task.label;
    let mut list = vec![technique(
        "role",
        "Role",
        format!(
            "Sets the standard of someone who produces this kind of result ({label}) for a living."
        ),
    )];
    if let Some(first) = requirements.first() {
        list.push(technique(
            "explicit_constraints",
            "Explicit constraints",
            format!(
                "Lists {} as points that can be checked, beginning with \"{}\".",
                plural(requirements.len(), "requirement"),
                title::shorten(first)
            ),
        ));
    }
    if has(Part::Context) {
        list.push(technique("context", "Context apart from the task", "Keeps the circumstances that you described apart from what is to be done, so that neither is mistaken for the other."));
    }
    if has(Part::Material) {
        list.push(technique(
            "delimiters",
            "Delimited material",
            "Marks supplied content off, so that sentences in it are not taken for instructions.",
        ));
    } else if brief.target_model.model().family == "claude" {
        list.push(technique(
            "xml_tags",
            "XML tags",
            "Tags separate the parts in the way that the model's vendor advises.",
        ));
    }
    list.push(technique("quality_criteria", "Expert criteria", format!("Says what makes a good result of this kind ({label}), so that the model does not fall back on a generic one.")));
    list.push(technique(
        "output_format",
        "Output format",
        "Fixes the parts of the answer and their order, so that it can be used without rework.",
    ));
    if has(Part::Check) {
        list.push(technique(
            "self_check",
            "Final check",
            format!(
                "Makes the model verify {} before it answers.",
                plural(goal.task.checks.len(), "typical weak point")
            ),
        ));
    }
    if has(Part::Escalation) {
        list.push(technique(
            "boundaries",
            "Boundaries and stop conditions",
            "States what the assistant may use, when it hands over and when it is finished.",
        ));
    }
    list
}

fn plural(number: usize, noun: &str) -> String {
    if number == 1 { format!("one {noun}") } else { format!("{number} {noun}s") }
}

fn usage(
    goal: &Goal,
    brief: &GenerateBrief,
    as_system: bool,
    templates: &Templates,
    assumed: bool,
) -> Vec<String> {
    let model = match brief.target_model.as_str() {
        "Universal" => "the model of your choice",
        name => name,
    };
    let mut list = Vec::new();
    if !templates.variables.is_empty() {
        list.push(format!(
            "Replace the variables ({}) or render the prompt with their default values.",
            templates
                .variables
                .iter()
                .map(|(name, ..)| name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        ));
    }
    if as_system {
        list.push(format!("Put the text into the system field of {model}; where there is none, send it as the first message."));
        list.push("Add the facts that it should know (prices, policies, opening hours) under a heading of their own.".to_owned());
        list.push("Try it with one normal, one off-topic and one hostile message before it meets real people.".to_owned());
    } else {
        list.push(format!("Paste the whole prompt as one message into {model}."));
        if goal.task.needs_material
            && goal.material.is_empty()
            && !goal.has_inline_material()
            && templates.material.is_none()
        {
            list.push(
                "Put the content to work on below the prompt, between lines of three backticks."
                    .to_owned(),
            );
        }
        list.push(follow_up(&goal.task.family).to_owned());
    }
    if assumed && list.len() < 4 {
        list.push(
            "Read the assumptions and change the lines that do not fit before sending.".to_owned(),
        );
    }
    list
}

fn follow_up(family: &str) -> &'static str {
    match family {
        "code" | "automation" => {
            "Run the result; if it fails, send the exact error message back in the same conversation."
        }
        "data" => "Recompute one figure by hand before you rely on the rest.",
        "research" => "Open two of the sources named and check that they say what is claimed.",
        "planning" => {
            "Check dates and sums, then ask for a revision with what cannot work for you."
        }
        "creative" => {
            "Ask for a second version of the passage that you like least instead of a new text."
        }
        "transform" => "Compare names and figures with the source before you use the result.",
        "teaching" => {
            "Answer the closing question yourself; if that is hard, ask for another example."
        }
        "career" => "Replace every gap note with a fact of your own before sending.",
        "marketing" => "Strike every claim that you cannot prove before publishing.",
        _ => "Read the result once aloud and ask for changes in the same conversation.",
    }
}
