//! Things that one sentence forbids and another asks for: "no hashtags" and "end with three hashtags".

use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use patterns::{Pattern, pattern, table};

/// What an answer may or may not have, by name, where it is forbidden: "no links", "never use emojis or links".
const DENIED: &[(&str, Pattern)] = table!(
    "analyze_things",
    r"(?i)\b(?:{analyze.deny})(?: |(?-u:\b))(?:(?:{analyze.article}|{analyze.any}) )?(?:[\p{L}-]{3,}(?:, (?:{analyze.and} )?| {analyze.and} )){0,3}{}(?-u:\b)|\b{}(?: \p{L}+)? {analyze.deny_behind}(?-u:\b)"
);
/// The same where it is asked for: "use two emojis", "a link must be included".
const ASKED: &[(&str, Pattern)] = table!(
    "analyze_things",
    r"(?i)\b(?:{analyze.ask})(?: |(?-u:\b))(?:[\p{L}\d’'#-]+ ){0,6}?{}(?-u:\b)|\b{}(?: \p{L}+){0,2} {analyze.ask_behind}(?-u:\b)"
);
/// The same in languages that put no spaces between words.
const DENIED_SCRIPTED: &[(&str, Pattern)] = table!(
    "analyze_things_scripted",
    r"{analyze.deny_scripted}[^。，、,；;\n]{0,4}{}|{}{analyze.deny_behind_scripted}"
);
const ASKED_SCRIPTED: &[(&str, Pattern)] = table!(
    "analyze_things_scripted",
    r"{analyze.ask_scripted}[^。，、,；;\n]{0,8}{}|{}{analyze.ask_behind_scripted}"
);

/// Places of a thing that are looked at.
const LOOKED_AT: usize = 8;

/// Each thing that is forbidden and asked for.
pub fn forbidden_and_asked(reading: &Reading<'_>) -> Vec<Spot> {
    let tables = [(DENIED, ASKED), (DENIED_SCRIPTED, ASKED_SCRIPTED)];
    let pairs = tables.iter().flat_map(|(denied, asked)| denied.iter().zip(*asked));
    pairs.filter_map(|((_, denied), (_, asked))| pair(reading, *denied, *asked)).collect()
}

fn pair(reading: &Reading<'_>, denied: Pattern, asked: Pattern) -> Option<Spot> {
    let whole =
        |span: &Span, asked| !reading.is_conditional(*span) && is_whole(reading, *span, asked);
    let denied: Vec<Span> =
        reading.all(denied).filter(|span| whole(span, false)).take(LOOKED_AT).collect();
    let one = *denied.first()?;
    let requests =
        |span: Span| pattern!(r"(?i)\b{analyze.request}\b").is_match(reading.source.prose_of(span));
    let fits = |span: &Span| {
        !denied.iter().any(|one| one.meets(*span))
            && whole(span, true)
            && !reading.is_negated(*span)
            && requests(*span) == requests(one)
    };
    reading.all(asked).find(fits).map(|other| Spot::naming(other, reading.source.slice(one).trim()))
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
