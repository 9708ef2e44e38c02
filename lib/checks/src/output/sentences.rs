//! Sentences as they are counted.

use std::ops::Range;

use patterns::pattern;
use text::{Cover, literals, sentences_in};

use super::markdown::{LineKind, Markdown};

/// Signs that end a sentence, and those that may stand behind them.
const STOPS: [char; 11] = ['.', '!', '?', '…', '。', '！', '？', '．', '؟', '।', '۔'];
const CLOSING: [char; 13] = ['"', '”', '’', '\'', '»', ')', ']', '*', '_', '」', '』', '）', '“'];

/// The sentences of the prose of a text. What no sign ends, such as a heading, a line of a poem or a point of a list,
/// is a part of the sentence that follows.
pub fn of(text: &str, markdown: &Markdown) -> Vec<Range<usize>> {
    let literals = literals::scan(text);
    let held = Cover::of(&[&literals.addresses]);
    // A sentence may end in quotation marks, and another one follow.
    let quoted = pattern!(r#"[.!?…]["'”’»)\]*_]+\s+["'“‘„«(\[*_]*\p{Lu}"#);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<usize> = None;
    let is_prose = |kind| matches!(kind, LineKind::Blank | LineKind::Item { .. } | LineKind::Text);
    for part in markdown.runs(is_prose) {
        for sentence in sentences_in(text, part, &held) {
            let mut from = sentence.start;
            for inner in quoted.find_iter(&text[sentence.clone()]) {
                let end = inner.as_str().find(char::is_whitespace).unwrap_or(inner.as_str().len());
                let end = sentence.start + inner.start() + end;
                found.push(open.take().unwrap_or(from)..end);
                from = sentence.start + inner.end()
                    - inner.as_str().chars().next_back().map_or(0, char::len_utf8);
            }
            let body = text[from..sentence.end].trim_end_matches(CLOSING);
            let rest = text[sentence.end..].trim_start();
            let goes_on = body.ends_with("..") && rest.starts_with(char::is_lowercase);
            if body.ends_with(STOPS) && !goes_on {
                found.push(open.take().unwrap_or(from)..sentence.end);
            } else {
                open.get_or_insert(from);
            }
        }
    }
    // A sign that is shown as a picture behind the last stop is no sentence.
    let last = text.trim_end().len();
    let says = |start: &usize| text[*start..last.max(*start)].contains(char::is_alphanumeric);
    found.extend(open.filter(says).map(|start| start..last));
    found
}
