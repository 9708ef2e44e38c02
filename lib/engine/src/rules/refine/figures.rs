//! A figure that feedback names where the prompt has another one of the same thing.

use std::ops::Range;

use super::apply::overlaps;
use super::asks;
use super::place::ended;
use super::values::{part_in, put};
use super::work::{Outcome, Work};
use crate::rules::split::capitalize;
use patterns::pattern;

/// Longest remark that only names a figure, in words.
const LONGEST: usize = 8;
/// Characters on either side of a figure that tell what it counts.
const NEAR: usize = 30;

/// A number with the word behind it.
struct Figure {
    number: Range<usize>,
    unit: String,
}

/// Puts the only figure of a short remark in the place of the prompt's one of the same unit, or of the bound on
/// the same thing: "Max 5 fetch calls" for "Never call fetch more than 10 times". A prompt with several of
/// them gets a line, which may contradict one of them. `None` if the prompt has none.
pub fn update(work: &mut Work<'_>, remark: &str) -> Option<Outcome> {
    let text = asks::core(remark).0;
    let named = figures(text);
    let [wanted] = &named[..] else { return None };
    if text.split_whitespace().count() > LONGEST || part_in(text).is_some() {
        return None;
    }
    let new = &text[wanted.number.clone()];
    let bound = pattern!(r"(?i)\b{refine_figures.limit}\b|{refine_figures.limit_without_spaces}");
    let framing = pattern!(r"^{refine_figures.framing}$");
    let topics: Vec<String> = words(text)
        .filter(|word| *word != stem(&wanted.unit))
        .filter(|word| !bound.is_match(word) && !framing.is_match(word))
        .collect();
    // What stands close by belongs to the figure.
    let shares = |place: &Range<usize>| {
        let from = work.prompt[..place.start].char_indices().rev().nth(NEAR - 1);
        let to = work.prompt[place.end..].char_indices().nth(NEAR);
        let from = from.map_or(0, |(at, _)| at);
        let to = to.map_or(work.prompt.len(), |(at, _)| place.end + at);
        let own: Vec<String> = words(&work.prompt[from..to]).collect();
        topics.iter().any(|topic| own.contains(topic))
    };
    let known: Vec<Figure> =
        figures(work.prompt).into_iter().filter(|figure| !work.is_held(&figure.number)).collect();
    let same: Vec<&Figure> =
        known.iter().filter(|figure| stem(&figure.unit) == stem(&wanted.unit)).collect();
    let bounds: Vec<&Figure> = known
        .iter()
        .filter(|figure| {
            let from = work.prompt[..figure.number.start].char_indices().rev().nth(19);
            let lead = &work.prompt[from.map_or(0, |(at, _)| at)..figure.number.start];
            bound.is_match(lead) && shares(&figure.number)
        })
        .collect();
    // A figure that is repeated is one.
    let is_one = same
        .windows(2)
        .all(|pair| work.prompt[pair[0].number.clone()] == work.prompt[pair[1].number.clone()]);
    let shared = topics.is_empty() || same.iter().any(|figure| shares(&figure.number));
    let of_text = pattern!(r"^{refine_figures.unit_of_text}");
    let places: Vec<Range<usize>> = match (&same[..], &bounds[..]) {
        ([_, ..], _) if is_one && shared => {
            same.iter().map(|figure| figure.number.clone()).collect()
        }
        // A length of the text is no bound on anything else.
        ([], [one]) if bound.is_match(text) && !of_text.is_match(&wanted.unit) => {
            vec![one.number.clone()]
        }
        ([], _) => return None,
        _ => {
            let told = work.partly(
                "The prompt states it now; where it says something else, only its author can tell.",
                &[],
            );
            work.add_line(&ended(&capitalize(text)), &told.1);
            return Some(told);
        }
    };
    let around = work.sentence_at(&places[0]).unwrap_or(places[0].clone());
    let bounded = !bound.is_match(text) || bound.is_match(&work.prompt[around]);
    let done = put(work, &places, new).unwrap_or_else(|| overlaps(work));
    if !bounded {
        work.add_line(&ended(&capitalize(text)), &done.1);
    }
    Some(done)
}

fn figures(text: &str) -> Vec<Figure> {
    pattern!(r"(?P<n>\d+(?:[.,]\d+)*)[ \x{a0}-]?(?P<u>\p{L}+)")
        .captures_iter(text)
        .filter_map(|found| {
            let unit = found["u"].to_lowercase();
            Some(Figure { number: found.name("n")?.range(), unit })
        })
        .collect()
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
        Some(first) if first >= '\u{2e80}' => first.to_string(),
        _ => word.trim_end_matches('s').chars().take(6).collect(),
    }
}
