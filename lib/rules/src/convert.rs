//! Telling prompts for pictures and clips by their form.

use super::outline::Outline;
use engine::Mode;
use patterns::pattern;

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
    pattern!(r"\b(?:{convert.photograph_of}|\d+mm (?:[\w-]+ )?{convert.lens}|\d+:\d+ {refine_picture.aspect_ratio})\b")
        .is_match(prompt)
        .then_some(Mode::Image)
}
