//! Finding `{{variable}}` markers.

use std::collections::HashMap;

use patterns::{Pattern, pattern};

/// A variable and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// Name between the braces, without surrounding whitespace.
    pub name: &'a str,
    /// Number of markers with this name.
    pub occurrences: u32,
}

const MARKER: Pattern = pattern!(r"\{\{\s*([^{}\s](?:[^{}\n]{0,118}[^{}\s])?)\s*\}\}");

/// Lists the variables of `text` in order of first appearance.
///
/// A marker is `{{name}}`, with whitespace allowed inside the braces; a name has 1 to 120 characters and
/// neither braces nor line breaks.
pub fn find(text: &str) -> Vec<Found<'_>> {
    let mut found: Vec<Found<'_>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for capture in MARKER.captures_iter(text) {
        let Some(name) = capture.get(1).map(|name| name.as_str()) else {
            continue;
        };
        // "{{#if x}}" and "{{/if}}" steer a template; they stand for no value.
        if name.starts_with(['#', '/', '!', '>', '^', '&']) || name == "else" {
            continue;
        }
        let place = *places.entry(name).or_insert(found.len());
        match found.get_mut(place) {
            Some(known) => known.occurrences += 1,
            None => found.push(Found { name, occurrences: 1 }),
        }
    }
    found
}
