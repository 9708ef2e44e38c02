//! A number of the feedback takes the place of the one in the prompt that counts the same or has its label.

use std::ops::Range;

use super::numbers::{Class, EXACT, Figure, bound, figures, is_pair};
use super::points::separators;
use super::read::{adds, is_negated};
use super::words::{alike, among, content, names, shared, words};
use super::work::{Outcome, Place, Work};
use crate::split::capitalize;
use patterns::{Pattern, pattern};
use text::{Cover, head, is_unspaced, tail};

/// Bytes on either side of a number that may have its label.
const AROUND: usize = 160;
/// So many words behind a number may name what it counts.
const COUNTED: usize = 3;
/// What it says that two numbers count the same; labels say less.
const SAME: usize = 16;
/// Most numbers of a clause that are looked for, and of a prompt that are looked at.
const MOST: usize = 16;
const AMONG: usize = 128;
/// What has a form of its own: the layout of a date, a kind of spelling, of tense and the like.
const SHAPES: [Pattern; 2] = [
    pattern!(
        r"\b(?i:(?:dd?|tt?|mm{0,3}|(?:yy|jj|aa){1,2})[./-]){2}(?i:dd?|tt?|mm?|(?:yy|jj|aa){1,2})\b|\bISO(?:[ -]?8601)?\b"
    ),
    pattern!(r"(?i)\b{refine.kind}\b"),
];

/// The places of a number in the prompt.
type Found = Vec<(Place, Figure)>;
type Scored<'a> = Vec<(usize, &'a Place, &'a Figure)>;
/// A clause, a number of it and, if known, the old one.
type Sought<'a> = (&'a str, &'a Figure, Option<&'a str>);

/// Puts the numbers of each clause of a point in the place of those that they mean, if all of the clause are sure.
pub fn set(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    if adds(point) || pattern!(r"→|->|=>").is_match(point) {
        return None;
    }
    let (mut told, mut all) = (Vec::new(), true);
    for clause in clauses(point) {
        let held = text::literals::scan(clause).cover();
        if let Some(done) = shaped(work, clause, &held) {
            told.push(done);
            continue;
        }
        let wanted = figures(clause, &held);
        let mut found = Vec::<Found>::new();
        for figure in wanted.iter().take(MOST) {
            found.extend(meant(work, (clause, figure, None), &found));
        }
        if wanted.is_empty() || found.len() < wanted.len() {
            all &= content(clause).is_empty();
            continue;
        }
        all &= !says_more(work, clause, &wanted) && !is_shown_too(work, &found);
        let both = wanted.iter().zip(&found);
        told.extend(both.filter_map(|(figure, places)| put(work, clause, figure, places)));
    }
    let (status, reasons): (Vec<_>, Vec<String>) = told.into_iter().unzip();
    Some(super::with_rest(work, (*status.first()?, reasons.join(" ")), !all))
}

/// Puts what a clause has of a form of its own in the place of the only thing of this form in the prompt.
fn shaped(work: &mut Work<'_>, clause: &str, held: &Cover) -> Option<Outcome> {
    if is_negated(clause) {
        return None;
    }
    SHAPES.into_iter().zip([false, true]).find_map(|(shape, is_worded)| {
        let found = shape.find_iter(clause).filter(|found| !held.touches(&found.range())).last()?;
        // It may begin the name of another standard.
        let new = if found.as_str() == "ISO" { "ISO 8601" } else { found.as_str() };
        let mut places = work.matching(shape);
        places.retain(|place| !is_worded || shared(&content(new), work.at(place)) > 0);
        let old = work.at(places.first()?);
        let label = content(&clause[..found.start()]).first().copied().unwrap_or_default();
        // Examples of the old one may stand behind it.
        let sure = |place: &Place| {
            let behind = &work.text(place.text)[place.range.end..];
            work.at(place) == old
                && !behind.trim_start().starts_with('(')
                && is_its_own(work, place, label, &clause[found.end()..])
        };
        let raised = is_worded && old.starts_with(char::is_uppercase);
        let new = if raised { capitalize(new) } else { new.to_owned() };
        let sure = old != "ISO" && !old.eq_ignore_ascii_case(&new) && places.iter().all(sure);
        sure.then(|| work.exchange_all(&places, &new))?
    })
}

fn clauses(point: &str) -> Vec<&str> {
    let held = text::literals::scan(point).cover();
    let dashes = pattern!(r"\s+[–—]\s+").find_iter(point).map(|dash| dash.range());
    let mut cuts: Vec<Range<usize>> = separators(point).chain(dashes).collect();
    cuts.retain(|cut| !held.touches(cut));
    cuts.sort_by_key(|cut| cut.start);
    let (mut from, mut found) = (0, Vec::new());
    for cut in cuts {
        // A dash and the word behind it share a space.
        found.extend(point.get(from..cut.start));
        from = from.max(cut.end);
    }
    found.push(&point[from..]);
    found
}

/// Whether a clause says something new behind its numbers.
fn says_more(work: &Work<'_>, clause: &str, wanted: &[Figure]) -> bool {
    let last = wanted.iter().map(|figure| figure.unit.end).max().unwrap_or_default();
    let behind = clause[last..].split('(').next().unwrap_or_default();
    let new = |word: &&str| !word.starts_with(is_unspaced) && !work.speaks_of(word);
    content(behind).iter().any(new) || is_negated(behind)
}

/// Whether an example shows one of the old numbers. Examples stay as they are.
fn is_shown_too(work: &Work<'_>, found: &[Found]) -> bool {
    let old: Vec<&str> = found.iter().flatten().map(|(place, _)| work.at(place)).collect();
    let mut all = work.figures().iter().map(|(place, _)| place);
    all.any(|place| work.is_shown(place) && old.contains(&work.at(place)))
}

/// Puts `new` in the place of the number `old`.
pub fn exchange(work: &mut Work<'_>, old: &str, new: &str) -> Option<Outcome> {
    let clause = format!("{old} / {new}");
    let numbers = figures(&clause, &Cover::default());
    let [was, is] = &numbers[..] else { return None };
    let found = meant(work, (&clause, is, Some(&clause[was.range.clone()])), &[])?;
    put(work, &clause, is, &found)
}

/// The places that a number of a clause means; `None` where that is not sure.
fn meant(work: &Work<'_>, (clause, figure, old): Sought<'_>, others: &[Found]) -> Option<Found> {
    let (before, behind) = (&clause[..figure.range.start], &clause[figure.unit.end..]);
    // "Rule 3" is a name, and what stands in brackets explains something new.
    let is_name = pattern!(r"(?i)(?:^|\s)(?:{refine.rule})\s#?$");
    let explains = before.rfind('(').is_some_and(|at| !before[at..].contains(')'));
    if is_name.is_match(before) || explains && old.is_none() || work.figures().len() > AMONG {
        return None;
    }
    let mut list = candidates(work, (clause, figure, old))?;
    list.retain(|(_, place, _)| others.iter().flatten().all(|(other, _)| other != *place));
    // "14 €" is no price of 9 ct.
    let alike = |known: &Figure| known.class == figure.class;
    let is_plain = figure.class == Class::Plain;
    if !is_plain && list.iter().any(|(score, _, known)| *score > 0 && alike(known)) {
        list.retain(|(.., known)| alike(known));
    }
    let best = list.iter().map(|(score, ..)| *score).max()?;
    // A total does not change without what it sums.
    if best < SAME && pattern!(r"(?i)(?:^|\s)(?:{refine.sum})(?:\s|$)").is_match(before) {
        return None;
    }
    let of_class = work.figures().iter().filter(|(_, it)| it.class == figure.class).count();
    let only = !is_plain && of_class == 1 || old.is_some() && list.len() == 1;
    if best == 0 && !only {
        return None;
    }
    let close = |score| best > 0 && best < SAME && 3 * score > 2 * best;
    let rivals = list.iter().filter(|(score, ..)| close(*score));
    let rivals: Vec<&Place> = rivals.map(|(_, place, _)| *place).collect();
    let bare = best == 0 && old.is_none();
    list.retain(|(score, _, known)| *score == best && (!bare || alike(known)));
    let value = work.at(list.first()?.1);
    let mut all = list.iter().map(|(_, place, _)| *place).chain(rivals);
    let one_value = all.all(|place| work.at(place) == value);
    // Three trees and 200,000 are not the same trees.
    let digits = |number: &str| number.chars().filter(char::is_ascii_digit).count();
    let far = digits(value).abs_diff(digits(&clause[figure.range.clone()])) > 2;
    let its_own = |place: &Place| is_its_own(work, place, before, behind);
    let sure = old.is_some() || list.iter().all(|(_, place, _)| its_own(place));
    let found = list.into_iter().map(|(_, place, known)| (place.clone(), known.clone()));
    (one_value && !far && sure).then(|| found.collect())
}

/// The numbers that one of a clause may mean, scored; `None` where one of them stands as the clause wants it.
fn candidates<'a>(work: &'a Work<'_>, (clause, figure, old): Sought<'_>) -> Option<Scored<'a>> {
    let (number, unit) = (&clause[figure.range.clone()], &clause[figure.unit.clone()]);
    let before = content(&clause[..figure.range.start]);
    let labels = [before.clone(), content(&clause[figure.unit.end..])].concat();
    let (things, own) = (counted(clause, figure), bound(clause, figure));
    let mut list = Vec::new();
    for (place, known) in work.figures().iter().filter(|(_, known)| fits(figure, known)) {
        let text = work.text(place.text);
        let (range, other) = (work.at(place), &text[known.unit.clone()]);
        let named = || !known.spelled && among(&things, &counted(text, known)) > 0;
        let same = !unit.is_empty() && (is_unit(unit, other) || named());
        let differs = !unit.is_empty() && !other.is_empty() && !same;
        let near = near(work, place, &labels, before.last());
        // What stands so already needs no place elsewhere.
        if near > 0 && number == range && !differs {
            return None;
        }
        let limit = own.as_ref().and_then(|_| bound(text, known));
        let bounded = match (&own, &limit) {
            (None, _) => true,
            (Some((kind, _)), Some((other, _))) => kind == other,
            (Some(own), None) => (same || old.is_some()) && takes(text, known, own, figure),
        };
        let wanted = bounded && old.is_none_or(|old| old == range);
        let counts = if known.spelled { same } else { !figure.spelled };
        let free = work.is_free(place) && !work.is_shown(place);
        if wanted && counts && !differs && free && is_pair(number) == is_pair(range) {
            let score = SAME * usize::from(same) + near;
            list.push((score + usize::from(score > 0 && limit.is_some()), place, known));
        }
    }
    Some(list)
}

/// Whether a clause speaks of the thing that a number counts, and not of a case of it: "late check-out", "for a theft".
fn is_its_own(work: &Work<'_>, place: &Place, before: &str, behind: &str) -> bool {
    let Some(unit) = work.unit_at(place) else { return false };
    let says = pattern!(r"(?i)^(?:{refine.copula}|{refine.change}|{refine.use})$");
    let value = pattern!(r"(?i)^(?:{refine.value})$");
    let things = content(before);
    let known = match things.iter().find(|word| !says.is_match(word)) {
        Some(first) => unit.has(&[first]) || value.is_match(first),
        None => content(behind).iter().all(|word| unit.has(&[word])),
    };
    let case = pattern!(r"(?i)(?:^|\s)(?:{refine.case})\s");
    let end = |part: &str| case.find(part).map_or(part.len(), |found| found.end());
    let mut cases = [before, behind].into_iter().flat_map(|part| content(&part[end(part)..]));
    known && !is_negated(before) && cases.all(|word| unit.has(&[word]))
}

/// Whether a number of a text can be replaced by a new one together with its bound.
fn takes(text: &str, known: &Figure, (kind, own): &(usize, Range<usize>), new: &Figure) -> bool {
    let (gap, rest) = (&text[known.range.end..known.unit.start], &text[known.unit.end..]);
    let fits = own.start < new.range.start || gap == " " && !rest.starts_with([' ', '-']);
    known.class == Class::Plain && (*kind == EXACT || *kind < 2 && fits)
}

fn fits(new: &Figure, old: &Figure) -> bool {
    let sums = [Class::Plain, Class::Money, Class::Percent];
    new.class == old.class
        || new.class == Class::Plain && sums.contains(&old.class)
        || new.class == Class::Money && old.class == Class::Plain
}

/// Whether two words count the same; what follows in scripts without spaces may be another word.
fn is_unit(one: &str, other: &str) -> bool {
    let first = one.chars().next().filter(|c| is_unspaced(*c));
    alike(one, other) || first.is_some() && first == other.chars().next()
}

/// The words behind a number that may name what it counts: "tool calls".
fn counted<'a>(text: &'a str, figure: &Figure) -> Vec<&'a str> {
    let rest = head(&text[figure.unit.start..], AROUND);
    let rest = rest.split(|c: char| !c.is_alphabetic() && c != ' ' && c != '-').next();
    let rest = rest.unwrap_or_default();
    let all = words(rest).into_iter().map(|word| &rest[word]);
    all.take_while(|word| names(word)).take(COUNTED).collect()
}

/// How much of the labels stands behind a number, and before it up to a comma or, without words there, before that.
fn near(work: &Work<'_>, place: &Place, labels: &[&str], last: Option<&&str>) -> usize {
    let Some(unit) = work.unit_at(place) else { return 0 };
    let text = work.text(place.text);
    let ends = pattern!(r"[;|()\n,，、；。]|\.\s");
    let before = tail(&text[unit.place.range.start..place.range.start], AROUND);
    let behind = text.get(place.range.end..unit.place.range.end).unwrap_or_default();
    let behind = ends.split(head(behind, AROUND)).next().unwrap_or_default();
    let mut parts: Vec<&str> = ends.split(before).collect();
    let own = parts.pop().unwrap_or_default();
    let value = pattern!(r"(?i)^(?:{refine.value})$");
    let empty = content(own).iter().all(|word| value.is_match(word));
    let earlier = parts.into_iter().rfind(|part| !content(part).is_empty());
    // "10 % for members, 5 % for others": what stands before the comma is of the other number.
    let sign = text[place.range.end..].trim_start().chars().next();
    let sign = sign.filter(|c| "%$€£¥".contains(*c));
    let own_label = |part: &&str| empty && sign.is_none_or(|sign| !part.contains(sign));
    let earlier = earlier.filter(own_label).unwrap_or_default();
    let next = content(own).last().zip(last).is_some_and(|(one, other)| alike(one, other));
    // "3 open questions" are what the number counts.
    let two: Vec<&str> = words(behind).into_iter().take(2).map(|word| &behind[word]).collect();
    let is_counted = among(&two, labels) == 2;
    2 * usize::from(next)
        + 4 * shared(labels, own)
        + 3 * shared(labels, earlier)
        + shared(labels, behind)
        + 2 * usize::from(is_counted)
}

/// Writes a number of a clause in the places, with its bound where they have none.
fn put(work: &mut Work<'_>, clause: &str, figure: &Figure, places: &Found) -> Option<Outcome> {
    let mut told = None;
    // "Exactly" is what a number without a bound says.
    let limit = bound(clause, figure).filter(|(kind, _)| *kind != EXACT);
    for (place, known) in places {
        let limit = limit.as_ref().filter(|_| bound(work.text(place.text), known).is_none());
        let own = limit.map_or(figure.range.clone(), |(_, range)| range.clone());
        let counted = own.end > figure.range.end || known.spelled && !figure.unit.is_empty();
        let end = |it: &Figure| if counted { it.unit.end } else { it.range.end };
        let mut new = clause[own.start..own.end.max(end(figure))].to_owned();
        // "Two" begins the feedback, not what stands in the prompt.
        let lower = work.unit_at(place).is_some_and(|it| it.place.range.start < place.range.start);
        let worded = figure.spelled || own.start < figure.range.start;
        if let Some(first) = new.get_mut(..1).filter(|_| lower && worded) {
            first.make_ascii_lowercase();
        }
        let place = Place { text: place.text, range: known.range.start..end(known) };
        told = work.exchange_all(&[place], &new).or(told);
    }
    told
}
