//! Where something is quoted to work on, and where examples stand, as analysis tells them from the author's words.

use std::ops::Range;

use crate::analyze::mask::{self, Kind, Mask};
use patterns::pattern;

/// What a text has beside its author's words.
pub struct Material {
    /// Content to work on and examples.
    pub supplied: Vec<Range<usize>>,
    /// Where examples stand, the open one behind them included, in the order of the text.
    pub shown: Vec<Range<usize>>,
}

/// Reads a text once for both.
pub fn of(text: &str) -> Material {
    let mask = mask::of(text);
    let carried = [Kind::Fence, Kind::Tag, Kind::Pasted, Kind::Example];
    let supplied = mask.parts.iter().filter(|(_, kind)| carried.contains(kind));
    Material {
        supplied: supplied.map(|(span, _)| span.start..span.end).collect(),
        shown: shown(text, &mask),
    }
}

fn shown(text: &str, mask: &Mask) -> Vec<Range<usize>> {
    let holds = pattern!(
        r"(?i)^<(?:{optimize_material.few_shot_tag}|(?:\w+[_-])?{optimize_material.example_tag}(?:[_-]\w+)?)\b"
    );
    let mut found: Vec<Range<usize>> = Vec::new();
    for (span, kind) in &mask.parts {
        let range = match kind {
            Kind::Example => span.start..span.end,
            Kind::Tag => {
                let start = text[..span.start].rfind('<').unwrap_or(span.start);
                start..text[span.end..].find('>').map_or(span.end, |at| span.end + at + 1)
            }
            _ => continue,
        };
        if *kind == Kind::Tag && !holds.is_match(&text[range.clone()]) {
            continue;
        }
        match found.last_mut() {
            Some(last) if text[last.end..range.start].trim().is_empty() => last.end = range.end,
            _ => found.push(range),
        }
    }
    found
}
