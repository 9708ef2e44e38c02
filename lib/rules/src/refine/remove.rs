//! Taking out what a point names: a numbered item, a part, a sentence or item that it fills, an element of a list.

use std::ops::Range;

use super::read::{self, is_negated};
use super::words::{alike, bare, content, find, names as names_it, shared, unquoted};
use super::work::{Outcome, Place, Unit, Work, brief};
use crate::container::lines;
use patterns::pattern;

/// Other words that a sentence may have that goes with the thing it is about.
const FEW: usize = 1;
/// Other words that a demand may have that a ban takes the place of.
const MORE: usize = 2;

/// Takes out what a point names.
pub fn remove(work: &mut Work<'_>, what: &str) -> Option<Outcome> {
    let numbered = pattern!(r"(?i)^(?:{refine.article}\s+)?(?:{refine.rule})\s*#?(?P<n>\d{1,2})$");
    if let Some(found) = numbered.captures(what.trim()) {
        let item = item_numbered(work, &found["n"])?;
        return take_item(work, &item);
    }
    let part = pattern!(r"(?i)^(?:{refine.part})s?\s+|\s+(?:{refine.part})s?$");
    let is_part = part.is_match(bare(what));
    let what = part.replace(bare(what), "").into_owned();
    let what = unquoted(&what);
    let names = content(what);
    if names.is_empty() {
        return None;
    }
    let whole = wholes(work, &names, is_part, is_negated(what));
    if let [unit] = &whole[..] {
        return take_item(work, unit);
    }
    let elements = elements(work, what);
    if elements.len() == 1 {
        let done = work.exchange_all(&elements, "")?;
        return Some(after_removal(work, what, done));
    }
    None
}

/// A success, or half of one where a sentence still speaks of what went.
fn after_removal(work: &Work<'_>, what: &str, done: Outcome) -> Outcome {
    let still = work
        .places(what)
        .into_iter()
        .find(|place| work.edits.is_free(&work.container.span(place.text, &place.range)));
    match still.and_then(|place| work.unit_at(&place)) {
        Some(unit) => work.partly(
            "It was taken out where it stood in a list; this still stands: \"{}\".",
            &[&brief(work.at(&unit.place))],
        ),
        None => done,
    }
}

/// The sentences and items that have all the names and little else.
fn wholes(work: &Work<'_>, names: &[&str], is_part: bool, forbids: bool) -> Vec<Place> {
    let mut all = work.units();
    let goes = |unit: &Unit| {
        (forbids || !is_negated(work.at(&unit.place))) && fills(work, unit, names, FEW)
    };
    let part = |unit: &Unit| is_part && !work.at(&unit.place).contains([',', ';']);
    all.retain(|unit| unit.has(names) && (part(unit) || goes(unit)));
    all.iter().map(|unit| unit.place.clone()).collect()
}

/// Whether the names are what a sentence or item is about: it has few other words, and begins with the names or with
/// an order about them.
fn fills(work: &Work<'_>, unit: &Unit, names: &[&str], most: usize) -> bool {
    // What is quoted is not what a sentence is about.
    let sentence = work.at(&unit.place);
    let quotations = text::literals::scan(sentence).quotations;
    let plain = |word: &Range<usize>| !quotations.iter().any(|it| it.contains(&word.start));
    let words = super::words::words(sentence).into_iter().filter(plain);
    let words: Vec<&str> = words.map(|word| &sentence[word]).filter(|it| names_it(it)).collect();
    let others = words.iter().filter(|word| !names.iter().any(|name| alike(name, word)));
    let few = others.count() <= most;
    let early = words.iter().take(3).any(|word| names.iter().any(|name| alike(name, word)));
    let single = !work.at(&unit.place).contains([',', ';']);
    few && early && (single || is_item(work, &unit.place))
}

/// Whether a sentence is all of an item of a list.
fn is_item(work: &Work<'_>, unit: &Place) -> bool {
    let line = line_of(work, unit);
    let text = work.text(unit.text);
    text::list::is_item(&text[line.clone()]) && text[line].trim_end().len() >= unit.range.len()
}

fn line_of(work: &Work<'_>, unit: &Place) -> Range<usize> {
    let text = work.text(unit.text);
    let start = text[..unit.range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[unit.range.end..].find('\n').map_or(text.len(), |at| unit.range.end + at);
    start..end
}

/// Takes out a sentence, or an item with its line; the items below count on.
fn take_item(work: &mut Work<'_>, unit: &Place) -> Option<Outcome> {
    let text = work.text(unit.text).to_owned();
    let line = line_of(work, unit);
    let lead = &text[line.start..unit.range.start];
    let rest = &text[unit.range.end..line.end];
    let alone = rest.trim().is_empty() && text::list::marker(&text[line.clone()]) >= lead.len();
    let range = match (alone, line.start) {
        (true, 0) => 0..(line.end + 1).min(text.len()),
        (true, start) => start - 1..line.end,
        (false, _) if lead.ends_with(' ') => unit.range.start - 1..unit.range.end,
        (false, _) => unit.range.start..unit.range.end + rest.len() - rest.trim_start().len(),
    };
    let done = work.exchange_all(&[Place { text: unit.text, range }], "")?;
    let number = pattern!(r"^(?P<i>[ \t]*)(?P<n>\d{1,2})(?P<s>[.)] )");
    let Some(mut known) =
        number.captures(&text[line.clone()]).and_then(|found| found["n"].parse::<u32>().ok())
    else {
        return Some(done);
    };
    let reason = work.voice.say("The list counts on.", &[]);
    for next in lines(&text).into_iter().filter(|next| next.start > line.start) {
        let Some(found) = number.captures(&text[next.clone()]) else { continue };
        let Some(place) = found.name("n").filter(|_| found["n"].parse() == Ok(known + 1)) else {
            break;
        };
        let range = next.start + place.start()..next.start + place.end();
        work.exchange(&Place { text: unit.text, range }, &known.to_string(), &reason);
        known += 1;
    }
    Some(done)
}

/// The only item with a number.
fn item_numbered(work: &Work<'_>, number: &str) -> Option<Place> {
    let mut found = Vec::new();
    for text in work.own() {
        let words = work.text(text);
        for line in lines(words) {
            let item = &words[line.clone()];
            let marker = text::list::marker(item);
            let own = item[..marker].trim().trim_end_matches(['.', ')']);
            if own == number && marker > 0 {
                found.push(Place { text, range: line.start + marker..line.end });
            }
        }
    }
    if found.len() == 1 { found.pop() } else { None }
}

/// The elements of lists within sentences that are little more than the thing, with the comma or the word that joins
/// them to the rest.
fn elements(work: &Work<'_>, what: &str) -> Vec<Place> {
    let own = work.own().collect::<Vec<_>>();
    let mut found = Vec::new();
    for text in own {
        let words = work.text(text);
        for range in find(words, what) {
            let place = Place { text, range: range.clone() };
            if work.is_rigid(&place) || work.is_supplied(&place) {
                continue;
            }
            let before =
                pattern!(r"(?i)(?P<v>,?\s+(?:{refine.joined})\s+|,\s*)(?:[\p{L}\d–-]+ ?){0,3}$");
            let after = pattern!(r"^[^\n,;.|()]{0,50}?(?P<v>)(?:$|[,;.|()\n])");
            let (lead, tail) =
                (before.captures(&words[..range.start]), after.captures(&words[range.end..]));
            let (Some(lead), Some(tail)) = (lead, tail) else { continue };
            let (Some(lead), Some(tail)) = (lead.name("v"), tail.name("v")) else { continue };
            let rest = &words[range.end..range.end + tail.start()];
            // "Norwegian or" before the name is another element.
            let between = &words[lead.end()..range.start];
            let joint = pattern!(r"(?i)\s+(?:{refine.joined})\s+$").find(between);
            let start = joint.map_or(lead.start(), |joint| lead.end() + joint.start());
            let more = pattern!(r"(?i)^\s+(?:{refine.joined})\s").is_match(rest);
            let end = if more { range.end } else { range.end + tail.start() };
            let element = Place { text, range: start..end };
            let others = content(work.at(&element)).len().saturating_sub(content(what).len());
            let literal = text::literals::scan(rest);
            let names_more = !literal.numbers.is_empty() || !literal.quotations.is_empty();
            // A cat on a cushion is not removed with the cushion.
            let around = || {
                between[joint.map_or(0, |it| it.end())..]
                    .split_whitespace()
                    .chain(rest.split_whitespace())
            };
            let relates = around().any(names_it)
                && around().any(|word| !names_it(word) && !bare(word).is_empty());
            if others <= 2 && (more || !relates) && !names_more && !work.is_rigid(&element) {
                found.push(element);
            }
        }
    }
    found
}

/// Lifts the ban on what a point allows.
pub fn allow(work: &mut Work<'_>, what: &str) -> Option<Outcome> {
    let names = content(what);
    let mut units = work.units();
    units.retain(|unit| unit.has(&names) && is_negated(work.at(&unit.place)));
    let [unit] = &units[..] else { return None };
    let sentence = work.at(&unit.place).to_owned();
    let begins = read::ban(&sentence).is_some();
    if begins && fills(work, unit, &names, MORE) && !sentence.contains(',') {
        return take_item(work, &unit.place);
    }
    let element = pattern!(
        r"(?i)(?P<v>(?P<b>^|[,;:]\s*)(?:{refine.no})\s+(?P<w>[^,;.:]{2,50}?))(?P<e>,\s*|\.|$)"
    );
    let found = element.captures_iter(&sentence).find(|found| {
        let words = content(found.name("w").map_or("", |it| it.as_str()));
        shared(&names, &found["v"]) == names.len() && words.len() <= names.len() + 1
    })?;
    let (ban, first, end) =
        (found.name("v")?, found["b"].is_empty() || found["b"].starts_with(':'), found.name("e")?);
    let from = ban.start() + if found["b"].starts_with(':') { found["b"].len() } else { 0 };
    let to = if first && end.as_str().starts_with(',') { end.end() } else { ban.end() };
    let range = unit.place.range.start + from..unit.place.range.start + to;
    work.exchange_all(&[Place { text: unit.place.text, range }], "")
}

/// Puts what a point asks for in the place of the only sentence or item that bans it.
pub fn lift(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    let wanted = content(point);
    let mut units = work.units();
    units.retain(|unit| {
        let sentence = work.at(&unit.place);
        let banned = read::ban(sentence).map(content).unwrap_or_default();
        !banned.is_empty()
            && !sentence.contains([',', ';'])
            && super::words::among(&banned, &wanted) == banned.len()
            && fills(work, unit, &banned, MORE)
    });
    let [unit] = &units[..] else { return None };
    if is_negated(point) { None } else { work.restate(&unit.place, point) }
}

/// Puts a ban in the place of the sentence or item that demands what it bans.
pub fn ban(work: &mut Work<'_>, what: &str, point: &str) -> Option<Outcome> {
    let names = content(what);
    if names.is_empty() {
        return None;
    }
    let units = work.units();
    let mut same = units.iter().filter(|unit| unit.has(&names) && is_negated(work.at(&unit.place)));
    if same.any(|unit| fills(work, unit, &names, MORE)) {
        return Some(work.applied(super::KNOWN, &[]));
    }
    let mut demands = units;
    demands.retain(|unit| {
        unit.has(&names) && !is_negated(work.at(&unit.place)) && fills(work, unit, &names, MORE)
    });
    if let [unit] = &demands[..] {
        let scanned = text::literals::scan(work.at(&unit.place));
        if scanned.variables.is_empty() && scanned.addresses.is_empty() {
            return work.restate(&unit.place, point);
        }
    }
    let elements = elements(work, bare(what));
    let [element] = &elements[..] else { return None };
    if is_negated(work.at(element)) {
        return None;
    }
    let done = work.exchange_all(&elements, "")?;
    work.add_line(&super::words::sentence(point), &done.1);
    Some(after_removal(work, what, done))
}
