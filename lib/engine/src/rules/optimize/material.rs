//! Where the author of a prompt speaks, and where something is quoted to work on.

use std::ops::Range;

use crate::integrity::{Cover, Literals};
use crate::rules::pattern::regex;
use crate::rules::split::is_abbreviation;

/// Longest last paragraph behind pasted text that still counts as the author speaking, in characters.
const LONGEST_AFTERWORD: usize = 300;

/// Content to work on: between triple quotation marks or tags, in quoted lines and tables, and pasted below
/// a line that announces it.
pub fn supplied(text: &str, literals: &Literals) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let code = Cover::of(text.len(), &[&literals.code]);
    let quoted = regex!(r#"(?s)""".*?"""|'''.*?'''|(?m:^[ \t]*[>|][^\n]*(?:\n[ \t]*[>|][^\n]*)*)"#);
    found.extend(quoted.find_iter(text).map(|found| found.range()));
    found.extend(tagged(text));
    found.retain(|range| !code.touches(range));
    let held = Cover::of(text.len(), &[&found, &literals.code]);
    found.extend(pasted(text, &held));
    found.sort_by_key(|range| range.start);
    found
}

/// Blocks between tags on lines of their own, unless the tag names a part of a prompt.
fn tagged(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(String, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        match &open {
            Some((tag, start))
                if trimmed.strip_prefix("</").and_then(|rest| rest.strip_suffix('>'))
                    == Some(tag) =>
            {
                found.push(*start..at + line.trim_end().len());
                open = None;
            }
            None => {
                let tag = regex!(r"^<(?P<t>[A-Za-z][\w-]{0,40})(?: [^<>]*)?>$").captures(trimmed);
                open = tag.map(|tag| (tag["t"].to_owned(), at)).filter(|(tag, _)| {
                    !regex!(r"(?i)^(?:role|task|instructions?|rules|requirements|constraints|context|guidelines|output|output_format|format|final_check|goal|objective)(?:_\d+)?$").is_match(tag)
                });
            }
            Some(_) => {}
        }
        at += line.len();
    }
    found
}

/// What is pasted below "Summarize the following text:", without a short request behind it.
fn pasted(text: &str, held: &Cover) -> Option<Range<usize>> {
    let lead = regex!(
        r"(?im)(?:\b(?:following|below|text|article|e-?mail|reviews?|transcript|paragraph|notes|draft|log|message|document|letter|folgende[nrs]?|artikel|nachricht|brief|suivante?s?|texte|courriel|siguientes?|texto|correo|seguenti?|testo|seguintes?|mensagem)\b|以下|次の|下面|文章|다음)[^.!?\n:：]{0,60}[:：][ \t]*\r?\n"
    )
    .find_iter(text)
    .find(|lead| !held.touches(&lead.range()))?;
    let rest = &text[lead.end()..];
    let start = lead.end() + (rest.len() - rest.trim_start().len());
    let body = text[start..].trim_end();
    // A list is part of what the author says.
    if body.is_empty() || is_item(body) || held.touches(&(start..start + body.len())) {
        return None;
    }
    let end = match body.rfind("\n\n") {
        Some(at)
            if body[at..].chars().count() < LONGEST_AFTERWORD
                && crate::rules::imperative::starts_work(body[at..].trim()) =>
        {
            start + body[..at].trim_end().len()
        }
        _ => start + body.len(),
    };
    Some(start..end)
}

/// Whether a line is an item of a list.
pub fn is_item(line: &str) -> bool {
    regex!(r"^\s*(?:[-*•–]|\(?\d{1,3}[.)]|[a-z]\))\s+\S").is_match(line)
}

/// The sentences and list items of the author's prose, in order, without the markers of lists.
pub fn sentences(text: &str, held: &Cover) -> Vec<Range<usize>> {
    sentences_in(text, 0..text.len(), held)
}

/// The sentences of a stretch; its places are those in the whole text.
pub fn sentences_in(text: &str, stretch: Range<usize>, held: &Cover) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = stretch.start;
    let text = &text[..stretch.end];
    let mut characters = text[start..].char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let at = stretch.start + at;
        let end = at + character.len_utf8();
        let next = characters.peek().map(|(_, next)| *next);
        let ends = match character {
            '\n' => !is_wrapped(&text[start..at], &text[end..]),
            '.' => {
                next.is_none_or(char::is_whitespace)
                    && !is_abbreviation(last_word(&text[start..at]))
                    && !text[start..at].trim_start().chars().all(|c| c.is_ascii_digit())
            }
            '!' | '?' => next.is_none_or(char::is_whitespace),
            '。' | '！' | '？' => next.is_none_or(|c| !matches!(c, '」' | '』' | '”' | '）')),
            _ => false,
        };
        if ends && !held.touches(&(at..end)) {
            push(text, start..end, &mut found);
            start = end;
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Whether a line break is only the right margin of the text.
fn is_wrapped(before: &str, after: &str) -> bool {
    before
        .trim_end()
        .ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | ';' | ')' | '}' | '"'))
        && after.starts_with(char::is_lowercase)
}

fn last_word(text: &str) -> &str {
    let from = text.rfind(char::is_whitespace).unwrap_or(0);
    text[from..].trim_start()
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let sentence = &text[range.clone()];
    let marker = regex!(r"^\s*(?:(?:[-*•–]|\(?\d{1,3}[.)]|[a-z]\))\s+)?")
        .find(sentence)
        .map_or(0, |found| found.end());
    let kept = sentence[marker..].trim_end();
    if !kept.is_empty() {
        found.push(range.start + marker..range.start + marker + kept.len());
    }
}
