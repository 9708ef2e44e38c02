//! Names of subjects, made safe to show to others.

use std::ops::RangeInclusive;

/// Most characters of a name.
const NAME_MAX: usize = 120;

/// The general category Cf of Unicode 16: invisible characters that change how others look, or make
/// two names look alike.
const FORMAT: [RangeInclusive<char>; 21] = [
    '\u{ad}'..='\u{ad}',
    '\u{600}'..='\u{605}',
    '\u{61c}'..='\u{61c}',
    '\u{6dd}'..='\u{6dd}',
    '\u{70f}'..='\u{70f}',
    '\u{890}'..='\u{891}',
    '\u{8e2}'..='\u{8e2}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{2064}',
    '\u{2066}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
    '\u{fff9}'..='\u{fffb}',
    '\u{110bd}'..='\u{110bd}',
    '\u{110cd}'..='\u{110cd}',
    '\u{13430}'..='\u{1343f}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0001}'..='\u{e0001}',
    '\u{e0020}'..='\u{e007f}',
];

/// A name that is safe to show: one line, one direction, without control and format characters, of
/// bounded length.
pub(crate) fn sanitize(name: &str) -> String {
    let is_seen = |c: &char| !FORMAT.iter().any(|range| range.contains(c));
    let name: String = name.chars().filter(is_seen).collect();
    let words = name.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(NAME_MAX).collect()
}
