//! Values and figures that feedback names where the prompt has others of the same thing.

use std::ops::Range;

use super::courtesy;
use super::place::ended;
use super::set::put;
use super::state::{overlaps, require};
use super::work::{Outcome, Work};
use crate::slots;
use crate::split::{capitalize, stop};
use patterns::pattern;

/// Longest value that is taken from a "name: value", in characters.
const LONGEST_VALUE: usize = 80;
/// Longest remark that only names a figure, in words.
const LONGEST: usize = 8;
/// Characters on either side of a figure that tell what it counts.
const NEAR: usize = 30;
const DOUBTFUL: &str =
    "The prompt states it now; where it says something else, only its author can tell.";

/// Where the value of a noun stands: "the deadline is Monday", "Deadline: Monday".
fn value_place(work: &Work<'_>, noun: &str) -> Vec<Range<usize>> {
    let leads = pattern!(
        r"(?i)^\**(?:\s*[:：=]\**\s*|\s+{refine_value.is}\s+|\s+(?P<q>[\x22“„«]))(?P<v>[^\n]+)"
    );
    let ends = pattern!(r"[.,;!?](?:\s|$)|\s{refine_value.behind_value}\s|[()\n\r]|$");
    let value = |noun: &Range<usize>| {
        let found = leads.captures(&work.prompt[noun.end..])?;
        let from = noun.end + found.name("q").or(found.name("v"))?.start();
        let text = &work.prompt[from..noun.end + found.name("v")?.end()];
        let scanned = text::literals::scan(text);
        match (scanned.quotations.first(), scanned.quoted.first()) {
            (Some(whole), Some(inner)) if whole.start == 0 => {
                Some(from + inner.start..from + inner.end)
            }
            _ => {
                let value = text[..ends.find(text)?.start()].trim_end();
                let fits = !value.is_empty() && value.chars().count() <= LONGEST_VALUE;
                fits.then(|| from..from + value.len())
            }
        }
    };
    work.places(noun).iter().filter_map(value).collect()
}

/// Gives what a noun names another value. "The bear's name" is what "a bear named Bruno" tells.
pub fn set_value(work: &mut Work<'_>, noun: &str, value: &str) -> Outcome {
    let whose = pattern!(
        r"(?i)^(?:(?P<v>.+){refine_value.ones_name}|{refine_value.name} {refine_value.of} (?:{refine_value.the} )?(?P<w>.+))$"
    );
    let mut places = value_place(work, noun);
    if places.is_empty()
        && let Some(found) = whose.captures(noun)
        && let Some(whose) = found.name("v").or(found.name("w"))
    {
        places = value_place(work, whose.as_str());
    }
    let text = |place: &Range<usize>| &work.prompt[place.clone()];
    let same = places.iter().all(|place| text(place) == text(&places[0]));
    if same && let Some(done) = put(work, &places, value) {
        return done;
    }
    let told = work.partly(DOUBTFUL, &[]);
    work.add_line(&format!("{}: {}", capitalize(noun), stop(value)), &told.1);
    told
}

/// Whether a sentence says who the model is.
pub fn gives_role(sentence: &str) -> bool {
    pattern!(r"(?i)^{refine_value.role} ?\S").is_match(sentence)
}

/// Sets who the model is, in place of the earlier role or at the beginning.
pub fn set_role(work: &mut Work<'_>, role: &str) -> Outcome {
    let gives = |range: &&Range<usize>| gives_role(&work.prompt[(*range).clone()]);
    let earlier = work.sentences().iter().find(gives).cloned();
    let new = stop(&capitalize(role));
    if let Some(place) = earlier {
        return put(work, &[place], &new).unwrap_or_else(|| overlaps(work));
    }
    let start = work.prompt.len() - work.prompt.trim_start().len();
    let gap = if work.prompt[start..].starts_with(['#', '<', '-', '*']) { "\n\n" } else { " " };
    let told = work.applied("The prompt states it as a requirement now.", &[]);
    work.edits.add(start..start, &format!("{new}{gap}"), &told.1, None);
    told
}

/// The text that a thing stands for in the prompt: what is quoted, a name, or the value behind a noun.
pub fn value_of(work: &Work<'_>, thing: &str) -> Option<String> {
    let quoted = courtesy::unquoted(thing);
    if quoted != thing {
        return Some(quoted.to_owned());
    }
    let place = value_place(work, thing).into_iter().next();
    if let Some(place) = place {
        return Some(work.prompt[place].to_owned());
    }
    let named = thing.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    (named && work.tongue.tag != "de" && !work.places(thing).is_empty()).then(|| thing.to_owned())
}

/// Where a noun stands with an article that points at something definite, from the article on.
pub fn mentions(work: &Work<'_>, thing: &str) -> Vec<Range<usize>> {
    let definite = pattern!(r"(?i)(?:^|[^\p{L}])(?P<v>{refine_value.definite})\s+$");
    let mention = |place: Range<usize>| {
        let lead = work.prompt[..place.start].char_indices().rev().nth(12);
        let from = lead.map_or(0, |(at, _)| at);
        let found = definite.captures(&work.prompt[from..place.start])?;
        Some(from + found.name("v")?.start()..place.end)
    };
    let found = work.places(thing).into_iter().filter_map(mention);
    found.filter(|range| !work.is_held(range)).collect()
}

/// A number with the stems of the words behind it, first that of its unit.
struct Figure {
    number: Range<usize>,
    stems: Vec<String>,
}

/// From here on, characters are of scripts that put no spaces between words.
const UNSPACED: char = '\u{2e80}';

fn figures(text: &str) -> Vec<Figure> {
    pattern!(r"(?P<n>\d+(?:[.,]\d+)*)[ \x{a0}-]?(?P<u>\p{L}+(?:[ -]\p{L}+){0,2})")
        .captures_iter(text)
        .filter_map(|found| {
            let stems = found["u"].split([' ', '-']).map(stem).collect();
            let number = found.name("n")?.range();
            // "H2" is a name.
            let named = text[..number.start].ends_with(|c: char| c.is_alphabetic() && c < UNSPACED);
            // "1 to 5" has the unit of its second number.
            let bound =
                pattern!(r"(?i)^\s*{constraint_number.until}\s*\d").is_match(&text[number.end..]);
            (!named && !bound).then_some(Figure { number, stems })
        })
        .collect()
}

/// Figures of the prompt that are not quoted or code.
fn own_figures(work: &Work<'_>) -> Vec<Figure> {
    let found = figures(work.prompt).into_iter();
    found.filter(|figure| !work.is_held(&figure.number)).collect()
}

/// The figures before a noun: the 5 of "a 5-minute game", with `skips` words between them at least.
fn counting(work: &Work<'_>, noun: &str, skips: usize) -> Vec<Range<usize>> {
    let words: Vec<String> = noun.split(' ').map(stem).collect();
    let counts =
        |figure: &Figure| figure.stems.iter().skip(skips).any(|stem| words.last() == Some(stem));
    let found = own_figures(work).into_iter().filter(counts);
    found.map(|figure| figure.number).collect()
}

/// Changes how many of something there are to be.
pub fn set_count(work: &mut Work<'_>, number: &str, noun: &str, wish: &str) -> Outcome {
    let places = counting(work, noun, 0);
    let text = |place: &Range<usize>| &work.prompt[place.clone()];
    // A figure that is repeated is one.
    if places.iter().all(|place| text(place) == text(&places[0])) {
        return put(work, &places, number).unwrap_or_else(|| require(work, courtesy::core(wish).0));
    }
    require(work, courtesy::core(wish).0)
}

/// Takes over a bare new value ("budget 80 EUR", "max 5 fetch calls") where the prompt has one of its kind; `None` where
/// it has none.
pub fn update(work: &mut Work<'_>, remark: &str) -> Option<Outcome> {
    let text = courtesy::core(remark).0;
    let count = text.split_whitespace().count();
    if let Some((part, number)) = part_in(text) {
        let places = counting(work, part, 1);
        return if places.len() == 1 { put(work, &places, number) } else { None };
    }
    let named = (count <= 5).then(|| named_slot(work, text)).flatten();
    if let Some((place, new)) = named {
        return put(work, &[place], &new);
    }
    if count <= LONGEST { update_figure(work, text) } else { None }
}

/// Where the prompt has another budget or deadline, and the new one.
fn named_slot(work: &Work<'_>, text: &str) -> Option<(Range<usize>, String)> {
    let found = slots::read(text);
    if found.budget.is_none() && found.deadline.is_none() {
        return None;
    }
    let known = slots::read(work.prompt);
    let bound = pattern!(r"(?i)^{refine_value.limit} ");
    let pairs = [(known.budget, found.budget), (known.deadline, found.deadline)];
    let (old, new) = pairs.into_iter().find_map(|(old, new)| old.zip(new))?;
    // "Less than 60 EUR" stays a limit when only the sum changes.
    let old = if bound.is_match(&new) { old } else { bound.replace(&old, "").into_owned() };
    let mut places = work.places(&old);
    places.retain(|range| !work.is_held(range));
    match &places[..] {
        [place] if old != new => Some((place.clone(), new)),
        _ => None,
    }
}

/// Puts the only figure of a short remark in the place of the prompt's one of the same unit, or of the bound on the
/// same thing: "Max 5 fetch calls" for "Never call fetch more than 10 times". A prompt with several of them gets a
/// line, which may contradict one of them.
fn update_figure(work: &mut Work<'_>, text: &str) -> Option<Outcome> {
    let named = figures(text);
    let [wanted] = &named[..] else { return None };
    let unit = &wanted.stems[0];
    let bound = pattern!(r"(?i)\b{refine_value.bound}\b|{refine_value.bound_unspaced}");
    let framing = pattern!(r"^{refine_value.framing}$");
    let of_text = pattern!(r"^{refine_value.unit_of_text}");
    let says_little = |word: &String| bound.is_match(word) || framing.is_match(word);
    let topics: Vec<String> =
        words(text).filter(|word| word != unit && !says_little(word)).collect();
    // What stands close by belongs to the figure.
    let before = |place: &Range<usize>, reach: usize| {
        let from = work.prompt[..place.start].char_indices().rev().nth(reach - 1);
        from.map_or(0, |(at, _)| at)
    };
    let shares = |place: &Range<usize>| {
        let to = work.prompt[place.end..].char_indices().nth(NEAR);
        let to = to.map_or(work.prompt.len(), |(at, _)| place.end + at);
        words(&work.prompt[before(place, NEAR)..to]).any(|word| topics.contains(&word))
    };
    let known = own_figures(work);
    let numbers = |fits: &dyn Fn(&Figure) -> bool| -> Vec<Range<usize>> {
        known.iter().filter(|figure| fits(figure)).map(|figure| figure.number.clone()).collect()
    };
    let same = numbers(&|figure| figure.stems[0] == *unit);
    let bounds = numbers(&|figure| {
        let place = &figure.number;
        bound.is_match(&work.prompt[before(place, 20)..place.start]) && shares(place)
    });
    let number = |place: &Range<usize>| &work.prompt[place.clone()];
    let repeated = same.iter().all(|place| number(place) == number(&same[0]));
    let places = if same.is_empty() {
        // A length of the text is no bound on anything else.
        let bounds_it = bounds.len() == 1 && bound.is_match(text) && !of_text.is_match(unit);
        if bounds_it { bounds } else { return None }
    } else if repeated && (topics.is_empty() || same.iter().any(shares)) {
        same
    } else {
        Vec::new()
    };
    let Some(first) = places.first() else {
        let told = work.partly(DOUBTFUL, &[]);
        work.add_line(&ended(&capitalize(text)), &told.1);
        return Some(told);
    };
    let around = work.sentence_at(first).unwrap_or(first.clone());
    let bounded = !bound.is_match(text) || bound.is_match(&work.prompt[around]);
    let done = put(work, &places, &text[wanted.number.clone()]).unwrap_or_else(|| overlaps(work));
    if !bounded {
        work.add_line(&ended(&capitalize(text)), &done.1);
    }
    Some(done)
}

/// The part that a remark gives a figure, with that figure: "Make the game 10 minutes".
fn part_in(remark: &str) -> Option<(&str, &str)> {
    let found = pattern!(
        r"(?i)^(?:{refine_value.make} )?{refine_value.the_part} (?P<part>[\p{L}-]+(?: [\p{L}-]+)?) (?:{refine_value.last} )*(?P<n>\d{1,4})[ -][\p{L}]+(?: {refine_value.long})?$"
    )
    .captures(remark)?;
    let whole = pattern!(r"(?i)^{refine_value.whole}\b");
    let (part, number) = (found.name("part")?.as_str(), found.name("n")?.as_str());
    (!whole.is_match(part)).then_some((part, number))
}

/// The stems of the longer words.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| word.is_ascii() && word.len() > 3 || !word.is_ascii() && word.len() > 5)
        .map(stem)
}

fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    match word.chars().next() {
        // A counter in a script without spaces is one character.
        Some(first) if first >= UNSPACED => first.to_string(),
        _ => word.trim_end_matches('s').chars().take(6).collect(),
    }
}
