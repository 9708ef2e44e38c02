//! Where something is quoted to work on, and where examples stand, as analysis tells them from the author's words.

use std::ops::Range;

use crate::analyze::mask::{self, Kind};
use patterns::pattern;

/// What a text has beside its author's words.
pub struct Material {
    /// Content to work on and examples.
    pub supplied: Vec<Range<usize>>,
    /// Where examples stand, the open one behind them included.
    pub shown: Vec<Range<usize>>,
}

/// Reads a text once for both.
pub fn of(text: &str) -> Material {
    let mask = mask::of(text);
    let holds = pattern!(
        r"(?i)^<(?:{optimize_material.few_shot_tag}|(?:\w+[_-])?{optimize_material.example_tag}(?:[_-]\w+)?)\b"
    );
    let opening = |at: usize| &text[text[..at].rfind('<').unwrap_or(at)..];
    let all = |wanted: &dyn Fn(usize, Kind) -> bool| {
        let found = mask.parts.iter().filter(|(span, kind)| wanted(span.start, *kind));
        found.map(|(span, _)| span.start..span.end).collect()
    };
    let carried = [Kind::Fence, Kind::Tag, Kind::Pasted, Kind::Example];
    Material {
        supplied: all(&|_, kind| carried.contains(&kind)),
        shown: all(&|at, kind| {
            kind == Kind::Example || kind == Kind::Tag && holds.is_match(opening(at))
        }),
    }
}
