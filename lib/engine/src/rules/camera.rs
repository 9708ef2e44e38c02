//! Camera moves that a goal for a clip names.

use std::ops::Range;

use super::framing;
use super::quotes::Quotes;
use patterns::pattern;

/// Reads the camera moves of a clip. Where each shot has its own, all are taken out of the text if there are
/// several; elsewhere only one stays, in its place: the one said to be the main one, or the first. Gives
/// the moves that stay and those that are left out.
pub fn settle(
    subject: &mut String,
    details: &mut [String],
    shot_list: bool,
) -> (Vec<String>, Vec<String>) {
    let mut texts: Vec<&mut String> = [subject].into_iter().chain(details.iter_mut()).collect();
    let masked: Vec<(String, Quotes)> = texts.iter().map(|text| Quotes::mask(text, true)).collect();
    let found: Vec<Vec<Move>> = masked.iter().map(|(text, _)| moves(text)).collect();
    let all: Vec<(usize, &Move)> = found
        .iter()
        .enumerate()
        .flat_map(|(index, list)| list.iter().map(move |found| (index, found)))
        .collect();
    if all.len() < 2 {
        return (all.into_iter().map(|(_, found)| found.words.clone()).collect(), Vec::new());
    }
    let kept = all.iter().position(|(_, found)| found.main).unwrap_or(0);
    let (mut stays, mut left_out) = (Vec::new(), Vec::new());
    let mut cuts: Vec<Vec<Range<usize>>> = vec![Vec::new(); masked.len()];
    for (position, (index, found)) in all.iter().enumerate() {
        if shot_list {
            stays.push(found.words.clone());
        } else if position == kept {
            stays.push(found.words.clone());
            continue;
        } else {
            left_out.push(found.words.clone());
        }
        cuts[*index].push(found.place.clone());
    }
    for (text, ((masked, quotes), cuts)) in texts.iter_mut().zip(masked.iter().zip(&cuts)) {
        if cuts.is_empty() {
            continue;
        }
        let mut rest = String::new();
        let mut end = 0;
        for cut in cuts {
            joined(&mut rest, &masked[end..cut.start]);
            end = cut.end;
        }
        joined(&mut rest, &masked[end..]);
        let rest = pattern!(r"(?i)(?:^|[,;.]?\s+){camera.loose_end}\s*(?P<end>[,;.]|$)")
            .replace_all(&rest, "$end");
        **text = quotes.unmask(&framing::mended(&rest));
    }
    (stays, left_out)
}

/// Adds what follows a cut, set apart from what precedes it.
fn joined(text: &mut String, more: &str) {
    if !text.is_empty()
        && !text.ends_with([' ', ',', ';'])
        && more.starts_with(|c: char| c.is_alphanumeric())
    {
        text.push_str(", ");
    }
    text.push_str(more);
}

/// A camera move with its place in the text.
struct Move {
    words: String,
    place: Range<usize>,
    /// Whether it is said to be the main one.
    main: bool,
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
        let kind = kind(&found.words);
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
    let before = words[..found.start()].trim();
    // "Frying pans" and "she tilts her head" are no camera moves.
    let bare = pattern!(r"(?i)^{camera.short_movement}$").is_match(found.as_str());
    let fillers = pattern!(r"(?i)^(?:{camera.before_short} ?)*$").is_match(before);
    let direction =
        pattern!(r"(?i)^(?:\s+{camera.direction}\b|\s*$)").is_match(&words[found.end()..]);
    if bare && !(fillers && direction) {
        return None;
    }
    let opens = before.is_empty()
        || pattern!(r"(?i)^{camera.label} ?(?:{camera.behind_label} )*$").is_match(before);
    let after = &words[found.end()..];
    let shows = pattern!(r"(?i)^\s+(?:{camera.way}\s+)?{camera.onto}\s+{camera.shown_article} ");
    let (begin, end) = if let Some(shown) = shows.find(after) {
        // What the shot shows for the first time is no part of the move.
        let article = shown.as_str().trim_end().rfind(' ').map_or(shown.end(), |at| at + 1);
        (if opens { start } else { part.start + found.start() }, part.start + found.end() + article)
    } else if let Some(of) = pattern!(r"^ {camera.of} ").find(after) {
        // What the shot shows is no part of the move.
        (
            if opens { start } else { part.start + found.start() },
            part.start + found.end() + of.end(),
        )
    } else if opens {
        (start, part.end)
    } else {
        (part.start + found.start(), part.start + found.end())
    };
    let shown =
        if opens && end == part.end && !shows.is_match(after) { words } else { found.as_str() };
    let shown = pattern!(r"(?i)^(?:{camera.before_movement} )+").replace(shown.trim(), "");
    let shown = shown.trim_end_matches(['.', '!', ' ']).to_owned();
    (!shown.is_empty()).then(|| Move {
        words: shown,
        place: begin..end,
        main: pattern!(r"(?i)\b{camera.mainly}\b").is_match(words),
    })
}

fn kind(words: &str) -> String {
    let lower = words.to_lowercase();
    pattern!(r"{camera.stem}|360")
        .find(&lower)
        .map_or(lower.clone(), |found| found.as_str().to_owned())
}

/// Whether a goal in another language than English names a camera move.
pub fn is_named_abroad(lower: &str) -> bool {
    pattern!(r"{camera.foreign}").is_match(lower)
}
