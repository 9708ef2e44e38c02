//! Elements of an answer that are wanted and unwanted.

use super::reading::{Medium, Reading};
use super::rule::Spot;
use super::span::Span;
use patterns::pattern;

/// Whether words name a part of an answer, for which rules of its own may hold.
pub fn names_part(text: &str) -> bool {
    pattern!(r"(?i)(?-u:\b){analyze_clashes.part}(?-u:\b)").is_match(text)
}

/// How many things can be wanted or unwanted in an answer; each is a group of `analyze_clashes.element`.
const ELEMENTS: usize = 8;

/// An element that one sentence wants and another refuses: "with emojis", "no emojis".
pub fn conflicting_elements(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text || !reading.has_known_words() {
        return Vec::new();
    }
    let wanted = pattern!(
        r"(?i)(?-u:\b){analyze_clashes.wanted}\s+(?:[\p{L}\d’'-]+\s+){0,2}?{analyze_clashes.element}(?-u:\b)"
    );
    let unwanted = pattern!(
        r"(?i)(?-u:\b){analyze_clashes.unwanted}\s*(?:[\p{L}’'-]+\s+){0,1}?{analyze_clashes.element}(?-u:\b)"
    );
    let mut want: [Option<Span>; ELEMENTS] = [None; ELEMENTS];
    let mut refuse: [Option<Span>; ELEMENTS] = [None; ELEMENTS];
    for (number, sentence) in source.sentences.iter().enumerate() {
        let text = source.prose_of(sentence.span);
        // What holds for a part, or under a condition, excludes nothing elsewhere.
        if text.ends_with('?') || text.len() > LONG_SENTENCE || names_part(&unelemented(text)) {
            continue;
        }
        let span = |found: patterns::Match<'_>| {
            Span::new(sentence.span.start + found.start(), sentence.span.start + found.end())
        };
        let refused: Vec<(usize, Span)> = unwanted
            .captures_iter(text)
            .filter_map(|found| Some((element(&found)?, span(found.get(0)?))))
            .filter(|(_, place)| !is_limited(&source.prose[place.end..]))
            .collect();
        for found in wanted.captures_iter(text) {
            let (Some(what), Some(place)) = (element(&found), found.get(0)) else { continue };
            let place = span(place);
            let negated = refused.iter().any(|(_, other)| other.end == place.end)
                || pattern!(r"(?i){analyze_clashes.negation}\s+(?:\S+\s+)?$")
                    .is_match(&source.prose[sentence.span.start..place.start]);
            // "They sell stickers with emojis" wants none.
            let asked = reading.requests.binary_search(&number).is_ok();
            if asked && !negated && !is_limited(&source.prose[place.end..]) {
                want[what].get_or_insert(place);
            }
        }
        for (what, place) in refused {
            refuse[what].get_or_insert(place);
        }
    }
    want.iter()
        .zip(&refuse)
        .filter_map(|(want, refuse)| {
            let (one, other) = ((*want)?, (*refuse)?);
            let (earlier, later) = if one < other { (one, other) } else { (other, one) };
            Some(Spot::naming(later, source.slice(earlier).to_owned()))
        })
        .collect()
}

/// Bytes of a sentence from which on it is no plain wish.
const LONG_SENTENCE: usize = 400;

/// Number of the element that was found.
fn element(found: &patterns::Captures<'_>) -> Option<usize> {
    (0..ELEMENTS).find(|at| found.get(at + 1).is_some())
}

/// A sentence without the elements, some of which are also parts of a text.
fn unelemented(text: &str) -> String {
    pattern!(r"(?i)(?-u:\b){analyze_clashes.no_part}(?-u:\b)").replace_all(text, " ").into_owned()
}

/// Whether what follows says where, or for how much of it, a wish holds.
fn is_limited(rest: &str) -> bool {
    pattern!(r"(?i)^[ ,]*{analyze_clashes.limit}(?-u:\b)").is_match(rest)
}
