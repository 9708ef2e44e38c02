//! Paragraphs.

use std::ops::Range;

use super::markdown::{LineKind, Markdown};

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
    found.iter().filter_map(|range| trimmed(text, range)).collect()
}

/// A range without the spaces around it, if anything is left.
fn trimmed(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    let end = range.start + part.trim_end().len();
    (start < end).then_some(start..end)
}
