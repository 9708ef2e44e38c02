//! Sentences, and where pasted material ends.

use super::sentence;
use patterns::pattern;
use text::literals;

/// Paragraphs behind pasted material that may be the user speaking again.
const MOST_AFTERWORDS: usize = 3;
/// A longer paragraph is material, in characters.
const LONGEST_AFTERWORD: usize = 300;

/// Where pasted material ends: behind its delimiter or variable, or before the last paragraphs that tell how
/// to answer.
pub(super) fn end_of_material(text: &str) -> usize {
    if let Some(end) = end_of_delimited(text) {
        return end;
    }
    let mut end = text.len();
    for _ in 0..MOST_AFTERWORDS {
        let Some(at) = text[..end].trim_end().rfind("\n\n") else { break };
        if text[..at].trim().is_empty() || !is_afterword(&text[at..end]) {
            break;
        }
        end = at;
    }
    if end == text.len() { end_of_code(text) } else { end }
}

fn is_afterword(paragraph: &str) -> bool {
    let paragraph = paragraph.trim();
    let asks = pattern!(r"(?i)^{split.instruction_behind}\b");
    paragraph.chars().count() < LONGEST_AFTERWORD
        && !sentence::is_takeover(paragraph)
        && (asks.is_match(paragraph) || instructs(paragraph))
}

/// The end of what stands between delimiters at the beginning of a text, or of the variables that it begins
/// with; what is behind them is not content.
fn end_of_delimited(text: &str) -> Option<usize> {
    let variables = pattern!(
        r"^\s*(?:[\p{L} ]{1,30}:[ \t]*)?\{\{[^{}\n]{1,60}\}\}(?:\s*\n\s*(?:[\p{L} ]{1,30}:[ \t]*)?\{\{[^{}\n]{1,60}\}\})*"
    );
    if let Some(found) = variables.find(text) {
        let rest = &text[found.end()..];
        let apart = pattern!(r"^[ \t]*\r?\n[ \t]*\r?\n").is_match(rest);
        let next = sentences(rest).into_iter().next().unwrap_or_default();
        // A letter with a variable in its first line goes on behind it.
        let own = apart && !rest.contains("{{") || rest.trim().is_empty() || directs(&next);
        return own.then_some(found.end());
    }
    let lead = text.len() - text.trim_start().len();
    let body = &text[lead..];
    for mark in ["```", "~~~", "\"\"\"", "'''"] {
        if let Some(inner) = body.strip_prefix(mark) {
            return Some(lead + 2 * mark.len() + inner.find(mark)?);
        }
    }
    for (open, close) in [('"', '"'), ('“', '”'), ('«', '»'), ('„', '“')] {
        if let Some(inner) = body.strip_prefix(open) {
            let end = lead + open.len_utf8() + inner.find(close)? + close.len_utf8();
            let rest = &text[end..];
            let own = rest.trim().is_empty() || !rest.contains([open, close]) && instructs(rest);
            return own.then_some(end);
        }
    }
    None
}

/// Where code ends and the user speaks again.
fn end_of_code(text: &str) -> usize {
    if text.lines().filter(|line| is_code(line)).take(2).count() < 2 {
        return text.len();
    }
    let mut end = text.len();
    for _ in 0..MOST_AFTERWORDS {
        let body = text[..end].trim_end();
        let Some(at) = body.rfind('\n') else { break };
        let line = &body[at + 1..];
        let speaks = line.starts_with(char::is_alphabetic)
            && line.split_whitespace().take(3).count() == 3
            && !line.contains(['{', '}', ';', '=', '<', '>', '(', '[', '+', '*', '/'])
            && !is_code(line)
            && instructs(line);
        if !speaks {
            break;
        }
        end = at;
    }
    end
}

/// Whether every sentence of a text tells how to answer: "Use short sentences. Do not add facts."
pub(super) fn instructs(text: &str) -> bool {
    let all = sentences(text);
    !all.is_empty() && all.iter().all(|sentence| directs(sentence))
}

/// Whether a sentence tells how to answer, in the languages that prompts are often written in.
fn directs(sentence: &str) -> bool {
    let text = sentence.trim().trim_start_matches([',', ';', '-', '–', '—', ' ']);
    !sentence::is_takeover(text)
        && pattern!(r"(?i)^(?:{split.please},? )*(?:{split.instruction}\b|\d+ {split.unit}\b|{split.instruction_beginning}|{split.instruction_before_space} )").is_match(text)
}

/// Whether a line looks like code.
fn is_code(line: &str) -> bool {
    pattern!(r"(?:[;{}]\s*$|^\s*(?:def |class |import |from \w+ import|function\b|const |let |var |return\b|public |private |#include|SELECT |FROM |WHERE |CREATE TABLE|INSERT |at \w+[.(]|File \x22|Traceback|\}|\)|</?\w+))|^\s{2,}\S+.*[=(]|\w+Error: ")
        .is_match(line)
}

/// The sentences and list items of prose.
pub fn sentences(prose: &str) -> Vec<String> {
    let held = literals::scan(prose).cover(prose.len());
    text::sentences(prose, &held).into_iter().map(|range| squeeze(&prose[range])).collect()
}

/// Runs of whitespace become one space.
pub fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// First letter in upper case; names with inner capitals such as iPhone stay.
pub fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first)
            if !characters
                .as_str()
                .chars()
                .take_while(|c| c.is_alphanumeric())
                .any(char::is_uppercase) =>
        {
            first.to_uppercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

/// The text with a full stop, unless it ends a sentence already or with a list.
pub fn stop(text: &str) -> String {
    if pattern!(r"\n\s*(?:[-*•–]|\d{1,2}[.)])\s[^\n]*$").is_match(text) {
        return text.trim().to_owned();
    }
    let text = text.trim().trim_end_matches([',', ';', ' ']);
    let last = text.trim_end_matches(['"', '”', '\'', ')', '`', '*']).chars().last();
    match last {
        Some('.' | '!' | '?' | ':' | '…' | '。' | '！' | '？' | '؟' | '۔' | '।') => {
            text.to_owned()
        }
        Some(_) => format!("{text}."),
        None => text.to_owned(),
    }
}
