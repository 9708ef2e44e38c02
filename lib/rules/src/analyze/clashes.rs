//! Orders that no answer can follow together.

use super::reading::Reading;
use super::rule::Spot;
use engine::prompt::Span;
use patterns::{Pattern, Table, pattern, table};

/// Wishes by name. One whose name ends in `_against` excludes the one that is named like its beginning.
const WISHES: &Table = table!("analyze_clash", r"(?i)\b(?:{})\b");
/// The same in languages that put no spaces between words.
const SCRIPTED: &Table = table!("analyze_clash_scripted", r"(?:{})");

/// Places of a wish that are looked at.
const MOST_PLACES: usize = 12;

/// Wishes of which each excludes the other: "be brief" and "in depth", "only JSON" and "explain".
pub fn conflicting_orders(reading: &Reading<'_>) -> Vec<Spot> {
    let opposites = conflicts(reading, WISHES).chain(conflicts(reading, SCRIPTED));
    opposites.chain(two_languages(reading)).collect()
}

/// The pairs of a table that a prompt has.
pub fn conflicts<'r>(
    reading: &'r Reading<'_>,
    table: &'static Table,
) -> impl Iterator<Item = Spot> + 'r {
    table.iter().filter_map(move |(name, against)| {
        let own = name.strip_suffix("_against")?;
        let (_, wish) = table.iter().find(|(other, _)| *other == own)?;
        pair(reading, own, *wish, *against)
    })
}

/// Wishes that two parts of one sentence may have: "present tense for the object, past tense for its use".
const TONES: [&str; 7] =
    ["neutral", "tense", "person", "formal", "address", "upper", "one_language"];

/// The first two places of a pair. What the first sentence asks for is the task itself, and so never stands beside the
/// only output; what is to be invented or looked up is always what is missing.
fn pair(reading: &Reading<'_>, name: &str, wish: Pattern, against: Pattern) -> Option<Spot> {
    let (beside, always) = (name == "only_output", ["invent", "offline"].contains(&name));
    let places = |pattern: Pattern| -> Vec<Span> {
        let wanted =
            |span: &Span| !reading.is_negated(*span) && (always || !reading.is_conditional(*span));
        reading.all(pattern).filter(wanted).take(MOST_PLACES).collect()
    };
    let ones = places(wish);
    ones.first()?;
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
            // "Brief or detailed", and "concise but thorough", which is one wish.
            let (from, to) = (one.end.min(other.end), one.start.max(other.start));
            let choice =
                pattern!(r"(?i)\b{analyze.choice}\b|^,? (?:{analyze.but}|{analyze.and}) $");
            let joins = |between: &str| TONES.contains(&name) || choice.is_match(between);
            let apart = !reading.together(*one, **other);
            let parts = || label(reading, *one).zip(label(reading, **other));
            !task
                && (apart || reading.source.prose.get(from..to).is_some_and(|it| !joins(it)))
                && parts().is_none_or(|(one, other)| one == other)
        };
        others.iter().find(fits).map(|other| Spot::clash(reading, *one, *other))
    })
}

/// The label that begins the line of a place: "Comment for the pupil: informal".
fn label(reading: &Reading<'_>, place: Span) -> Option<String> {
    let line = reading.source.prose[..place.start].rsplit('\n').next()?;
    let label = pattern!(r"^\W*(?P<l>\p{L}[\p{L} ]{1,30}):").captures(line)?;
    Some(label["l"].to_lowercase())
}

/// Whether a place begins a sentence or a clause, as an order does.
fn begins(reading: &Reading<'_>, place: Span) -> bool {
    pattern!(r"(?i)(?:^|[,;:–、，-]|\b{analyze.clause})\s*$")
        .is_match(text::tail(reading.before(place), 24))
}

/// "Respond in English", and further on "all answers are in French": the first sentence that names another language.
fn two_languages(reading: &Reading<'_>) -> Option<Spot> {
    let named = pattern!(
        r"(?i)\b(?:{analyze.answer_in}) (?P<name>{analyze.languages})\b|(?:{analyze.answer_in_scripted})(?P<scripted>{analyze.languages_scripted})|(?P<before>{analyze.languages_scripted})(?:{analyze.answer_in_behind})"
    );
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
    let ((first, one), later) = found.split_first()?;
    let other = later.iter().find(|(name, place)| name != first && !reading.together(*one, *place));
    other.map(|(_, span)| Spot::clash(reading, *one, *span))
}
