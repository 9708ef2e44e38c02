//! Rules about form: what is opened and never closed, or miscounted.

use super::reading::Reading;
use super::rule::{LOOKED_AT, Spot};
use engine::prompt::Span;
use engine::prompt::mask::Kind;
use patterns::pattern;
use serde::de::IgnoredAny;

/// A paragraph or an item that ends within a sentence: "and whenever the".
pub fn cut_off(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    if !text.contains("\n\n") {
        return Vec::new();
    }
    let broken = pattern!(
        r"(?im)(?P<end>\b(?:{analyze.cut_off}))[ \t]*(?:\r?\n\s*?(?:\r?\n|[-*•<]|(?:[a-z]|\d{1,2})[.)][ \t])|\z)"
    );
    let carried = [Kind::Fence, Kind::Tag, Kind::Pasted, Kind::Quote, Kind::Code];
    let ends = broken.captures_iter(text).filter_map(|found| found.name("end"));
    let places = ends.map(|end| Span::from(end.range()));
    let places = places.filter(|place| !reading.source.mask.holds(*place, &carried));
    places.map(|place| Spot::new(reading.sentence_at(place.start).1)).collect()
}

/// What is opened and not closed, or closed and never opened: a tag, a block of a template.
pub fn unclosed(reading: &Reading<'_>) -> Vec<Spot> {
    tags(reading).into_iter().chain(blocks(reading)).collect()
}

/// Blocks without counterpart: `{{#if late}}`, `{% for x in list %}`. Of several, the first is told.
fn blocks(reading: &Reading<'_>) -> Option<Spot> {
    let mark = pattern!(
        r"\{\{[~-]?(?P<sign>[#^/])(?P<name>\w{1,30})[^{}]{0,200}\}\}|\{%[-+~]?\s*(?P<end>end)?(?P<tag>if|for|block|macro)\b(?:[^%]|%[^}]){0,300}%\}"
    );
    let text = reading.source.text;
    let carried = [Kind::Fence, Kind::Code, Kind::Quote, Kind::Example, Kind::Pasted];
    let mut open: Vec<(&str, Span)> = Vec::new();
    for found in mark.captures_iter(text) {
        let place = Span::from(found.get_match().range());
        let is_quoted = text[..place.start].ends_with(['"', '“', '\'']);
        if is_quoted || reading.source.mask.holds(place, &carried) {
            continue;
        }
        let name = found.name("name").or_else(|| found.name("tag"));
        let name = name.map_or("", |name| &text[name.range()]);
        let ends = found.name("sign").is_some_and(|sign| sign.as_str() == "/");
        if !(ends || found.name("end").is_some()) {
            open.push((name, place));
        } else if open.pop_if(|(last, _)| *last == name).is_none() {
            return Some(Spot::new(open.pop().map_or(place, |(_, place)| place)));
        }
    }
    open.pop().map(|(_, place)| Spot::new(place))
}

/// A heading that comes twice: an older state of its part was left.
pub fn doubled_part(reading: &Reading<'_>) -> Vec<Spot> {
    let heading = pattern!(r"(?m)^#{1,2} [^\n]*?\p{L} [^\n]*\p{L}[^\n]*$");
    let shown = [Kind::Fence, Kind::Example, Kind::Pasted, Kind::Tag];
    let own = |place: &Span| !reading.source.mask.holds(*place, &shown);
    let found = heading.find_iter(reading.source.text).take(LOOKED_AT);
    let all: Vec<Span> = found.map(|it| Span::from(it.range())).filter(own).collect();
    let words = |place: &Span| reading.source.slice(*place).trim_end();
    let again = |place: &&Span| {
        // What comes more often is the form of the prompt, and each part of it may have such a heading.
        let same: Vec<&Span> = all.iter().filter(|one| words(one) == words(place)).collect();
        let [first, second] = same[..] else { return false };
        let between = &reading.source.text[first.end..second.start];
        second == *place && !(words(place).starts_with("##") && between.contains("\n# "))
    };
    all.iter().filter(again).map(|place| Spot::new(*place)).collect()
}

/// A tag on a line of its own that nothing closes, where other tags are closed; or one that is closed and never opened.
fn tags(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let tag = pattern!(r"(?m)^[ \t]*(?P<t></?(?P<n>[a-z][a-z0-9_-]{1,40})>)[ \t]*\r?$");
    let form = |mark: &str, name: &str| {
        let marked = format!("{mark}{name}");
        let behind = text.match_indices(&marked).map(|(at, mark)| &text[at + mark.len()..]);
        behind.filter(|rest| rest.starts_with(['>', ' '])).count()
    };
    let pairs = |name: &str| (form("<", name), form("</", name));
    let found: Vec<patterns::Captures<'_>> = tag.captures_iter(text).take(LOOKED_AT).collect();
    let closed = |one: &patterns::Captures<'_>| matches!(pairs(&one["n"]), (a, b) if a == b);
    // "<type>(<scope>): <summary>" is the form of an answer, whose parts nothing closes.
    let slot = pattern!(r"<(?P<n>[a-z][a-z0-9_-]{1,40})>[^\n]");
    let slots = slot.captures_iter(text).take(LOOKED_AT).filter(|it| pairs(&it["n"]).1 == 0);
    if !found.iter().any(closed) || slots.count() > 1 {
        return Vec::new();
    }
    let torn = found.iter().filter(|one| matches!(pairs(&one["n"]), (1 | 2, 0) | (0, 1)));
    let in_code = |span: Span| reading.source.mask.holds(span, &[Kind::Fence, Kind::Example]);
    let spans = torn.filter_map(|one| Some(Span::from(one.name("t")?.range())));
    // What stands last begins the answer.
    let last = |span: Span| text[span.end..].trim().is_empty();
    spans.filter(|span| !in_code(*span) && !last(*span)).map(Spot::new).collect()
}

/// Steps of a list, but the first, from which on one that does not count on is a slip.
const FEWEST_STEPS: usize = 3;
/// Slips of a list: "1. 2. 3. 3. 5." has two, a number that comes twice and one that is skipped.
const MOST_SLIPS: usize = 2;
/// The first and the last number of a step or a range, and where they stand.
type Step = (usize, usize, Span);
/// Bytes between the ranges of a row.
const APART: usize = 80;

/// A step or a range of a scale that is skipped or comes twice, where the others count on: "1. 2. 4. 5." and "0–6, 6–11,
/// 12–16, 17–20".
pub fn wrong_numbering(reading: &Reading<'_>) -> Vec<Spot> {
    let item = pattern!(r"(?m)^(?P<lead>[ \t]*)(?P<mark>(?P<n>\d{1,2})[.)])[ \t]+\S");
    // The numbers of each list that begins with one, with their places.
    let mut lists: Vec<(String, Vec<Step>)> = Vec::new();
    for found in item.captures_iter(&reading.source.prose) {
        let (Ok(number), Some(mark)) = (found["n"].parse(), found.name("mark")) else { continue };
        let lead = &found["lead"];
        if number == 1 {
            lists.push((lead.to_owned(), Vec::new()));
        }
        // The list of this indent that was begun last.
        if let Some((_, list)) = lists.iter_mut().rev().take(3).find(|(own, _)| own == lead) {
            list.push((number, number, mark.range().into()));
        }
    }
    let range_pattern = pattern!(r"\b(?P<a>\d{1,3}) ?[-–] ?(?P<b>\d{1,3})\b");
    let range = |found: patterns::Captures<'_>| {
        let place = Span::from(found.get_match().range());
        Some((found["a"].parse().ok()?, found["b"].parse().ok()?, place))
    };
    let ranges = range_pattern.captures_iter(&reading.source.prose).filter_map(range);
    let ranges: Vec<Step> = ranges.collect();
    let rows = ranges.chunk_by(|one, other| {
        one.0 < one.1 && one.1 <= other.0 && other.2.start - one.2.end < APART
    });
    let slip = |list: &[Step]| {
        let slips: Vec<_> = list.windows(2).filter(|two| two[1].0 != two[0].1 + 1).collect();
        let first = slips.first()?;
        // "1. 2. 3. … 10." leaves out on purpose.
        let is_slip = |two: &&[Step]| [two[0].1, two[0].1 + 2].contains(&two[1].0);
        let few = slips.len() <= MOST_SLIPS && list.len() > FEWEST_STEPS + slips.len() - 1;
        let found = few && slips.iter().all(is_slip);
        found.then(|| Spot::naming(first[1].2, (first[0].1 + 1).to_string()))
    };
    lists.iter().map(|(_, list)| list.as_slice()).chain(rows).filter_map(slip).collect()
}

/// An object of an example that no program can read: it is not closed up to the end of the prompt, has a comma too few or
/// too many, or a bare date. One that ends the prompt begins the answer.
pub fn torn_object(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let begin = pattern!(r"(?:\[\s{0,8})?\{\s{0,8}\x22\w{1,40}\x22\s?:");
    let slip = pattern!(r"[\x220-9\]}el][ \t]*\r?\n\s*[\x22{]|,\s*[}\]]|:\s?\d{4}-\d\d-\d\d\b");
    let is_json = pattern!(r"(?i)\bjson\b").is_match(text);
    let last_gap = text.rfind("\n\n").unwrap_or_default();
    let (mut spots, mut end) = (Vec::new(), 0);
    for found in begin.find_iter(text) {
        if found.start() < end {
            continue;
        }
        let pair = if found.as_str().starts_with('[') { ('[', ']') } else { ('{', '}') };
        let mut depth = 0_usize;
        let close = text[found.start()..].find(|sign| {
            depth = depth + usize::from(sign == pair.0) - usize::from(sign == pair.1);
            depth == 0
        });
        let length = close.map_or(text.len() - found.start(), |at| at + 1);
        end = found.start() + length;
        let object = &text[found.start()..end];
        let is_open = object.matches('{').count() != object.matches('}').count();
        if close.is_none() || is_open {
            let goes_on = last_gap >= found.end() && !reading.source.mask.is_object;
            spots.extend(goes_on.then(|| Spot::new(found.range().into())));
            continue;
        }
        let reads = |object: &str| serde_json::from_str::<IgnoredAny>(object).is_ok();
        let Some(first) = slip.find(object) else { continue };
        let mended = slip.replace_all(object, |found| {
            let (sign, rest) = found.get_match().as_str().split_at(1);
            match sign {
                "," => rest.to_owned(),
                ":" => format!(":\"{}\"", rest.trim()),
                _ => [sign, ",", rest].concat(),
            }
        });
        let is_slip = (is_json || !first.as_str().starts_with(',')) && !reads(object);
        let place = Span::from(first.range()).moved(found.start());
        spots.extend((is_slip && reads(&mended)).then(|| Spot::new(place)));
    }
    spots
}
