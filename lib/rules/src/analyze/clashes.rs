//! Orders that no answer can follow together.

use std::collections::HashSet;

use super::mask::Kind;
use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use engine::ConstraintKind;
use patterns::{Pattern, pattern, table};

/// Wishes by name. One whose name ends in `_against` excludes the one that is named like its beginning.
const WISHES: &[(&str, Pattern)] = table!("analyze_clash", r"(?i)\b(?:{})\b");
/// The same in languages that put no spaces between words.
const SCRIPTED: &[(&str, Pattern)] = table!("analyze_clash_scripted", r"(?:{})");

/// Two places of which the later excludes the earlier.
pub fn clash(reading: &Reading<'_>, one: Span, other: Span) -> Spot {
    Spot::naming(one.max(other), reading.source.slice(one.min(other)).trim())
}

/// Wishes of which each excludes the other: "be brief" and "in depth", "only JSON" and "explain".
pub fn conflicting_orders(reading: &Reading<'_>) -> Vec<Spot> {
    let opposites = conflicts(reading, WISHES).chain(conflicts(reading, SCRIPTED));
    opposites.chain(two_languages(reading)).collect()
}

/// The pairs of a table that a prompt has.
pub fn conflicts<'r>(
    reading: &'r Reading<'_>,
    table: &'static [(&str, Pattern)],
) -> impl Iterator<Item = Spot> + 'r {
    table.iter().filter_map(move |(name, against)| {
        let own = name.strip_suffix("_against")?;
        let (_, wish) = table.iter().find(|(other, _)| *other == own)?;
        pair(reading, own, *wish, *against)
    })
}

/// Places of a wish that are looked at.
const LOOKED_AT: usize = 12;

/// Wishes that two parts of one sentence may have: "present tense for the object, past tense for its use".
const TONES: [&str; 7] =
    ["neutral", "tense", "person", "formal", "address", "upper", "one_language"];

/// The first two places of a pair. What the first sentence asks for is the task itself, and so never stands beside the
/// only output; what is to be invented is always what is missing.
fn pair(reading: &Reading<'_>, name: &str, wish: Pattern, against: Pattern) -> Option<Spot> {
    let (beside, always) = (name == "only_output", name == "invent");
    let places = |pattern: Pattern| -> Vec<Span> {
        let wanted =
            |span: &Span| !reading.is_negated(*span) && (always || !reading.is_conditional(*span));
        reading.all(pattern).filter(wanted).take(LOOKED_AT).collect()
    };
    let ones = places(wish);
    if ones.is_empty() {
        return None;
    }
    let others = places(against);
    ones.iter().find_map(|one| {
        let fits = |other: &&Span| {
            let (number, sentence) = reading.sentence_at(other.start);
            let within =
                pattern!(r"(?i)\b(?:{analyze.in_field})\b|(?:{analyze.in_field_scripted})");
            let task = beside
                && (number == 0
                    || !begins(reading, **other)
                    || within.is_match(reading.source.prose_of(sentence)));
            let apart = reading.sentence_at(one.start).0 != reading.sentence_at(other.start).0;
            !task
                && (apart || !TONES.contains(&name))
                && !one.meets(**other)
                && !is_choice(reading, *one, **other)
                && !are_parts(reading, *one, **other)
        };
        others.iter().find(fits).map(|other| clash(reading, *one, *other))
    })
}

/// Whether two places of a sentence are left to choose from: "brief or detailed".
fn is_choice(reading: &Reading<'_>, one: Span, other: Span) -> bool {
    let (from, to) = (one.end.min(other.end), one.start.max(other.start));
    let same = reading.sentence_at(one.start).0 == reading.sentence_at(other.start).0;
    // "Brief or detailed", and "concise but thorough", which is one wish.
    same && from < to
        && pattern!(r"(?i)\b{analyze.choice}\b|^,? (?:{analyze.but}|{analyze.and}) $")
            .is_match(&reading.source.prose[from..to])
}

/// Whether two places stand under labels or headings of their own: "Summary: brief", "Analysis: in depth".
fn are_parts(reading: &Reading<'_>, one: Span, other: Span) -> bool {
    let label = |span: Span| {
        let before = &reading.source.prose[..span.start];
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        let found = pattern!(r"^\s*(?:[-*•]|\d{1,2}[.)])?\s*\**(?P<l>\p{L}[\p{L} ]{1,30}):")
            .captures(line)?;
        Some(found["l"].to_lowercase())
    };
    matches!((label(one), label(other)), (Some(one), Some(other)) if one != other)
}

/// Bytes before a quotation in which it is asked for.
const NEAR: usize = 80;

/// A word that must occur and must not.
pub fn conflicting_words(reading: &Reading<'_>) -> Vec<Spot> {
    // The words themselves stand in quotation marks, which are no prose.
    if reading.source.mask.of(Kind::Quote).next().is_none() {
        return Vec::new();
    }
    let of = |kind: ConstraintKind| {
        reading.constraints.iter().filter(move |constraint| constraint.kind == kind)
    };
    let wanted: HashSet<String> = of(ConstraintKind::IncludeWords)
        .flat_map(|included| &included.values)
        .map(|word| word.to_lowercase())
        .collect();
    // Start with "Our innovative product".
    let asked = pattern!(r"(?i)\b(?:{analyze.ask}) (?:\p{L}+ ){0,3}[\x22“„«]?$");
    let shown: Vec<String> = (reading.source.mask.of(Kind::Quote))
        .filter(|span| {
            asked.is_match(text::tail(&reading.source.prose[..span.start], NEAR))
                && !reading.is_negated(*span)
        })
        .map(|span| reading.source.slice(span).to_lowercase())
        .filter(|text| text.contains(' '))
        .collect();
    of(ConstraintKind::ExcludeWords)
        .filter_map(|excluded| {
            let is_asked = |word: &&String| {
                let word = word.to_lowercase();
                wanted.contains(&word) || shown.iter().any(|text| text.contains(&word))
            };
            let word = excluded.values.iter().find(is_asked)?;
            Some(Spot::naming(Span::new(excluded.start, excluded.end), word.clone()))
        })
        .collect()
}

/// Whether a place begins a sentence or a clause, as an order does.
fn begins(reading: &Reading<'_>, place: Span) -> bool {
    let (_, sentence) = reading.sentence_at(place.start);
    let before = &reading.source.prose[sentence.start.min(place.start)..place.start];
    pattern!(r"(?i)(?:^|[,;:–、，-]|\b{analyze.clause})\s*$").is_match(text::tail(before, 24))
}

/// "You are Aria", and further on "You are Max".
pub fn two_personas(reading: &Reading<'_>) -> Vec<Spot> {
    two_names(reading, pattern!(r"\b{analyze.you_are} [\x22“„«]?(?P<name>\p{Lu}\p{L}{2,})\b"))
}

/// "Respond in English", and further on "all answers are in French".
fn two_languages(reading: &Reading<'_>) -> Vec<Spot> {
    two_names(
        reading,
        pattern!(
            r"(?i)\b(?:{analyze.answer_in}) (?P<name>{analyze.languages})\b|(?:{analyze.answer_in_scripted})(?P<scripted>{analyze.languages_scripted})|(?P<before>{analyze.languages_scripted})(?:{analyze.answer_in_behind})"
        ),
    )
}

/// The first place of a name, and the first sentence that has another one.
fn two_names(reading: &Reading<'_>, named: Pattern) -> Vec<Spot> {
    let name = |found: &patterns::Captures<'_>| {
        let groups = ["name", "scripted", "before"];
        let name = groups.iter().find_map(|group| found.name(group))?.as_str().to_lowercase();
        Some((name, Span::from(found.get_match().range())))
    };
    let plain = |place: Span| !reading.is_negated(place) && !reading.is_conditional(place);
    let found: Vec<(String, Span)> = named
        .captures_iter(&reading.source.prose)
        .filter_map(|found| name(&found))
        .filter(|(_, place)| plain(*place))
        .collect();
    let Some(((first, one), later)) = found.split_first() else { return Vec::new() };
    let sentence = |span: &Span| reading.sentence_at(span.start).0;
    let other =
        later.iter().find(|(name, place)| name != first && sentence(place) != sentence(one));
    let other = other.filter(|(_, other)| !are_parts(reading, *one, *other));
    other.map(|(_, span)| clash(reading, *one, *span)).into_iter().collect()
}
