//! Where something is quoted to work on, and where examples stand, as analysis tells them from the author's words.

use std::ops::Range;

use crate::analyze::mask::{self, Kind};
use patterns::pattern;
use text::Literals;

/// Content to work on and examples.
pub fn supplied(text: &str, _: &Literals) -> Vec<Range<usize>> {
    let carried = [Kind::Fence, Kind::Tag, Kind::Pasted, Kind::Example];
    let parts = mask::of(text).parts;
    let carried = parts.into_iter().filter(|(_, kind)| carried.contains(kind));
    carried.map(|(span, _)| span.start..span.end).collect()
}

/// Where examples stand, the open one behind them included, in the order of the text.
pub fn shown(text: &str, _: &Literals) -> Vec<Range<usize>> {
    let holds = pattern!(
        r"(?i)^<(?:{optimize_material.few_shot_tag}|(?:\w+[_-])?{optimize_material.example_tag}(?:[_-]\w+)?)\b"
    );
    let mut found: Vec<Range<usize>> = Vec::new();
    for (span, kind) in mask::of(text).parts {
        let range = match kind {
            Kind::Example => span.start..span.end,
            Kind::Tag => {
                let start = text[..span.start].rfind('<').unwrap_or(span.start);
                start..text[span.end..].find('>').map_or(span.end, |at| span.end + at + 1)
            }
            _ => continue,
        };
        if kind == Kind::Tag && !holds.is_match(&text[range.clone()]) {
            continue;
        }
        match found.last_mut() {
            Some(last) if text[last.end..range.start].trim().is_empty() => last.end = range.end,
            _ => found.push(range),
        }
    }
    found
}
