//! A number of the feedback takes the place of the one in the prompt with its noun or label.

use std::ops::Range;

use super::numbers::{AROUND, Class, Figure, bound, figures, is_pair};
use super::words::{alike, content, names, shared, words};
use super::work::{Outcome, Place, Work};
use patterns::pattern;
use text::{Cover, is_unspaced, tail};

/// The places of a number in the prompt.
type Found = Vec<(Place, Figure)>;

/// A number of the prompt that one of the feedback may mean.
struct Candidate {
    place: Place,
    figure: Figure,
    score: usize,
    /// Whether words around it speak of it as the point does.
    labelled: bool,
}

/// Puts the numbers of a point in the place of those that they mean; `None` unless each has one such place.
pub fn set(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    if pattern!(r"(?i)^{refine.add}\b|→|->|=>").is_match(point) {
        return None;
    }
    let held = text::literals::scan(point).cover(point.len());
    let mut wanted = figures(point, &held);
    if wanted.is_empty() || wanted.len() > 3 {
        return None;
    }
    let (mut found, mut told) = (Vec::<Found>::new(), Vec::<Outcome>::new());
    // A further clause that speaks of something new adds to the prompt.
    for clause in clauses(point, &wanted).into_iter().skip(1) {
        let words = content(&point[clause.clone()]);
        if words.iter().any(|word| !work.speaks_of(word)) {
            wanted.retain(|figure| !clause.contains(&figure.range.start));
        }
    }
    for figure in &wanted {
        let places = meant(work, point, figure, None, &found)?;
        found.push(places);
    }
    let changed: Vec<String> =
        found.iter().flatten().map(|(place, _)| work.at(place).to_owned()).collect();
    for (figure, places) in wanted.iter().zip(&found) {
        told.extend(put(work, point, figure, places));
    }
    let status = told.first()?.0;
    let reason = told.iter().map(|told| told.1.as_str()).collect::<Vec<_>>().join(" ");
    let done = (status, reason);
    // Examples stay as they are, and may show the old number.
    let shown = work
        .figures()
        .iter()
        .any(|(place, _)| work.is_shown(place) && changed.iter().any(|old| old == work.at(place)));
    let more = shown || says_more(work, point, &wanted);
    Some(if more { super::both(done, work.pass_on()) } else { done })
}

/// The clauses of a point, cut where no number is.
fn clauses(point: &str, wanted: &[Figure]) -> Vec<Range<usize>> {
    let cuts = pattern!(r"(?i)[,;，、；]\s*(?:(?:{refine.joint})\s+)?|\s+(?:{refine.joint})\s+");
    let inside = |at: &usize| wanted.iter().any(|it| it.range.start < *at && *at < it.range.end);
    let (mut from, mut found) = (0, Vec::new());
    for cut in cuts.find_iter(point).filter(|cut| !inside(&cut.start())) {
        found.push(from..cut.start());
        from = cut.end();
    }
    found.push(from..point.len());
    found.retain(|clause| !point[clause.clone()].trim().is_empty());
    found
}

/// Whether a point has clauses without a number, or says something new behind its number.
fn says_more(work: &Work<'_>, point: &str, wanted: &[Figure]) -> bool {
    clauses(point, wanted).into_iter().any(|clause| {
        let inside = wanted.iter().filter(|figure| clause.contains(&figure.range.start));
        let last = inside.map(|figure| figure.unit.end).max();
        let from = last.unwrap_or(clause.start).min(clause.end);
        let behind = point[from..clause.end].split('(').next().unwrap_or_default();
        let new = |word: &&str| !word.starts_with(is_unspaced) && !work.speaks_of(word);
        content(behind).iter().any(|word| last.is_none() || new(word))
            || super::read::is_negated(behind)
    })
}

/// Puts `new` in the place of the number `old` that goes with the words of the point.
pub fn exchange(work: &mut Work<'_>, point: &str, old: &str, new: &str) -> Option<Outcome> {
    let held = Cover::default();
    let (was, is) = (figures(old, &held), figures(new, &held));
    let ([was], [is]) = (&was[..], &is[..]) else { return None };
    let old = &old[was.range.clone()];
    let at = point.rfind(new)?;
    let moved = Figure {
        range: is.range.start + at..is.range.end + at,
        unit: is.unit.start + at..is.unit.end + at,
        ..is.clone()
    };
    let found = meant(work, point, &moved, Some(old), &[])?;
    put(work, point, &moved, &found)
}

/// The places that a number of a point means; `None` where that is not sure.
fn meant(
    work: &Work<'_>,
    point: &str,
    figure: &Figure,
    old: Option<&str>,
    others: &[Found],
) -> Option<Found> {
    let clause = clause_of(point, figure);
    let unit = &point[figure.unit.clone()];
    let mut labels = content(&point[clause.clone()]);
    labels.retain(|word| *word != unit && !point[figure.range.clone()].contains(word));
    if old.is_none() && is_qualified(work, &point[clause.start..figure.range.start]) {
        return None;
    }
    let mut list = candidates(work, point, figure, old, &labels)?;
    list.retain(|one| {
        let taken = others.iter().flatten().any(|(other, _)| *other == one.place);
        !taken && work.is_free(&one.place) && !work.is_shown(&one.place)
    });
    let of_class = work.figures().iter().filter(|(_, it)| it.class == figure.class).count();
    let special = !matches!(figure.class, Class::Plain | Class::Code);
    let value = pattern!(r"(?i)^(?:{refine.value}|{refine.copula})$");
    let plain = labels.iter().all(|label| value.is_match(label));
    let only = special && of_class == 1 && plain || figure.class == Class::Code && list.len() == 1;
    // A word of the point that stands elsewhere may name another thing with the same unit.
    let before = content(&point[clause.start..figure.range.start]);
    let elsewhere = || before.iter().any(|label| work.speaks_of(label));
    let new = labels.iter().any(|label| !work.speaks_of(label));
    let best = list.iter().map(|one| one.score).max()?;
    let unsure = |one: &Candidate| one.score == best && !one.labelled;
    let doubt = old.is_none() && !only && list.iter().any(unsure) && (new || elsewhere());
    if doubt || best < 2 && !only && !(old.is_some() && list.len() == 1) {
        return None;
    }
    list.retain(|one| one.score == best && (best > 1 || one.figure.class == figure.class));
    // Three trees and 200,000 are not the same trees.
    let many = digits(&point[figure.range.clone()]);
    if list.iter().any(|one| digits(work.at(&one.place)).abs_diff(many) > 2) {
        return None;
    }
    of_one_value(work, list)
}

/// The numbers of the prompt that one of the point may replace; `None` if one stands so already.
fn candidates(
    work: &Work<'_>,
    point: &str,
    figure: &Figure,
    old: Option<&str>,
    labels: &[&str],
) -> Option<Vec<Candidate>> {
    let (number, unit) = (&point[figure.range.clone()], &point[figure.unit.clone()]);
    let own_bound = bound(point, figure);
    let mut list = Vec::new();
    for (place, known) in work.figures().iter().filter(|(_, known)| fits(figure, known)) {
        let words = work.text(place.text);
        let (range, other) = (&words[known.range.clone()], &words[known.unit.clone()]);
        let same = !unit.is_empty() && is_unit(unit, other);
        let differs = !unit.is_empty() && !other.is_empty() && !same;
        let is_old = old.is_none_or(|old| old == range);
        let is_bounded = own_bound.is_none() || old.is_some() || bound(words, known) == own_bound;
        let labelled = labels_of(work, place, known.class, labels);
        // What stands so already needs no place elsewhere.
        if labelled > 0 && number == range {
            return None;
        }
        let counts = if known.spelled { same } else { !figure.spelled };
        // One number does not stand for the two of a range that counts something else.
        let halves =
            is_pair(range) && !is_pair(number) && (!same || range.contains(char::is_alphabetic));
        if is_old && is_bounded && counts && !differs && !halves {
            let score = 4 * usize::from(same) + labelled + usize::from(old.is_some());
            let (place, figure) = (place.clone(), known.clone());
            list.push(Candidate { place, figure, score, labelled: labelled > 0 });
        }
    }
    Some(list)
}

/// How many digits a number has.
fn digits(number: &str) -> usize {
    number.chars().filter(char::is_ascii_digit).count()
}

/// Whether a new word directly before one of the prompt makes another thing of it: "late check-out".
fn is_qualified(work: &Work<'_>, text: &str) -> bool {
    words(text).windows(2).any(|pair| {
        let (first, second) = (&text[pair[0].clone()], &text[pair[1].clone()]);
        let joined = text[pair[0].end..pair[1].start] == *" ";
        let verb = pattern!(r"(?i)^(?:{refine.change}|{refine.use})$").is_match(first);
        joined && names(first) && !verb && !work.speaks_of(first) && work.speaks_of(second)
    })
}

/// The places of numbers that all have one value, of those beside what is brought along, if there are some.
fn of_one_value(work: &Work<'_>, mut list: Vec<Candidate>) -> Option<Found> {
    if list.iter().any(|one| !work.is_supplied(&one.place)) {
        list.retain(|one| !work.is_supplied(&one.place));
    }
    let first = work.at(&list.first()?.place);
    let one_value = list.iter().all(|one| work.at(&one.place) == first);
    one_value.then(|| list.into_iter().map(|one| (one.place, one.figure)).collect())
}

/// Whether a number can stand where another one does.
fn fits(new: &Figure, old: &Figure) -> bool {
    let sums = [Class::Plain, Class::Money, Class::Percent];
    new.class == old.class
        || new.class == Class::Plain && sums.contains(&old.class)
        || new.class == Class::Money && old.class == Class::Plain
}

/// The clause of a point that a number stands in.
fn clause_of(point: &str, figure: &Figure) -> Range<usize> {
    let own = std::slice::from_ref(figure);
    let mut all = clauses(point, own).into_iter();
    all.find(|clause| clause.contains(&figure.range.start)).unwrap_or(0..point.len())
}

/// Whether two words count the same; what follows in scripts without spaces may be another word.
fn is_unit(one: &str, other: &str) -> bool {
    let first = one.chars().next().filter(|c| is_unspaced(*c));
    alike(one, other) || first.is_some() && first == other.chars().next()
}

/// How much the words around a place have of the labels: those in its own clause count twice.
fn labels_of(work: &Work<'_>, place: &Place, class: Class, labels: &[&str]) -> usize {
    let Some(unit) = work.unit_at(place) else { return 0 };
    let around = unit.shares(labels);
    if around == 0 {
        return 0;
    }
    let (unit, text) = (&unit.place, work.text(place.text));
    let ends = [',', ';', '|', '(', ')', '\n', '.', '，', '、', '；', '。'];
    // What stands before the number up to the last one, or the last of its kind, and behind it in its clause.
    let last = |any: bool| {
        let before = figures_in(work, unit).filter(|(other, figure)| {
            other.range.end <= place.range.start && (any || figure.class == class)
        });
        before.map(|(other, _)| other.range.end).max().unwrap_or(unit.range.start)
    };
    let behind = place.range.end..unit.range.end.max(place.range.end);
    let to = text[behind.clone()].find(ends).map_or(behind.end, |at| behind.start + at);
    let near = shared(labels, &text[last(false)..to]);
    let before = content(tail(&text[last(true)..place.range.start], AROUND)).pop();
    let adjacent = before.is_some_and(|word| labels.iter().any(|label| alike(label, word)));
    near + around + usize::from(adjacent)
}

/// The numbers within a sentence.
fn figures_in<'w>(
    work: &'w Work<'_>,
    unit: &Place,
) -> impl Iterator<Item = &'w (Place, Figure)> + use<'w> {
    let list = work.figures();
    let (text, end) = (unit.text, unit.range.end);
    let first = list
        .partition_point(|(place, _)| (place.text, place.range.start) < (text, unit.range.start));
    list[first..].iter().take_while(move |(place, _)| place.text == text && place.range.start < end)
}

/// Writes a number of a point in the places.
fn put(work: &mut Work<'_>, point: &str, figure: &Figure, places: &Found) -> Option<Outcome> {
    let number = &point[figure.range.clone()];
    let mut told = None;
    for (place, known) in places {
        let counted = known.spelled && !figure.unit.is_empty();
        let (range, new) = if counted {
            let phrase = &point[figure.range.start..figure.unit.end];
            (known.range.start..known.unit.end, phrase.to_owned())
        } else {
            (known.range.clone(), number.to_owned())
        };
        let place = Place { text: place.text, range };
        told = work.exchange_all(&[place], &new).or(told);
    }
    told
}
