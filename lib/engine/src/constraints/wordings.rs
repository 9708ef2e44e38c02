//! Constraints by their wordings, which are rows of `knowledge/any/constraints.words`: words that occur or must not, case,
//! format, choice, beginning and end, language, audience and tone.

use std::ops::Range;

use patterns::{Captures, Table, pattern, table};

use super::{
    found::Found,
    options::options,
    owner::{is_of_a_part, is_of_the_answer},
    statement::Statement,
    text::Text,
};
use crate::ConstraintKind as Kind;

/// The wordings of each kind, in the order in which they are looked for.
const WORDINGS: [(Kind, &Table); 12] = [
    (Kind::ExcludeWords, table!("constraint_exclude", "(?i){}")),
    (Kind::IncludeWords, table!("constraint_include", "(?i){}")),
    (Kind::Lowercase, table!("constraint_lowercase", "(?i){}")),
    (Kind::Uppercase, table!("constraint_uppercase", "(?i){}")),
    (Kind::Format, table!("constraint_formats", "(?i){}")),
    (Kind::Choice, table!("constraint_choice", "(?i){}")),
    (Kind::EndsWith, table!("constraint_ends", "(?i){}")),
    (Kind::StartsWith, table!("constraint_starts", "(?i){}")),
    (Kind::Language, table!("constraint_language", "(?i){}")),
    (Kind::Language, table!("constraint_languages", "(?i){}")),
    (Kind::Audience, table!("constraint_audience", "(?i){}")),
    (Kind::Tone, table!("constraint_tone", "(?i){}")),
];

/// What keeps a match from being a statement of its kind: before it, behind it, within it, or as its value.
const BEFORE: &Table = table!("constraint_unless_before", "(?i)(?:{})$");
const BEHIND: &Table = table!("constraint_unless_behind", "(?i)^(?:{})");
const WITHIN: &Table = table!("constraint_unless_within", "(?i){}");
const VALUE: &Table = table!("constraint_unless_value", "(?i)^(?:{})$");

/// Whether the rows of a kind match a text.
fn says(rows: &Table, kind: Kind, text: &str) -> bool {
    rows.iter().any(|(name, rule)| *name == kind.as_str() && rule.is_match(text))
}

pub fn find(text: &Text<'_>, found: &mut Found) {
    for (kind, rows) in WORDINGS {
        for (name, rule) in rows.iter() {
            for captures in text.matches(*rule) {
                let range = captures.get_match().range();
                if !is_other(text, kind, range.clone(), &captures, found) {
                    let values = values(text, kind, name, &captures);
                    found.push(Statement::naming(kind, range, values));
                }
            }
        }
    }
}

/// Whether a match is no statement of a kind, or one that was found.
fn is_other(
    text: &Text<'_>,
    kind: Kind,
    range: Range<usize>,
    captures: &Captures<'_>,
    found: &Found,
) -> bool {
    let (before, behind) = (text.before(range.start), text.after(range.end));
    let stated = text.at(range.clone());
    let is_affirmed = !matches!(kind, Kind::ExcludeWords | Kind::Lowercase | Kind::Uppercase);
    found.overlaps(kind, &range)
        || says(BEFORE, kind, before)
        || says(BEHIND, kind, behind)
        || says(WITHIN, kind, stated)
        || is_affirmed && text.is_negated(range.start)
        || value(captures).is_some_and(|value| says(VALUE, kind, value))
        || match kind {
            // "No headings above level 3" forbids some.
            Kind::ExcludeWords => {
                let whole = pattern!(
                    r"(?i)^\s*(?:$|[,:)]|(?:{constraint_words.and_or}|{constraint_words.or_else}|{constraint_words.no})\b)"
                );
                captures.name("x").is_some() && !whole.is_match(behind)
            }
            Kind::IncludeWords => found.overlaps(Kind::ExcludeWords, &range),
            Kind::Lowercase | Kind::Uppercase => !is_of_the_answer(before, behind),
            Kind::StartsWith | Kind::EndsWith => is_of_a_part(before),
            Kind::Language => is_of_something(captures),
            // Whom a letter goes to is a matter of content.
            Kind::Audience => {
                pattern!(r"(?i)^{constraint_manner.to_people}\b").is_match(stated)
                    && pattern!(r"(?i)\b{constraint_manner.addressed}\s*$").is_match(before)
            }
            _ => false,
        }
}

/// "In German class", "the French technique", "a guide to Thai food".
fn is_of_something(captures: &Captures<'_>) -> bool {
    let behind = captures.name("after").map_or("", |behind| behind.as_str());
    !behind.trim().is_empty()
        && !behind.contains('\n')
        && !pattern!(r"(?i)^\s*{constraint_manner.behind_language}$").is_match(behind)
}

/// What a match names as the value.
fn value<'t>(captures: &'t Captures<'_>) -> Option<&'t str> {
    ["v", "w", "x"].iter().find_map(|name| captures.name(name)).map(|value| value.as_str())
}

/// The values of a statement, which `name` is the wording of.
fn values(text: &Text<'_>, kind: Kind, name: &str, captures: &Captures<'_>) -> Vec<String> {
    let first = value(captures).unwrap_or(name).trim();
    match kind {
        Kind::Lowercase | Kind::Uppercase => Vec::new(),
        Kind::Choice => {
            let range = captures.get_match().range();
            options(text.at(range.clone()), &text.original[range.end..])
        }
        Kind::ExcludeWords | Kind::IncludeWords => match captures.name("v") {
            Some(first) => enumeration(&text.blanked, first.start()),
            None => vec![first.to_owned()],
        },
        Kind::Language => {
            let mut letters = first.chars();
            let capital = letters.next().into_iter().flat_map(char::to_uppercase);
            vec![capital.chain(letters.as_str().to_lowercase().chars()).collect()]
        }
        Kind::Tone => vec![first.to_lowercase()],
        Kind::StartsWith | Kind::EndsWith => vec![unquoted(first)],
        _ => vec![first.to_owned()],
    }
}

/// The words of a list that begins at `start`: "X", "Y" and "Z".
fn enumeration(text: &str, start: usize) -> Vec<String> {
    let item = pattern!(r"^{constraint_words.word}");
    let joint = pattern!(
        r"(?i)^\s*(?:,\s*(?:{constraint_words.and_or}|{constraint_words.or_short})?\s*|;\s*|/\s*|\s(?:{constraint_words.and_or}|{constraint_words.or_else}|{constraint_words.or_short})\s+)"
    );
    let is_quoted = |text: &str| text.starts_with(['"', '“', '\'', '‘', '`']);
    let mut values = Vec::new();
    let mut rest = &text[start..];
    while let Some(word) = item.find(rest) {
        // A list of quoted words ends where something else begins.
        if values.len() > 39 || is_quoted(&text[start..]) && !is_quoted(rest) {
            break;
        }
        values.push(bare(word.as_str()));
        rest = &rest[word.end()..];
        let Some(found) = joint.find(rest) else { break };
        rest = &rest[found.end()..];
    }
    values
}

/// A word without its quotation marks and what punctuates the sentence around it.
fn bare(word: &str) -> String {
    unquoted(word).trim_end_matches([',', '.']).to_owned()
}

/// A phrase without its quotation marks; its own punctuation is part of it.
pub fn unquoted(phrase: &str) -> String {
    phrase.trim_matches(['"', '“', '”', '„', '«', '»', '\'', '‘', '’', '`', ' ']).to_owned()
}
