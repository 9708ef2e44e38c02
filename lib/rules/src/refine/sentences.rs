//! Where the sentences and list items of a feedback end, in any script.

use std::ops::Range;

use patterns::pattern;
use text::{
    Cover,
    list::{self, is_item},
};

/// The sentences and items of a feedback, in byte ranges without markers of lists. A line that only announces
/// the items below it is left out; items that complete the instruction above them are part of it.
pub fn of(feedback: &str, held: &Cover) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let lines = lines(feedback, held);
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].clone();
        at += 1;
        let announces =
            feedback[line.clone()].trim_end().ends_with([':', '：']) && at < lines.len();
        if announces && is_item(&feedback[lines[at].clone()]) {
            if is_open(&feedback[line.clone()]) {
                let last = (at..lines.len())
                    .take_while(|next| is_item(&feedback[lines[*next].clone()]))
                    .last()
                    .unwrap_or(at);
                let all = line.start..lines[last].end;
                let start = line.start + list::marker(&feedback[all.clone()]);
                found.push(start..all.start + feedback[all].trim_end().len());
                at = last + 1;
            } else if !is_announcement(&feedback[line.clone()]) {
                found.extend(text::sentences_in(feedback, line, held));
            }
            continue;
        }
        for item in items(feedback, line, held) {
            found.extend(text::sentences_in(feedback, item, held));
        }
    }
    found
}

/// Whether a line before a list needs its items: "Add these sections:".
fn is_open(line: &str) -> bool {
    let verb = pattern!(r"(?i)^\s*(?:{refine_sentences.lead}\s+)*{refine_sentences.list_verb}\b");
    let these_changes = pattern!(r"(?i)\b{refine_sentences.changes}\s*:?\s*$");
    verb.is_match(line) && !these_changes.is_match(line.trim_end().trim_end_matches([':', '：']))
}

/// Whether a line says nothing but that a list follows.
fn is_announcement(line: &str) -> bool {
    line.split_whitespace().count() <= 12
}

/// The lines; one that continues an item or runs on in lower case belongs to the line before it.
fn lines(feedback: &str, held: &Cover) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in feedback.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let inside = range.start > 0 && held.touches(&(range.start - 1..range.start));
        let continues = inside
            || found.last().is_some_and(|last| {
                let before = feedback[last.clone()].trim_end();
                last.end == range.start
                    && before.ends_with(|c: char| {
                        c.is_alphanumeric() || matches!(c, ',' | ';' | ')' | '}' | '"')
                    })
                    && line.trim_start().starts_with(char::is_lowercase)
                    && !is_item(line)
                    && (line.starts_with([' ', '\t']) || !is_item(before) && before.len() > 40)
            });
        match found.last_mut() {
            Some(last) if continues => last.end = range.end,
            _ if line.trim().is_empty() => {}
            _ => found.push(range),
        }
    }
    found
}

/// The items that are counted within a line: "1) shorter 2) friendlier".
fn items(feedback: &str, line: Range<usize>, held: &Cover) -> Vec<Range<usize>> {
    let marker = pattern!(
        r"(?:^|[\s:：;；,，、。.])(?P<m>[(（]?(?P<n>\d{1,2}|[a-h])[.)）．、](?:\s+|(?P<wide>))|(?P<circled>[①-⑳])\s*)"
    );
    let text = &feedback[line.clone()];
    let mut starts: Vec<Range<usize>> = Vec::new();
    for found in marker.captures_iter(text) {
        let Some(place) = found.name("m") else { continue };
        let place = line.start + place.start()..line.start + place.end();
        let next = starts.len() as u32 + 1;
        let counts = match (found.name("n"), found.name("circled")) {
            (Some(number), _) => ordinal(number.as_str()),
            (_, Some(sign)) => sign.as_str().chars().next().map(|c| u32::from(c) - 0x245f),
            _ => None,
        };
        // "1.5" is no marker, nor is "a." a first item where no "b." follows.
        let spaced = feedback[place.clone()].ends_with(char::is_whitespace)
            || !feedback[place.clone()].is_ascii();
        if counts == Some(next) && spaced && !held.touches(&place) {
            starts.push(place);
        }
    }
    if starts.len() < 2 {
        return vec![line];
    }
    let mut found = Vec::new();
    let lead = feedback[line.start..starts[0].start].trim();
    if !lead.is_empty() && !lead.ends_with([':', '：']) {
        found.push(line.start..starts[0].start);
    }
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).map_or(line.end, |next| next.start);
        found.push(start.end..end);
    }
    found
}

/// The value of a marker: digits of any script, or a Latin letter.
fn ordinal(marker: &str) -> Option<u32> {
    if let Some(letter) = marker.chars().next().filter(char::is_ascii_lowercase) {
        return Some(u32::from(letter) - u32::from('a') + 1);
    }
    marker.chars().try_fold(0, |value, digit| {
        let zero = [0x30, 0x660, 0x6f0, 0x966, 0xff10]
            .into_iter()
            .find(|zero| (*zero..*zero + 10).contains(&u32::from(digit)))?;
        Some(value * 10 + u32::from(digit) - zero)
    })
}
