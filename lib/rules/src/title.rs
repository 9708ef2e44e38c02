//! Naming a prompt after its goal.

use super::dialect::TASK;
use super::outline::Outline;
use super::split::{capitalize, sentences, squeeze};

/// Longest title in characters.
const LONGEST: usize = 80;
/// A longer one ends with its first clause, in characters.
const LONG: usize = 60;
/// A shorter sentence says too little, in bytes.
const SHORTEST: usize = 20;

/// A short title in the words of a goal, or of the task of a prompt with headings: the first sentence that says
/// something.
pub fn of(text: &str) -> String {
    let task = Outline::of(text).text(TASK);
    let text = task.as_deref().unwrap_or(text);
    let line = text.lines().find(|line| line.contains(char::is_alphanumeric)).unwrap_or_default();
    let first = sentences(line).into_iter().find(|sentence| sentence.len() >= SHORTEST);
    let first = first.as_deref().unwrap_or(line);
    let title = capitalize(first.trim_matches(['#', ' ', '.', '!', '*', '"', '¿', '¡', ':']));
    shorten(clause(&title))
}

/// The first clause of a long title, else all of it.
fn clause(title: &str) -> &str {
    let ends = title.match_indices([',', ';']).map(|(at, _)| at);
    let end = ends.into_iter().find(|at| *at >= SHORTEST && title[at + 1..].starts_with(' '));
    end.filter(|_| title.chars().count() > LONG).map_or(title, |end| &title[..end])
}

/// Cuts at a word boundary and squeezes whitespace.
fn shorten(text: &str) -> String {
    let text = squeeze(text);
    let text = text.trim_end_matches(['.', ',', ';', ':', '!']);
    if text.is_empty() {
        return "Untitled prompt".to_owned();
    }
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST - 1).collect();
    let space = cut.rfind(' ').filter(|space| *space > SHORTEST);
    let cut = &cut[..space.unwrap_or(cut.len())];
    format!("{}…", cut.trim_end_matches([',', ';', ':', '.', ' ', '-', '–']))
}
