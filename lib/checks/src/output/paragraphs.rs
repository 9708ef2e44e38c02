//! Paragraphs.

use std::ops::Range;

use super::markdown::{LineKind, Markdown};
use super::trimmed;

/// What stands between empty lines: no headings, no lines that only divide, and a block of code is one.
pub fn of(text: &str, markdown: &Markdown) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for line in &markdown.lines {
        match line.kind {
            LineKind::Blank | LineKind::Break | LineKind::Heading(_) => found.extend(open.take()),
            _ => {
                let start = open.map_or(line.range.start, |open| open.start);
                open = Some(start..line.range.end);
            }
        }
    }
    found.extend(open);
    found.into_iter().map(|range| trimmed(text, range)).filter(|range| !range.is_empty()).collect()
}
