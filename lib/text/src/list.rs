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

/// The items of a row without marks and brackets around them, unless it is left open.
pub fn row(row: &str) -> Vec<&str> {
    if pattern!(r"(?i)\b{analyze.open_end}\b|…|\.\.\.|{analyze.open_end_scripted}").is_match(row)
    {
        return Vec::new();
    }
    let apart = pattern!(r"(?i)\s*(?:[,;、，/|]\s*(?:{analyze.and}\s+)?|\s{analyze.and}\s)\s*");
    apart
        .split(row.trim())
        .map(|item| item.trim_matches(|c| "\"“”„«»「」 `'[]".contains(c)))
        .filter(|item| !item.is_empty())
        .collect()
}
