//! The format of pictures and clips, in figures and in words.

use patterns::{Captures, Pattern, pattern};

/// Formats that pictures and clips have; other pairs of numbers are times, scores or scales.
const USUAL: [&str; 19] = [
    "1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "4:5", "5:4", "21:9", "9:21", "2:1", "1:2",
    "16:10", "10:16", "5:7", "7:5", "3:1", "1:3",
];
/// A format that stands inside a sentence: "a 9:16 video", "aspect ratio 2:3"; at its end one that is no time of day needs
/// no name.
const INSIDE: Pattern = pattern!(
    r"(?i)(?:^|[\s,(])(?:{visual.ratio}(?: {visual.ratio_of})?:? (?P<a>\d{1,2}:\d{1,2})|(?P<b>\d{1,2}:\d{1,2})[- ]{visual.after_ratio}|{visual.in_ratio} (?P<c>\d{1,2}:\d{1,2})|(?P<d>16:9|21:9|4:5|5:4|2:3|3:2|3:4|4:3)$)(?:[\s,.;)]|$)"
);

/// The format that an element states, if it says nothing else, for a picture or a clip.
pub fn of(element: &str, moving: bool) -> Option<String> {
    let figures = pattern!(
        r"(?i)^\s*(?:{visual.before_ratio}\s+)*(?:(?:{visual.shape}(?:[ -]{visual.orientation})?|{visual.format}|(?P<called>{visual.ratio})(?: {visual.ratio_of})?:?|{visual.in_ratio})\s+)*(?P<w>[1-9]\d?)\s?[:x×]\s?(?P<h>[1-9]\d?)(?:[- ]{visual.after_ratio})*(?:\s+{visual.behind_ratio})*[\s.!]*$"
    );
    if let Some(found) = figures.captures(element) {
        let called = found.name("called").is_some();
        let ratio = format!("{}:{}", &found["w"], &found["h"]);
        return (called || USUAL.contains(&ratio.as_str())).then_some(ratio);
    }
    let words = pattern!(
        r"(?i)^\s*(?:{visual.before_ratio}\s+)*(?:(?P<wide>{framing.landscape}|{framing.landscape_scripted})|(?P<portrait>{framing.portrait}|{framing.portrait_scripted})|{framing.square}|{framing.square_scripted})(?:\s+{visual.behind_ratio})*[\s.!]*$"
    );
    let found = words.captures(element)?;
    let ratio = match (found.name("wide"), found.name("portrait")) {
        (Some(_), _) => "16:9",
        (_, Some(_)) if moving => "9:16",
        (_, Some(_)) => "2:3",
        _ => "1:1",
    };
    Some(ratio.to_owned())
}

/// The one format that a text states in figures inside its sentences.
pub fn inside(text: &str) -> Option<String> {
    let figures = |found: Captures<'_>| {
        let figures = ["a", "b", "c", "d"].into_iter().find_map(|name| found.name(name))?;
        Some(figures.as_str().to_owned())
    };
    let mut found: Vec<String> = INSIDE.captures_iter(text).filter_map(figures).collect();
    found.retain(|ratio| USUAL.contains(&ratio.as_str()));
    found.dedup();
    found.pop().filter(|_| found.is_empty())
}

/// The usual format of a size in pixels: "512x768".
pub fn of_size(size: &str) -> Option<String> {
    let (wide, high) = sides(size, 'x').filter(|(wide, _)| *wide > 0.0)?;
    let has =
        |usual: &&str| sides(usual, ':').is_some_and(|(w, h)| (wide * h - high * w).abs() < 0.5);
    USUAL.iter().copied().find(has).map(str::to_owned)
}

/// Whether a ratio is upright (0), square (1) or wide (2); nearly square counts as square.
pub fn shape(ratio: &str) -> usize {
    let (wide, high) = sides(ratio, ':').unwrap_or((1.0, 1.0));
    1 + usize::from(wide / high > 1.1) - usize::from(wide / high < 0.9)
}

fn sides(text: &str, mark: char) -> Option<(f64, f64)> {
    let (wide, high) = text.split_once(mark)?;
    Some((wide.trim().parse().ok()?, high.trim().parse().ok()?))
}
