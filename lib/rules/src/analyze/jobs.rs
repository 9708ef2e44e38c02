//! The pieces of work that a prompt orders, and whether they belong together.

use std::collections::HashSet;

use super::lexicon::{self, is_work};
use super::reading::{Medium, Reading};
use super::rule::Spot;
use super::source::Sentence;
use crate::knowledge;
use crate::task;
use engine::{Mode, Severity};
use patterns::pattern;

/// Requests that are looked at.
const LOOKED_AT: usize = 40;
/// Unrelated pieces of work from which on a prompt should be several.
const UNRELATED: usize = 4;
/// Letters of a word that names something.
const NAMING: usize = 4;

/// Orders of different kinds that share no subject and do not refer to each other.
pub fn unrelated_tasks(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text || !reading.has_known_words() {
        return Vec::new();
    }
    let orders: Vec<&Sentence> = reading
        .requests
        .iter()
        .map(|number| &source.sentences[*number])
        .filter(|sentence| !sentence.heading && starts_with_work(reading, sentence))
        .take(LOOKED_AT)
        .collect();
    if orders.len() < UNRELATED {
        return Vec::new();
    }
    let subjects: Vec<HashSet<&str>> =
        orders.iter().map(|sentence| subject(reading, sentence)).collect();
    let mut kinds: Vec<&str> = Vec::new();
    let mut unrelated = Vec::new();
    for (at, sentence) in orders.iter().enumerate() {
        let text = source.prose_of(sentence.span);
        let alone = subjects
            .iter()
            .enumerate()
            .all(|(other, words)| other == at || words.is_disjoint(&subjects[at]));
        if subjects[at].is_empty() || !alone || refers_back(text) && at > 0 {
            continue;
        }
        // Rules for one result ("Use short sentences") are no work of their own.
        let kind = kind(reading, text);
        if kind != knowledge::task("general").id {
            unrelated.push(sentence.span);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    if unrelated.len() < UNRELATED || kinds.len() < UNRELATED {
        return Vec::new();
    }
    let spot = Spot::naming(unrelated[1], unrelated.len().to_string());
    if unrelated.len() == UNRELATED { vec![spot.at(Severity::Medium)] } else { vec![spot] }
}

/// The kind of work that a sentence orders; outside English its verb stands for it.
fn kind<'t>(reading: &Reading<'_>, text: &'t str) -> &'t str {
    if reading.is_english() {
        return task::recognise(text, "", Mode::Auto, false).id.as_str();
    }
    text.split_whitespace().next().unwrap_or_default()
}

fn starts_with_work(reading: &Reading<'_>, sentence: &Sentence) -> bool {
    let language = reading.source.language;
    let words = reading.source.words_of(sentence);
    words.len() >= 3
        && words
            .iter()
            .take(3)
            .any(|word| is_work(language, &word.lower) && lexicon::is_order(language, &word.lower))
}

/// The words of a sentence that name things.
fn subject<'r>(reading: &'r Reading<'_>, sentence: &Sentence) -> HashSet<&'r str> {
    let language = reading.source.language;
    reading
        .source
        .words_of(sentence)
        .iter()
        .map(|word| word.lower.as_str())
        .filter(|word| {
            word.chars().count() >= NAMING
                && !lexicon::is_generic(language, word)
                && !lexicon::is_order(language, word)
        })
        .collect()
}

/// Whether a sentence speaks of what another one brought up.
fn refers_back(text: &str) -> bool {
    pattern!(r"(?i)(?-u:\b){analyze_jobs.refers_back}(?-u:\b)").is_match(text)
}
