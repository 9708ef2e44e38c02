//! Paragraphs.

use std::ops::Range;

use super::markdown::{LineKind, Markdown};

/// What stands between empty lines: no headings, no lines that only divide, and a block of code is one.
pub fn between_empty_lines(text: &str, markdown: &Markdown) -> Vec<Range<usize>> {
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

/// Whatever stands between empty lines, where the prompt says that these divide its parts.
pub fn all_between_empty_lines(markdown: &Markdown) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for line in &markdown.lines {
        match found.last_mut() {
            _ if line.kind == LineKind::Blank => open = false,
            Some(last) if open => last.end = line.range.end,
            _ => {
                found.push(line.range.clone());
                open = true;
            }
        }
    }
    found
}

/// What stands between the places of a separator, where something does.
pub fn between(text: &str, separator: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for at in places(text, separator) {
        found.extend(trimmed(text, &(from..at)));
        from = at + separator.len();
    }
    found.extend(trimmed(text, &(from..text.len())));
    found
}

/// Where a separator stands that is no part of a longer row of its last sign.
pub fn places(text: &str, separator: &str) -> Vec<usize> {
    let Some(sign) = separator.chars().next_back().filter(|sign| !sign.is_alphanumeric()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(separator).map(|at| from + at) {
        let row = text[at..].chars().take_while(|c| *c == sign).count() * sign.len_utf8();
        if row <= separator.len() {
            found.push(at);
        }
        from = at + row.max(separator.len());
    }
    found
}

/// A range without the spaces around it, if anything is left.
pub fn trimmed(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    let end = range.start + part.trim_end().len();
    (start < end).then_some(start..end)
}
