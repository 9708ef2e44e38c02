//! The shape of the answer: what the user said about it, else what is usual for the task.

use super::expertise::Expertise;
use super::goal::Goal;
use engine::{ConstraintKind, constraints};
use patterns::{pattern, words};
use text::language::Locale;

/// What lists are called.
const BULLETS: &[(&str, &str)] = words!("form.bullet");

/// The sentence on the shape of the answer.
pub fn output(goal: &Goal, locale: &Locale) -> String {
    if let Some(line) = goal.slots.format.as_deref().and_then(|format| strict(format, locale)) {
        return line;
    }
    let usual = Expertise::of(goal, locale).output;
    if says_its_form(&goal.text) || !fits(usual, &excluded(goal)) {
        return locale.as_asked.clone();
    }
    usual.to_owned()
}

/// The sentence that asks for a format.
pub fn format_line(format: &str, locale: &Locale) -> String {
    strict(format, locale).unwrap_or_else(|| locale.line("presented", format))
}

/// The sentence that asks for a format which programs read.
fn strict(format: &str, locale: &Locale) -> Option<String> {
    let found = pattern!(r"(?i)\b(?:json|csv|ya?ml|xml)\b").find(format)?;
    Some(locale.line("strict", &found.as_str().to_uppercase()))
}

/// Whether a goal says how many results it wants, or in which form.
fn says_its_form(text: &str) -> bool {
    is_short(text)
        || pattern!(r"(?i)^\W*\p{L}+(?: {form.me})*(?: {form.exactly})? (?:\d{1,3}|{form.number}|\{\{\w+\}\}) (?:[\p{L}'’-]+,? ){0,3}?\p{L}*{form.thing}\b|\b{form.single}\b|\b{form.table} (?:{form.columns}\b|\p{L}+(?: \p{L}+)?,)")
        .is_match(text)
}

/// What the result must not have: what the goal excludes, and lists where it asks for sentences.
pub fn excluded(goal: &Goal) -> Vec<String> {
    let stated = constraints::extract(&goal.text)
        .into_iter()
        .filter(|found| found.kind == ConstraintKind::ExcludeWords)
        .flat_map(|found| found.values);
    let refused = goal.requirements.iter().filter_map(|rule| {
        let found = pattern!(r"(?i)^{slots.refusal} (?:{form.mention} )?(?P<v>[\p{L}-]{4,})")
            .captures(rule)?;
        Some(found["v"].to_owned())
    });
    let list = is_short(&goal.text).then(|| BULLETS.iter().map(|(_, word)| (*word).to_owned()));
    stated
        .chain(refused)
        .chain(list.into_iter().flatten())
        .map(|word| word.to_lowercase().trim_end_matches('s').to_owned())
        .filter(|word| word.chars().count() >= 4)
        .collect()
}

/// Whether the whole is to have a few sentences, paragraphs or lines.
fn is_short(text: &str) -> bool {
    pattern!(
        r"(?i)\b{form.in} (?:{form.exactly} )?(?:\d{1,2}|{form.number}) (?:\p{L}+ )?{form.unit}\b"
    )
    .is_match(text)
}

/// Whether a line of guidance asks for nothing that is excluded.
pub fn fits(line: &str, excluded: &[String]) -> bool {
    let line = super::slots::without_refusals(&line.to_lowercase());
    !excluded.iter().any(|word| line.contains(word.as_str()))
}
