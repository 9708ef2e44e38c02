//! Composing prompts for language models.

use super::companions;
use super::details;
use super::reusable::{self, Templates};
use crate::agent;
use crate::dialect::{Part, Piece, bullets, fence, lay_out};
use crate::draft::Draft;
use crate::expertise::Expertise;
use crate::form;
use crate::form::output;
use crate::frame::Lead;
use crate::goal::Goal;
use crate::knowledge::{facets, mode_guidance};
use crate::slots;
use crate::title;
use engine::{GenerateBrief, Mode, OutputMode};
use patterns::pattern;
use text::language::{self, Locale};

/// Most hints that a prompt takes over from audience, tone, tools and subject area.
const MOST_HINTS: usize = 4;
/// Lines of guidance for a goal that is too small for more.
const FEW_LINES: usize = 4;
/// Characters of a goal that are searched for hints.
const SEARCHED: usize = 3_000;

/// Writes the prompt for a goal.
pub fn compose(mut goal: Goal, brief: &GenerateBrief, mode: Mode) -> Draft {
    let title = title::of(&goal);
    let locale = language::locale(&brief.language);
    let templates = match brief.output_mode {
        OutputMode::Reusable => reusable::introduce(&mut goal, locale),
        OutputMode::ReadyToUse => Templates::default(),
    };
    let is_agent = mode == Mode::Agent && goal.task.id != "roleplay";
    let expertise = Expertise::of(&goal, locale);
    let role = match &goal.role {
        Some(role) => language::locale(goal.language.unwrap_or("en")).role.replace("{}", role),
        None => locale.role.replace("{}", expertise.role),
    };
    let mut assumptions = Vec::new();
    let requirements = requirements(&goal, brief, locale, &templates, &mut assumptions);
    let mut pieces = vec![
        Piece { part: Part::Role, text: role },
        Piece { part: Part::Task, text: task(&goal, locale, is_agent) },
        Piece { part: Part::Context, text: bullets(&goal.context) },
        Piece { part: Part::Requirements, text: bullets(&requirements) },
    ];
    pieces.extend(material(&goal, locale, &templates));
    let excluded = form::excluded(&goal);
    let fits = |line: &String| form::fits(line, &excluded);
    let guidance: Vec<_> = guidelines(&goal, &expertise, mode).into_iter().filter(fits).collect();
    let checks: Vec<_> = expertise.checks.iter().filter(|line| fits(line)).cloned().collect();
    pieces.push(Piece { part: Part::Guidelines, text: bullets(&guidance) });
    if is_agent {
        pieces.extend(agent::pieces(&goal.text, locale));
    }
    pieces.push(Piece { part: Part::Output, text: output(&goal, locale) });
    if !is_agent && !goal.is_trivial() && !checks.is_empty() {
        let text = format!("{}\n{}", locale.check, bullets(&checks));
        pieces.push(Piece { part: Part::Check, text });
    }
    pieces.retain(|piece| !piece.text.is_empty());
    if mode != goal.task.mode && !suits(mode, &goal) {
        assumptions.push(format!(
            "The goal asks for {}, so the prompt keeps to that although another mode was set.",
            goal.task.deliverable
        ));
    }
    if assumes_audience(&goal) && !is_agent {
        assumptions.push("No audience was named; the prompt leaves it open.".to_owned());
    }
    let (prompt, sections) = lay_out(&pieces, brief.target_model, locale, mode);
    let as_system = mode == Mode::Agent && brief.target_model.model().system_prompt;
    Draft {
        title,
        mode,
        system_prompt: as_system.then(|| prompt.clone()),
        parameters: brief.target_model.model().parameters.clone(),
        questions: companions::questions(&goal, brief),
        techniques: companions::techniques(&goal, &pieces, brief, &requirements),
        usage: companions::usage(&goal, brief, as_system, &templates, !assumptions.is_empty()),
        variables: templates.variables,
        prompt,
        sections,
        assumptions,
        ..Draft::default()
    }
}

/// What is to be done: the user's words, behind what makes a task of them.
fn task(goal: &Goal, locale: &Locale, is_agent: bool) -> String {
    if let Some(page) = goal.page() {
        return locale.line("page", page);
    }
    let text = goal.objective.as_str();
    if text.is_empty() {
        let name = match (goal.quoted.is_empty(), goal.material.is_empty()) {
            (true, true) => "open",
            (true, false) => "material",
            (false, _) => "quoted",
        };
        return locale.line(name, "");
    }
    match &goal.lead {
        Lead::Clause { order, .. } => format!("{order} {text}"),
        Lead::Question => locale.line("question", text),
        Lead::Wish => locale.line("wish", text),
        Lead::Situation => locale.line("situation", text),
        Lead::Plain if is_agent && goal.task.family == "agent" => locale.line("assistant", text),
        Lead::Plain => text.to_owned(),
    }
}

fn material(goal: &Goal, locale: &Locale, templates: &Templates) -> Vec<Piece> {
    let blocks: Vec<String> = goal.material.iter().map(|text| fence(text)).collect();
    let supplied = if blocks.is_empty() {
        templates.material.clone().unwrap_or_default()
    } else {
        blocks.join("\n\n")
    };
    let quoted = goal.quoted.join("\n");
    [(&locale.material_note, supplied), (&locale.quoted_note, quoted)]
        .into_iter()
        .enumerate()
        .filter(|(_, (_, text))| !text.is_empty())
        .map(|(index, (note, text))| {
            let text = if index == 1 { fence(&text) } else { text };
            Piece { part: Part::Material, text: format!("{note}\n\n{text}") }
        })
        .collect()
}

fn requirements(
    goal: &Goal,
    brief: &GenerateBrief,
    locale: &Locale,
    templates: &Templates,
    assumptions: &mut Vec<String>,
) -> Vec<String> {
    let mut list = goal.requirements.clone();
    list.extend(templates.requirements.iter().cloned());
    if locale.is_english() && goal.language.is_none() && !goal.is_open() {
        for (slot, requirement, assumption) in &goal.task.defaults {
            let is_stated =
                goal.slots.get(slot).is_some() || templates.covers(slot) || goal.has_marker(slot);
            let is_needless = goal.is_trivial() && slot == "tone";
            let has_own_length = matches!(slot.as_str(), "length" | "servings")
                && pattern!(r"(?i)\b{text.short_form}\b|^\w+(?: {text.me})? (?:\d+|{text.number}) |\b{text.serves} \d+ {text.guests}\b|\b{text.things} {text.things_for} \d+ \w+")
                    .is_match(&goal.objective);
            if !is_stated && !is_needless && !has_own_length {
                list.push(labelled(slot, requirement, locale));
                assumptions.push(assumption.clone());
            }
        }
    }
    if goal.lacks_material() && templates.material.is_none() && goal.quoted.is_empty() {
        list.push(locale.supplied.clone());
        assumptions.push("The content to work on was not part of the goal, so the prompt expects it after its own text.".to_owned());
    }
    let foreign = goal.language.filter(|tag| *tag != language::primary(&brief.language));
    let answer = language::english_name(&brief.language);
    if foreign.is_some() {
        let rules = goal.requirements.join("\n");
        let exact = details::of(&format!("{}\n{rules}", goal.objective));
        list.extend((!exact.is_empty()).then(|| locale.exact.replace("{}", &exact.join(", "))));
    }
    if foreign.is_some() || language::primary(&brief.language) != "en" {
        list.push(language::respond_in(&brief.language));
    }
    if !language::has_locale(&brief.language) {
        assumptions.push(format!(
            "The headings and instructions of the prompt are in English, because there are none in {answer} yet; the answer is asked for in that language."
        ));
    }
    if let Some(tag) = foreign {
        let own =
            if tag == "und" { "another language".to_owned() } else { language::english_name(tag) };
        assumptions.push(format!("The goal is in {own}; the answer is asked for in {answer}, the language set for this prompt."));
    }
    list
}

/// "Tone: polite and direct."
fn labelled(slot: &str, requirement: &str, locale: &Locale) -> String {
    if !matches!(slot, "tone" | "length" | "duration" | "servings") {
        return requirement.to_owned();
    }
    let mut letters = requirement.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    locale.line(slot, &first.chain(letters).collect::<String>())
}

fn assumes_audience(goal: &Goal) -> bool {
    goal.task.ask.iter().any(|(slot, _)| slot == "audience")
        && matches!(goal.task.family.as_str(), "longform" | "marketing" | "creative")
        && goal.slots.audience.is_none()
        && goal.language.is_none()
}

fn guidelines(goal: &Goal, expertise: &Expertise<'_>, mode: Mode) -> Vec<String> {
    let mut list = expertise.guidance.to_vec();
    if expertise.is_own {
        if goal.is_trivial() {
            list.truncate(FEW_LINES);
        }
        if mode != goal.task.mode && suits(mode, goal) {
            list.extend(mode_guidance(mode).iter().cloned());
        }
        list.extend(hints(goal));
    }
    list
}

/// What follows for the work from its tools, readers, tone and subject area.
fn hints(goal: &Goal) -> Vec<String> {
    let text = goal.text.chars().take(SEARCHED).collect::<String>().to_lowercase();
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
    hints
}

/// Whether what a mode asks for makes sense for the task: a blog post cannot have tests.
fn suits(mode: Mode, goal: &Goal) -> bool {
    !matches!(mode, Mode::Code | Mode::Automation)
        || matches!(goal.task.family.as_str(), "code" | "data" | "automation" | "general")
}
