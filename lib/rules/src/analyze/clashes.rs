//! Orders that no answer can follow together.

use super::numbers::items;
use super::reading::Reading;
use super::rule::Spot;
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
    let apart = |place: Span| !reading.together(*one, place) && !are_parts(reading, *one, place);
    let other = later.iter().find(|(name, place)| name != first && apart(*place));
    other.map(|(_, span)| Spot::clash(reading, *one, *span)).into_iter().collect()
}

/// What forbids the thing behind it, and what it forbids: "no links", "never use emojis or links".
const DENIED: Pattern = pattern!(
    r"(?i)\b{analyze.deny}(?: |(?-u:\b))(?:(?P<article>{analyze.article} )|{analyze.any} )?(?P<list>[\p{L}-]{3,}(?: [\p{L}-]{3,})?(?:(?:, (?:{analyze.and} )?| {analyze.and} )[\p{L}-]{3,}(?: [\p{L}-]{3,})?){0,3})"
);

/// Prohibitions that are looked at.
const MOST_DENIED: usize = 60;
/// Places of a thing that are looked at.
const MOST_PLACES: usize = 8;
/// Bytes before a thing in which it is asked for.
const REACH: usize = 90;

/// Each thing that one sentence forbids and another asks for: "no hashtags" and "end with three hashtags".
pub fn forbidden_and_asked(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let lower = prose.to_ascii_lowercase();
    let all: Vec<patterns::Captures<'_>> = DENIED.captures_iter(prose).take(MOST_DENIED).collect();
    let denied: Vec<Span> = all.iter().map(|found| found.get_match().range().into()).collect();
    let mut spots: Vec<Spot> = Vec::new();
    for (found, whole) in all.iter().zip(&denied) {
        // "No emojis please" is about emojis.
        let last = prose[whole.start..whole.end].rfind(' ').unwrap_or_default();
        let shorter = Span::new(whole.start, whole.start + last);
        let is_sure = |it: &Span| !reading.is_conditional(*it) && is_whole(reading, *it, false);
        // "Rows without a date" lack one, and "there is no date": nothing forbids it.
        let lacks = pattern!(r"(?i)^{analyze.lacking} ").is_match(&prose[whole.start..whole.end])
            && found.name("article").is_some()
            || pattern!(r"(?i)\b{analyze.there_is} $")
                .is_match(text::tail(&prose[..whole.start], REACH));
        let one = [*whole, shorter].into_iter().find(is_sure).filter(|_| !lacks);
        let (Some(one), Some(list)) = (one, found.name("list")) else { continue };
        for thing in items(&prose[list.start()..list.end().min(one.end).max(list.start())]) {
            let fits = |place: &Span| {
                !denied.iter().any(|other| other.meets(*place))
                    && !reading.together(*place, one)
                    && requests(reading, *place) == requests(reading, one)
            };
            let new = asked(reading, &lower, thing).into_iter().find(fits);
            let new = new.filter(|new| !spots.iter().any(|known| known.span.meets(*new)));
            spots.extend(new.map(|new| Spot::naming(new, reading.source.slice(one).trim())));
        }
    }
    spots
}

/// Whether somebody is to be asked for the thing.
fn requests(reading: &Reading<'_>, span: Span) -> bool {
    pattern!(r"(?i)\b{analyze.request}\b").is_match(reading.source.prose_of(span))
}

/// Where a thing is asked for; `lower` is the prose in small letters.
fn asked(reading: &Reading<'_>, lower: &str, thing: &str) -> Vec<Span> {
    let thing = thing.to_ascii_lowercase();
    let stem = thing.strip_suffix('s').filter(|stem| !stem.ends_with('s')).unwrap_or(&thing);
    let asks = pattern!(r"(?i)\b(?:{analyze.ask})(?: |(?-u:\b))(?:[\p{L}\d’'#-]+ ){0,6}$");
    let place = |(at, _): (usize, &str)| {
        let end = at + stem.len();
        let end = end + usize::from(lower[end..].starts_with('s'));
        let bounded = !lower[end..].starts_with(char::is_alphanumeric)
            && !lower[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        let before = text::tail(&lower[..at], REACH);
        let asks = asks.find(before).filter(|_| bounded)?;
        let place = Span::new(at - before.len() + asks.start(), end);
        let holds = !reading.is_negated(place)
            && !reading.is_conditional(place)
            && is_whole(reading, place, true);
        holds.then_some(place)
    };
    lower.match_indices(stem).take(MOST_PLACES).filter_map(place).collect()
}

/// Whether the thing is named without what limits it: not "no links that …", "no code comments".
fn is_whole(reading: &Reading<'_>, span: Span, asked: bool) -> bool {
    let behind = text::head(&reading.source.prose[span.end..], 40);
    let limited = pattern!(r"(?i)\b(?:{analyze.limited})\b");
    let placed = pattern!(r"(?i)^ (?:{analyze.behind_asked})\b").is_match(behind);
    (asked && placed || pattern!(r"(?i)^[)\x22”*`]{0,3}(?:\s*[.;:!?,(–—)，。；！？、|/-]|\s*\n|\s*$| {analyze.behind_thing}\b|[\u{2e80}-\u{ffff}])").is_match(behind))
        && !pattern!(r"(?i)^, (?:{analyze.relative})\b").is_match(behind)
        && !limited.is_match(reading.source.prose_of(span))
}
