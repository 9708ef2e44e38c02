//! Telling prompts for pictures and clips by their form.

use super::outline::Outline;
use engine::Mode;
use patterns::pattern;
use text::imperative;

/// What kind of prompt this is, if its form tells.
pub fn visual_kind(prompt: &str) -> Option<Mode> {
    if Outline::of(prompt).has_headings() {
        return None;
    }
    if pattern!(r"(?:^|\s)--(?:ar|no|s|c|v|seed|stylize|chaos|aspect)\b").is_match(prompt) {
        return Some(Mode::Image);
    }
    if pattern!(r"(?m)^(?:\[\d+-\d+ s\] )?{convert.shot} \d+\b").is_match(prompt) {
        return Some(Mode::Video);
    }
    if is_list_of_a_picture(prompt.trim()) {
        return Some(Mode::Image);
    }
    pattern!(r"\b(?:{convert.photograph_of}|\d+mm (?:[\w-]+ )?{convert.lens}|\d+:\d+ {refine_picture.aspect_ratio})\b")
        .is_match(prompt)
        .then_some(Mode::Image)
}

/// Whether a prompt is one line of phrases of which one names a picture: "flat illustration of a tent, top-down, …".
fn is_list_of_a_picture(prompt: &str) -> bool {
    let phrases: Vec<&str> = prompt.split([',', '，', '、']).collect();
    phrases.len() > 3
        && !pattern!(r"[\n.?;{]|:[^\d]").is_match(prompt.trim_end_matches('.'))
        && pattern!(r"(?i)\b(?:{visual.picture}s?|{visual.named_picture})\b").is_match(prompt)
        && !imperative::is_request(prompt)
}
