//! Passages of an answer that are emphasised.

use std::ops::Range;

use patterns::pattern;

use crate::output::{LineKind, Output};

/// Passages between asterisks, and those between `__`, `==` or tags of HTML.
pub fn emphases(output: &Output<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for line in &output.markdown().lines {
        let from = match line.kind {
            LineKind::Code | LineKind::Blank | LineKind::Break | LineKind::Ruler => continue,
            LineKind::Item { marker, .. } => line.range.start + marker,
            _ => line.range.start,
        };
        between_asterisks(output.text, from..line.range.end, &mut found);
    }
    let tagged = pattern!(r"__[^_\n]+__|==[^=\n]+==|(?i:<(?:mark|strong|em|b|i|u)>[^<\n]+</)");
    found.extend(tagged.find_iter(output.text).map(|passage| passage.range()));
    found.sort_by_key(|passage| passage.start);
    found
}

/// Passages of a line that rows of equally many asterisks enclose.
fn between_asterisks(text: &str, line: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut open: Option<Range<usize>> = None;
    let mut at = line.start;
    while at < line.end {
        let Some(next) = text[at..line.end].find('*').map(|next| at + next) else { return };
        let row = text[next..line.end].bytes().take_while(|byte| *byte == b'*').count();
        let own = next..next + row;
        at = own.end;
        match open.take() {
            Some(before) if before.len() == row && !text[before.end..next].trim().is_empty() => {
                found.push(before.start..own.end);
            }
            _ => open = Some(own),
        }
    }
}
