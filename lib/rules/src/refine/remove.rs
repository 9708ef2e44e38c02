//! Taking out what a point names: a numbered item, a part, a sentence or item that it fills.

use std::ops::Range;

use super::read::is_negated;
use super::words::{alike, bare, content, names as names_it, shared, unquoted, words};
use super::work::{Outcome, Place, Unit, Work};
use patterns::pattern;

/// Takes out what a point names.
pub fn remove(work: &mut Work<'_>, what: &str) -> Option<Outcome> {
    let numbered = pattern!(r"(?i)^(?:{refine.article}\s+)?(?:{refine.rule})\s*#?(?P<n>\d{1,2})$");
    let numbered = numbered.captures(what.trim());
    let what = unquoted(bare(what));
    let names = content(what);
    let goes = |unit: &&Unit| match &numbered {
        Some(found) => is_numbered(work, &unit.place, &found["n"]),
        None => !unit.supplied && is_whole(work, unit, &names, is_negated(what)),
    };
    let place = |unit: &Unit| {
        let mut place = unit.place.clone();
        if numbered.is_some() {
            place.range.end = line_of(work, &place).0.end;
        }
        place
    };
    let found: Vec<Place> = work.units().filter(goes).map(place).collect();
    let [place] = &found[..] else { return None };
    // "Cut the budget to 12" wants another number, not none.
    let numbers = pattern!(r"\d+").find_iter(what);
    let mut others = numbers.filter(|number| !work.at(place).contains(number.as_str()));
    if numbered.is_none() && others.next().is_some() {
        return None;
    }
    take_item(work, place)
}

/// Whether a sentence or item is about the names: it has all of them early and few other words.
fn is_whole(work: &Work<'_>, unit: &Unit, names: &[&str], forbids: bool) -> bool {
    let sentence = work.at(&unit.place);
    // "The closing line" need not be called a line.
    let part = pattern!(r"(?i)^(?:{refine.part})s?$");
    let named = |name: &&&str| !part.is_match(name) || unit.has(&[name]);
    let all = names.len();
    let names: Vec<&str> = names.iter().filter(named).copied().collect();
    let is_part = names.len() < all;
    let forbids = forbids || is_part;
    let single = || !sentence.contains([',', ';']) || line_of(work, &unit.place).1;
    if !unit.has(&names) || !forbids && is_negated(sentence) || !single() {
        return false;
    }
    // What is quoted is not what a sentence is about, unless "the … line" means what it says.
    let quotations = text::literals::scan(sentence).quotations;
    let means_quoted =
        is_part && quotations.iter().any(|it| shared(&names, &sentence[it.clone()]) == names.len());
    let plain = |word: &Range<usize>| !quotations.iter().any(|it| it.contains(&word.start));
    let words = words(sentence).into_iter().filter(plain).map(|word| &sentence[word]);
    let words = words.filter(|word| names_it(word));
    let is_one: Vec<bool> = words.map(|word| names.iter().any(|name| alike(name, word))).collect();
    // A sentence may have one other word, or what it says beside its quotation.
    let few = 1 + usize::from(means_quoted);
    is_one.iter().filter(|one| !**one).count() <= few
        && (means_quoted || is_one.iter().take(3).any(|one| *one))
}

/// The line that a sentence stands in, and whether it is an item of a list that the sentence fills.
fn line_of(work: &Work<'_>, unit: &Place) -> (Range<usize>, bool) {
    let text = work.text(unit.text);
    let start = text[..unit.range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[unit.range.end..].find('\n').map_or(text.len(), |at| unit.range.end + at);
    let marker = text::list::marker(&text[start..end]);
    let fills = start + marker >= unit.range.start && text[unit.range.end..end].trim().is_empty();
    (start..end, marker > 0 && fills)
}

/// Whether a sentence begins the item with a number.
fn is_numbered(work: &Work<'_>, unit: &Place, number: &str) -> bool {
    let (line, _) = line_of(work, unit);
    let item = &work.text(unit.text)[line.clone()];
    let marker = text::list::marker(item);
    let own = item[..marker].trim().trim_end_matches(['.', ')']);
    marker > 0 && own == number && line.start + marker >= unit.range.start
}

/// Takes out a sentence, or an item with its line; others keep their numbers, which something may refer to.
fn take_item(work: &mut Work<'_>, unit: &Place) -> Option<Outcome> {
    let text = work.text(unit.text);
    let (line, fills) = line_of(work, unit);
    let rest = &text[unit.range.end..line.end];
    let alone = fills || line.start == unit.range.start && rest.trim().is_empty();
    let range = match (alone, line.start) {
        (true, 0) => 0..(line.end + 1).min(text.len()),
        (true, start) => start - 1..line.end,
        (false, _) if text[..unit.range.start].ends_with(' ') => {
            unit.range.start - 1..unit.range.end
        }
        (false, _) => unit.range.start..unit.range.end + rest.len() - rest.trim_start().len(),
    };
    work.exchange_all(&[Place { text: unit.text, range }], "")
}
