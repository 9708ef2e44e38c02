//! Orders that no answer can follow together.

use super::reading::Reading;
use super::rule::{LOOKED_AT, Spot};
use super::span::Span;
use patterns::{Pattern, pattern, table};

/// Wishes by name. One whose name ends in `_against` excludes the one that is named like its beginning.
const WISHES: &[(&str, Pattern)] = table!("analyze_clash", r"(?i)\b(?:{})\b");
/// The same in languages that put no spaces between words.
const SCRIPTED: &[(&str, Pattern)] = table!("analyze_clash_scripted", r"(?:{})");

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
        reading.all(pattern).filter(wanted).take(MOST_PLACES).collect()
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
            let apart = !reading.together(*one, **other);
            !task
                && (apart || !TONES.contains(&name))
                && !one.meets(**other)
                && !is_choice(reading, *one, **other)
                && !are_parts(reading, *one, **other)
        };
        others.iter().find(fits).map(|other| Spot::clash(reading, *one, *other))
    })
}

/// Whether two places of a sentence are left to choose from: "brief or detailed".
fn is_choice(reading: &Reading<'_>, one: Span, other: Span) -> bool {
    let (from, to) = (one.end.min(other.end), one.start.max(other.start));
    let same = reading.together(one, other);
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
    let apart = |place: Span| !reading.together(*one, place) && !are_parts(reading, *one, place);
    let other = later.iter().find(|(name, place)| name != first && apart(*place));
    other.map(|(_, span)| Spot::clash(reading, *one, *span))
}

/// What forbids a thing, and the thing, without anything behind it that limits it: not "no links that …".
const DENIED: Pattern = pattern!(
    r"(?i)\b{analyze.deny}(?: |(?-u:\b))(?:{analyze.any} )?(?P<thing>[\p{L}-]{3,}(?: [\p{L}-]{3,})?)[)\x22”*`]{0,3}(?:\s*[.;:!?,(–—)，。；！？、|/-]|\s*\n|\s*$| {analyze.behind_thing}\b)"
);

/// Places of a wish or a thing that are looked at.
const MOST_PLACES: usize = 12;
/// Bytes before a thing in which it is asked for.
const REACH: usize = 90;

/// Each thing that one sentence forbids and another asks for: "no hashtags" and "end with three hashtags".
pub fn forbidden_and_asked(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let lower = prose.to_ascii_lowercase();
    let limited = pattern!(r"(?i)\b(?:{analyze.limited})\b");
    let sure = |found: patterns::Captures<'_>| {
        let thing = found.name("thing")?;
        let place = Span::new(found.get_match().start(), thing.end());
        // "There is no date" forbids nothing.
        let tells = pattern!(r"(?i)\b{analyze.there_is} $");
        let holds = !limited.is_match(thing.as_str())
            && !tells.is_match(text::tail(&prose[..place.start], REACH))
            && !reading.is_conditional(place);
        holds.then(|| (place, lower[thing.range()].to_owned()))
    };
    let denied: Vec<(Span, String)> =
        DENIED.captures_iter(prose).take(LOOKED_AT).filter_map(sure).collect();
    let spot = |(one, thing): &(Span, String)| {
        let fits = |place: &Span| {
            !denied.iter().any(|(other, _)| other.meets(*place)) && !reading.together(*place, *one)
        };
        let new = asked(reading, &lower, thing).find(fits)?;
        Some(Spot::naming(new, reading.source.slice(*one).trim()))
    };
    denied.iter().filter_map(spot).collect()
}

/// Where a thing is asked for; `lower` is the prose in small letters.
fn asked<'r>(
    reading: &'r Reading<'_>,
    lower: &'r str,
    thing: &'r str,
) -> impl Iterator<Item = Span> + 'r {
    let stem = thing.strip_suffix('s').filter(|stem| !stem.ends_with('s')).unwrap_or(thing);
    let asks = pattern!(r"(?i)\b(?:{analyze.ask})(?: |(?-u:\b))(?:[\p{L}\d’'#-]+ ){0,6}$");
    let whole = pattern!(
        r"(?i)^s?[)\x22”*`]{0,3}(?:\s*[.;:!?,(–—)，。；！？、|/-]|\s*\n|\s*$| (?:{analyze.behind_thing}|{analyze.behind_asked})\b)"
    );
    let place = move |(at, _): (usize, &str)| {
        let before = text::tail(&lower[..at], REACH);
        let asks = asks.find(before).filter(|_| before.ends_with([' ', '#']))?;
        let place = Span::new(at - before.len() + asks.start(), at + stem.len());
        let holds = whole.is_match(text::head(&lower[place.end..], 40))
            && !reading.is_negated(place)
            && !reading.is_conditional(place);
        let plural = usize::from(lower[place.end..].starts_with('s'));
        holds.then(|| Span::new(place.start, place.end + plural))
    };
    lower.match_indices(stem).take(MOST_PLACES).filter_map(place)
}
