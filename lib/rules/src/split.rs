//! Sentences, and their first and last letters.

use patterns::pattern;
use text::literals;

/// The sentences and list items of prose.
pub fn sentences(prose: &str) -> Vec<String> {
    let held = literals::scan(prose).cover();
    text::sentences(prose, &held).into_iter().map(|range| squeeze(&prose[range])).collect()
}

/// Runs of whitespace become one space.
pub fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// First letter in upper case; names with inner capitals such as iPhone stay.
pub fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return String::new() };
    let rest = characters.as_str();
    if rest.chars().take_while(|c| c.is_alphanumeric()).any(char::is_uppercase) {
        return text.to_owned();
    }
    first.to_uppercase().collect::<String>() + rest
}

/// The text with a full stop, unless it ends a sentence already or with a list.
pub fn stop(text: &str) -> String {
    if pattern!(r"\n\s*(?:[-*•–]|\d{1,2}[.)])\s[^\n]*$").is_match(text) {
        return text.trim().to_owned();
    }
    let text = text.trim().trim_end_matches([',', ';', ' ']);
    let bare = text.trim_end_matches(['"', '”', '\'', ')', '`', '*']);
    let stops = ['.', '!', '?', ':', '…', '。', '！', '？', '؟', '۔', '।'];
    let stop = if bare.is_empty() || bare.ends_with(stops) { "" } else { "." };
    format!("{text}{stop}")
}
