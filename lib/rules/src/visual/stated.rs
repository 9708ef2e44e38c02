//! The aspects of a picture that a description names, so that nobody asks for them and nothing contradicts them.

use patterns::{Pattern, pattern};

/// Words by which aspects are described.
const STATED: [(&str, Pattern); 5] = [
    ("medium", pattern!(r"(?i)\b(?:{visual.draw}|{visual.medium})\b")),
    // What is drawn for its form has no light and no camera.
    ("light", pattern!(r"(?i)\b(?:{visual.light}|{visual.graphic})\b|{visual.light_scripted}")),
    ("weather", pattern!(r"(?i)\b{visual.weather}\b")),
    ("palette", pattern!(r"(?i)\b{visual.color}\b|#[0-9a-f]{6}\b")),
    ("view", pattern!(r"(?i)\b(?:{visual.view}|{visual.graphic}|\d{2,3}mm|f/\d)\b")),
];

/// The aspects that a text names.
pub fn aspects(text: &str) -> impl Iterator<Item = &'static str> {
    STATED.iter().filter(move |(_, words)| words.is_match(text)).map(|(aspect, _)| *aspect)
}

/// Whether a text names an aspect that another names too.
pub fn states_otherwise(text: &str, other: &str) -> bool {
    let known: Vec<&str> = aspects(other).collect();
    aspects(text).any(|aspect| known.contains(&aspect))
}
