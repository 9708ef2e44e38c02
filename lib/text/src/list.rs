//! Items of lists.

use patterns::pattern;

/// Bytes of the whitespace and of the marker that an item begins with, numbered in any script or not; those of the
/// whitespace where a line is no item.
pub fn marker(line: &str) -> usize {
    pattern!(
        r"^\s*(?:(?:[-*•–·]\s+|[•·]|[(（]?\d{1,3}[.)）．]\s+|\d{1,2}、\s*|[a-zA-Z][)）]\s+|[①-⑳]\s*))?"
    )
    .find(line)
    .map_or(0, |found| found.end())
}

/// Whether a line is an item of a list.
pub fn is_item(line: &str) -> bool {
    let marker = marker(line);
    !line[..marker].trim().is_empty() && !line[marker..].trim().is_empty()
}
