//! Where the sentences and list items of a feedback end, in any script.

use std::ops::Range;

use crate::integrity::Cover;
use patterns::pattern;

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
                push(feedback, line.start..lines[last].end, &mut found);
                at = last + 1;
            } else if !is_announcement(&feedback[line.clone()]) {
                push(feedback, line, &mut found);
            }
            continue;
        }
        for item in items(feedback, line, held) {
            cut(feedback, item, held, &mut found);
        }
    }
    found
}

/// Whether a line is an item of a list, numbered in any script or not.
fn is_item(line: &str) -> bool {
    pattern!(
        r"^\s*(?:[-*•–·]\s*|[(（]?\d{1,3}[.)）．]\s+|\d{1,2}、|[(（]?[a-zA-Z][)）]\s+|[①-⑳]\s*)\S"
    )
    .is_match(line)
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

/// Cuts a line at the ends of its sentences.
fn cut(feedback: &str, line: Range<usize>, held: &Cover, found: &mut Vec<Range<usize>>) {
    let mut start = line.start;
    let text = &feedback[line.clone()];
    for (at, character) in text.char_indices() {
        let at = line.start + at;
        let end = at + character.len_utf8();
        let rest = &feedback[end..line.end];
        let next = rest.chars().next();
        let ends = match character {
            '.' => {
                next.is_none_or(char::is_whitespace) && !is_abbreviated(&feedback[start..at], rest)
            }
            '!' | '?' | '…' | '؟' | '۔' | '।' | '׃' | '։' => {
                next.is_none_or(char::is_whitespace)
            }
            '。' | '！' | '？' | '．' => {
                next.is_none_or(|c| !matches!(c, '」' | '』' | '”' | '）'))
            }
            _ => false,
        };
        if ends && !held.touches(&(at..end)) {
            push(feedback, start..end, found);
            start = end;
        }
    }
    push(feedback, start..line.end, found);
}

/// Whether a full stop belongs to the word before it, judged by what follows.
fn is_abbreviated(before: &str, rest: &str) -> bool {
    let from = before
        .rfind(char::is_whitespace)
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let word = before[from..].trim_start_matches(['(', '"', '„', '“', '«']).to_lowercase();
    let next = rest.trim_start().chars().next();
    let always = pattern!(r"^{refine_sentences.abbreviation}$");
    let before_figures = pattern!(r"^{refine_sentences.before_figures}$");
    let sometimes = pattern!(r"^(?:{refine_sentences.sometimes}|\p{L})$");
    let Some(next) = next else { return false };
    let initial = word.chars().count() == 1
        && ends_with_initial(before)
        && word != "i"
        && next.is_uppercase();
    initial
        || always.is_match(&word)
        || next.is_numeric() && before_figures.is_match(&word)
        || next.is_lowercase() && (sometimes.is_match(&word) || before_figures.is_match(&word))
        // "am 5. Mai", "the 3. item"
        || !word.is_empty()
            && word.chars().all(char::is_numeric)
            && (next.is_lowercase() || before.trim() == word)
}

/// Whether a text ends with a capital letter by itself: "J".
fn ends_with_initial(before: &str) -> bool {
    let mut end = before.chars().rev();
    end.next().is_some_and(char::is_uppercase) && end.next().is_some_and(char::is_whitespace)
}

fn push(feedback: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let text = &feedback[range.clone()];
    let marker = pattern!(
        r"^\s*(?:(?:[-*•–·]\s+|[•·]|[(（]?\d{1,3}[.)）．]\s+|\d{1,2}、\s*|[(（]?[a-zA-Z][)）]\s+|[①-⑳]\s*))?"
    )
    .find(text)
    .map_or(0, |found| found.end());
    let kept = text[marker..].trim_end();
    if kept.chars().any(|c| c.is_alphanumeric() || !c.is_ascii()) {
        found.push(range.start + marker..range.start + marker + kept.len());
    }
}
