//! Numbers of things that are announced, and the things that follow.

use patterns::pattern;

use super::numbers::value;
use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use text::list;

/// A number that announces another number of things than there are.
pub fn wrong_number(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    let number = pattern!(r"(?i)\b(?:\d{1,2}|{analyze.number})\b");
    for sentence in &reading.source.sentences {
        let text = reading.source.prose_of(sentence.span);
        for found in number.find_iter(text) {
            let place = Span::from(found.range()).moved(sentence.span.start);
            let Some(announced) = value(found.as_str()).filter(|n| (2..=20).contains(n)) else {
                continue;
            };
            let rest = &text[found.end()..];
            let named = in_row(rest).or_else(|| in_lines(reading, rest, sentence.span.end));
            if let Some(named) = named.filter(|named| *named != announced) {
                let end = place.end
                    + pattern!(r"^(?: \p{L}[\p{L}-]*){0,2}")
                        .find(rest)
                        .map_or(0, |noun| noun.len());
                spots.push(Spot::naming(Span::new(place.start, end), named.to_string()));
                break;
            }
        }
    }
    spots
}

/// Whether the noun behind a number is a measure, which announces nothing.
pub fn is_measure(rest: &str) -> bool {
    pattern!(r"(?i)^[ -]{0,2}(?:\p{L}+ )?{analyze.measure}\b|^[ -]{analyze.little}\b|^[.,:]?\d|^ ?[%°:€$£]").is_match(rest)
}

/// The items of a row, unless it is left open.
pub fn items(row: &str) -> Vec<&str> {
    if pattern!(r"(?i)\b{analyze.open_end}\b|…|\.\.\.|{analyze.open_end_scripted}").is_match(row)
    {
        return Vec::new();
    }
    let apart = pattern!(r"(?i)\s*(?:[,;、，/|]\s*(?:{analyze.and}\s+)?|\s{analyze.and}\s)\s*");
    apart
        .split(row.trim())
        .map(|item| item.trim_matches(['"', '“', '”', '„', '«', '»', ' ', '`', '\'']))
        .filter(|item| !item.is_empty())
        .collect()
}

/// Items behind the number in its sentence: "5 categories: a, b, c" and "3 options (a, b, c, d)".
fn in_row(rest: &str) -> Option<usize> {
    if is_measure(rest) {
        return None;
    }
    let bracketed = pattern!(r"^ [\p{L}’'-]+(?: [\p{L}’'-]+){0,2} ?\((?P<row>[^()]{3,200})\)");
    let behind = pattern!(
        r"(?i)^ [\p{L}’'-]+(?: [\p{L}’'-]+){0,3}(?: ?: | {analyze.in_order}:? )(?P<row>[^.:;!?\n]{3,200})"
    );
    if let Some(found) = bracketed.captures(rest) {
        let row = items(found.name("row")?.as_str());
        let marks = row.iter().all(|item| item.chars().count() <= 2);
        return (row.len() >= 3 && marks).then_some(row.len());
    }
    let found = behind.captures(rest)?;
    let row = items(found.name("row")?.as_str());
    // "12 questions: 4 easy, 8 hard" are counts themselves.
    let short = |item: &&str| {
        item.split_whitespace().count() <= 3 && !item.starts_with(|c: char| c.is_ascii_digit())
    };
    (row.len() >= 2 && row.iter().all(short)).then_some(row.len())
}

/// Lines of a list below the number: "three sections:".
fn in_lines(reading: &Reading<'_>, rest: &str, end: usize) -> Option<usize> {
    if is_measure(rest) || !pattern!(r"^ [\p{L}’'-]+(?: [\p{L}’'-]+){0,2} ?:\s*$").is_match(rest)
    {
        return None;
    }
    let below = reading.source.text[end..].trim_start_matches([' ', '\r']).strip_prefix('\n')?;
    let below = below.strip_prefix('\n').unwrap_or(below);
    let indent = below.len() - below.trim_start_matches(' ').len();
    let shape = |line: &str| {
        let line = line.trim_start();
        if list::is_item(line) {
            1
        } else if line.starts_with("**") {
            2
        } else {
            0
        }
    };
    let lines: Vec<&str> =
        below.lines().take(100).take_while(|line| !line.trim().is_empty()).collect();
    let first = shape(lines.first()?);
    let level = |line: &&&str| line.len() - line.trim_start_matches(' ').len() == indent;
    let count = lines.iter().filter(level).filter(|line| shape(line) == first).count();
    (first > 0 && count >= 2).then_some(count)
}
