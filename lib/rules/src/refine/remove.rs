//! Taking out what a point names: a numbered item, a part, a sentence or item that it fills.

use std::ops::Range;

use super::read::is_negated;
use super::words::{alike, bare, content, names as names_it, unquoted};
use super::work::{Outcome, Place, Unit, Work};
use crate::container::lines;
use patterns::pattern;

/// Other words that a sentence may have that goes with the thing it is about.
const FEW: usize = 1;

/// Takes out what a point names.
pub fn remove(work: &mut Work<'_>, what: &str) -> Option<Outcome> {
    let numbered = pattern!(r"(?i)^(?:{refine.article}\s+)?(?:{refine.rule})\s*#?(?P<n>\d{1,2})$");
    if let Some(found) = numbered.captures(what.trim()) {
        let item = item_numbered(work, &found["n"])?;
        return take_item(work, &item);
    }
    let part = pattern!(r"(?i)^(?:{refine.part})s?\s+|\s+(?:{refine.part})s?$");
    let is_part = part.is_match(bare(what));
    let what = part.replace_all(bare(what), |_| "").into_owned();
    let what = unquoted(&what);
    let names = content(what);
    if names.is_empty() {
        return None;
    }
    let whole = wholes(work, &names, is_part, is_negated(what));
    let [unit] = &whole[..] else { return None };
    // "Cut the budget to 12" wants another number, not none.
    let all_there = |text: &str| {
        let numbers = pattern!(r"\d+").find_iter(text);
        numbers.into_iter().all(|number| work.at(unit).contains(number.as_str()))
    };
    if !all_there(what) {
        return None;
    }
    take_item(work, unit)
}

/// The sentences and items that have all the names and little else.
fn wholes(work: &Work<'_>, names: &[&str], is_part: bool, forbids: bool) -> Vec<Place> {
    let mut all = work.units();
    let goes =
        |unit: &Unit| (forbids || !is_negated(work.at(&unit.place))) && fills(work, unit, names);
    let part = |unit: &Unit| is_part && !work.at(&unit.place).contains([',', ';']);
    all.retain(|unit| unit.has(names) && (part(unit) || goes(unit)));
    all.iter().map(|unit| unit.place.clone()).collect()
}

/// Whether the names are what a sentence or item is about: it has few other words, and begins with the names or with
/// an order about them.
fn fills(work: &Work<'_>, unit: &Unit, names: &[&str]) -> bool {
    // What is quoted is not what a sentence is about.
    let sentence = work.at(&unit.place);
    let quotations = text::literals::scan(sentence).quotations;
    let plain = |word: &Range<usize>| !quotations.iter().any(|it| it.contains(&word.start));
    let words = super::words::words(sentence).into_iter().filter(plain);
    let words: Vec<&str> = words.map(|word| &sentence[word]).filter(|it| names_it(it)).collect();
    let others = words.iter().filter(|word| !names.iter().any(|name| alike(name, word)));
    let few = others.count() <= FEW;
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

/// Takes out a sentence, or an item with its line; others keep their numbers, which something may refer to.
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
    work.exchange_all(&[Place { text: unit.text, range }], "")
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
