//! Camera moves that a goal for a clip names, in English.

use std::ops::Range;

use patterns::pattern;

use super::phrase::mended;
use crate::quotes::Quotes;

/// A camera move with its place in the text.
struct Move {
    words: String,
    place: Range<usize>,
    /// Whether it is said to be the main one.
    main: bool,
}

/// Takes the first camera move out of a step; gives the rest and the move.
pub fn take(step: &str) -> (String, Option<String>) {
    let (masked, quotes) = Quotes::mask(step, true);
    let Some(first) = moves(&masked).into_iter().next() else { return (step.to_owned(), None) };
    let rest = without(&masked, &[first.place]);
    let rest = pattern!(r"(?i)^(?:{footage.toward}|{footage.filler})$").replace(rest.trim(), "");
    (quotes.unmask(&rest), Some(first.words))
}

/// The camera moves of a text, in order.
pub fn all(text: &str) -> Vec<String> {
    moves(&Quotes::mask(text, true).0).into_iter().map(|found| found.words).collect()
}

/// The text without any camera move.
pub fn cleared(text: &str) -> String {
    let (masked, quotes) = Quotes::mask(text, true);
    let places: Vec<_> = moves(&masked).into_iter().map(|found| found.place).collect();
    quotes.unmask(&without(&masked, &places))
}

/// Leaves one camera move in the texts, in its place: the one said to be the main one, or the first. Gives it and
/// those that were taken out.
pub fn settle(texts: &mut [&mut String]) -> (Option<String>, Vec<String>) {
    let masked: Vec<(String, Quotes)> = texts.iter().map(|text| Quotes::mask(text, true)).collect();
    let found: Vec<Vec<Move>> = masked.iter().map(|(text, _)| moves(text)).collect();
    let all = || found.iter().flatten();
    let Some(kept) = all().find(|one| one.main).or_else(|| all().next()) else {
        return (None, Vec::new());
    };
    let other = |one: &&Move| !std::ptr::eq(*one, kept);
    for ((text, (masked, quotes)), found) in texts.iter_mut().zip(&masked).zip(&found) {
        let places: Vec<_> = found.iter().filter(other).map(|one| one.place.clone()).collect();
        if !places.is_empty() {
            **text = quotes.unmask(&without(masked, &places));
        }
    }
    (Some(kept.words.clone()), all().filter(other).map(|one| one.words.clone()).collect())
}

/// The text without these places, mended.
fn without(text: &str, places: &[Range<usize>]) -> String {
    let mut rest = String::new();
    let mut end = 0;
    for place in places.iter().chain([&(text.len()..text.len())]) {
        let more = &text[end..place.start];
        if !rest.is_empty()
            && !rest.ends_with([' ', ',', ';'])
            && more.starts_with(|c: char| c.is_alphanumeric())
        {
            rest.push_str(", ");
        }
        rest.push_str(more);
        end = place.end;
    }
    let rest = pattern!(r"(?i)(?:^|[,;.]?\s+){camera.loose_end}\s*(?P<end>[,;.]|$)")
        .replace_all(&rest, "$end");
    mended(&rest)
}

/// The moves of a text, at most one in each part of a sentence.
fn moves(text: &str) -> Vec<Move> {
    let boundary = pattern!(r"(?i)[,;]\s+|[.:]\s+|\s+{camera.between}\s+");
    let mut found = Vec::new();
    let mut start = 0;
    let mut from = 0;
    for mark in boundary.find_iter(text) {
        found.extend(read(text, start, from..mark.start()));
        (start, from) = (mark.start(), mark.end());
    }
    found.extend(read(text, start, from..text.len()));
    // "A slow zoom in … the camera zooms in" is one move.
    let mut kinds = Vec::new();
    found.retain(|found: &Move| {
        let lower = found.words.to_lowercase();
        let stem = pattern!(r"{camera.stem}|360").find(&lower);
        let kind = stem.map_or(lower.clone(), |stem| stem.as_str().to_owned());
        let fresh = !kinds.contains(&kind);
        kinds.push(kind);
        fresh
    });
    found
}

/// Reads one part of a sentence; `start` is where the words that join it to what precedes begin.
fn read(text: &str, start: usize, part: Range<usize>) -> Option<Move> {
    let words = &text[part.clone()];
    let pattern = pattern!(
        r"(?i)\b(?:{camera.with} )?(?:{camera.article} )?(?:{camera.manner} )*{camera.movement}\b(?: {camera.camera})?(?: {camera.shot})?"
    );
    let found = pattern.find(words)?;
    let (before, after) = (words[..found.start()].trim(), &words[found.end()..]);
    // "Frying pans" and "she tilts her head" are no camera moves.
    let bare = pattern!(r"(?i)^{camera.short_movement}$").is_match(found.as_str());
    let fillers = pattern!(r"(?i)^(?:{camera.before_short} ?)*$").is_match(before);
    let direction = pattern!(r"(?i)^(?:\s+{camera.direction}\b|\s*$)").is_match(after);
    if bare && !(fillers && direction) {
        return None;
    }
    let opens = before.is_empty()
        || pattern!(r"(?i)^{camera.label} ?(?:{camera.behind_label} )*$").is_match(before);
    let shows = pattern!(r"(?i)^\s+(?:{camera.way}\s+)?{camera.onto}\s+{camera.shown_article} ");
    // What the shot shows is no part of the move.
    let shown = shows.find(after).map(|shown| {
        shown.as_str().trim_end().rfind(' ').map_or(shown.end(), |article| article + 1)
    });
    let shown = shown.or_else(|| pattern!(r"^ {camera.of} ").find(after).map(|of| of.end()));
    let end = match shown {
        Some(length) => part.start + found.end() + length,
        None if opens => part.end,
        None => part.start + found.end(),
    };
    let said = if opens && shown.is_none() { words } else { found.as_str() };
    let said = pattern!(r"(?i)^(?:{camera.before_movement} )+").replace(said.trim(), "");
    let said = said.trim_end_matches(['.', '!', ' ']).to_owned();
    (!said.is_empty()).then(|| Move {
        words: said,
        place: if opens { start } else { part.start + found.start() }..end,
        main: pattern!(r"(?i)\b{camera.mainly}\b").is_match(words),
    })
}

/// Whether a goal in another language than English names a camera move; it is in lower case.
pub fn is_named_abroad(lower: &str) -> bool {
    pattern!(r"{camera.foreign}").is_match(lower)
}
