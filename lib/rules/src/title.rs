//! Naming a prompt after its goal.

use super::frame::Lead;
use super::goal::Goal;
use super::split::{capitalize, sentences, squeeze};

/// Longest title in characters.
pub const LONGEST: usize = 80;
/// A longer one ends with its first clause, in characters.
const LONG: usize = 60;
/// A shorter clause says too little, in bytes.
const SHORTEST_CLAUSE: usize = 20;
/// Words of a request that may say too little without the beginning of what it works on.
const FEW_WORDS: usize = 5;
/// Words of material that a title quotes.
const QUOTED_WORDS: usize = 6;

/// A short title in the words of the goal.
pub fn of(goal: &Goal) -> String {
    let text = if goal.objective.is_empty() { &goal.text } else { &goal.objective };
    let line = text.lines().find(|line| line.contains(char::is_alphanumeric)).unwrap_or_default();
    let first = sentences(line).into_iter().next().unwrap_or_default();
    let first = first.trim_matches(['#', ' ', '.', '!', '*', '"', '¿', '¡', ':']);
    let title = match &goal.lead {
        Lead::Clause { name, .. } if !name.is_empty() => format!("{name} {first}"),
        _ => capitalize(first),
    };
    match goal.material.first() {
        Some(material) if title.split_whitespace().count() <= FEW_WORDS => {
            let words = material.split_whitespace().filter(|word| !word.starts_with("```"));
            let words = words.take(QUOTED_WORDS).collect::<Vec<_>>().join(" ");
            shorten(&format!("{title}: {}…", words.trim_matches(['"', '.', ',', '`'])))
        }
        _ => shorten(clause(&title)),
    }
}

/// The first clause of a long title, else all of it.
fn clause(title: &str) -> &str {
    let ends = title.match_indices([',', ';']).map(|(at, _)| at);
    let end =
        ends.into_iter().find(|at| *at >= SHORTEST_CLAUSE && title[at + 1..].starts_with(' '));
    match end {
        Some(end) if title.chars().count() > LONG => &title[..end],
        _ => title,
    }
}

/// Cuts at a word boundary and squeezes whitespace.
pub fn shorten(text: &str) -> String {
    let text = balanced(&squeeze(text));
    let text = text.trim_end_matches(['.', ',', ';', ':', '!']);
    if text.is_empty() {
        return "Untitled prompt".to_owned();
    }
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST - 1).collect();
    let cut = match cut.rfind(' ') {
        Some(space) if space > 20 => &cut[..space],
        _ => &cut,
    };
    format!("{}…", balanced(cut).trim_end_matches([',', ';', ':', ' ', '-', '–']))
}

/// Without quotation marks that have lost their partner.
fn balanced(text: &str) -> String {
    let odd = !text.matches('"').count().is_multiple_of(2);
    let curly = text.matches(['“', '„']).count() + text.matches('”').count();
    text.chars()
        .filter(|c| !(odd && *c == '"' || !curly.is_multiple_of(2) && matches!(c, '“' | '„' | '”')))
        .collect()
}
