//! What a layout may add of its own: a role, the shape of the answer, a check.

use super::place::gives_role;
use crate::dialect::{Part, Piece, bullets};
use crate::facts::Facts;
use crate::form;
use crate::goal::{self, Goal};
use crate::wording::Tongue;
use engine::Mode;
use patterns::pattern;

/// So many requirements are worth checking at the end.
const MANY_REQUIREMENTS: usize = 3;
/// Only this much of a prompt is read to tell what kind of task it states, in characters.
const READ_FOR_TASK: usize = 3000;

/// The goal that a prompt states, as far as its beginning tells.
pub fn goal_of(prompt: &str) -> Goal {
    let beginning: String = prompt.chars().take(READ_FOR_TASK).collect();
    goal::read(&beginning, Mode::Auto)
}

/// Adds the parts that this kind of task is better with and that the prompt lacks.
pub fn scaffold(prompt: &str, facts: &Facts, pieces: &mut Vec<Piece>, tongue: Tongue) -> Vec<Part> {
    let Some(locale) = tongue.full_locale() else { return Vec::new() };
    let goal = goal_of(prompt);
    let mut added = Vec::new();
    let has = |pieces: &[Piece], part: Part| pieces.iter().any(|piece| piece.part == part);
    let local = locale.families.get(&goal.task.family);
    let known = goal.task.id != "general" && (local.is_some() || tongue.tag == "en");
    let cast = pieces.iter().any(|piece| piece.text.lines().any(gives_role));
    if known && !has(pieces, Part::Role) && !cast {
        let role = local.map_or_else(|| goal.task.role.clone(), |local| local.role.clone());
        pieces.insert(0, Piece { part: Part::Role, text: locale.role.replace("{}", &role) });
        added.push(Part::Role);
    }
    // What is translated or corrected has the shape of its source.
    let shaped = facts.names("format")
        || facts.names("length")
        || matches!(goal.task.id.as_str(), "translation" | "edit");
    if known && !has(pieces, Part::Output) && !shaped && !shapes_its_answer(prompt, &goal) {
        pieces.push(Piece { part: Part::Output, text: form::output(&goal, locale) });
        added.push(Part::Output);
    }
    let requirements: usize = pieces
        .iter()
        .filter(|piece| piece.part == Part::Requirements)
        .map(|piece| piece.text.lines().filter(|line| text::list::is_item(line)).count())
        .sum();
    if requirements >= MANY_REQUIREMENTS
        && let Some(every) = tongue.line("every", "")
    {
        let text = format!("{}\n{}", locale.check, bullets(&[every]));
        pieces.push(Piece { part: Part::Check, text });
        added.push(Part::Check);
    }
    added
}

/// Whether a prompt says how long its answer is or in what form.
fn shapes_its_answer(prompt: &str, goal: &Goal) -> bool {
    goal.slots.length.is_some()
        || goal.slots.format.is_some()
        || pattern!(r"(?i)\b(?:json|csv|xml|yaml|html|markdown|{optimize_layout.shape}|{optimize_layout.in} \d+ \p{L}+)\b")
            .is_match(prompt)
}
