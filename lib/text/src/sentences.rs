//! Where sentences end.

use std::ops::Range;

use patterns::pattern;

use crate::{Cover, list, tail};

/// The sentences and list items of a text in byte ranges, in order, without the markers of lists. No sentence ends
/// inside a part that is `held`.
pub fn sentences(text: &str, held: &Cover) -> Vec<Range<usize>> {
    sentences_in(text, 0..text.len(), held)
}

/// The sentences of a stretch; its places are those in the whole text.
pub fn sentences_in(text: &str, stretch: Range<usize>, held: &Cover) -> Vec<Range<usize>> {
    budget::spend(stretch.len());
    let mut found = Vec::new();
    let mut start = stretch.start;
    let mut open = 0_usize;
    let text = &text[..stretch.end];
    let mut characters = text[start..].char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let at = stretch.start + at;
        let end = at + character.len_utf8();
        let next = characters.peek().map(|(_, next)| *next);
        let ends = match character {
            '\n' => !held.touches(&(at..end)) && !is_wrapped(&text[start..at], &text[end..]),
            '(' => {
                open += usize::from(is_closed(&text[end..]));
                false
            }
            ')' => {
                open = open.saturating_sub(1);
                false
            }
            _ if open > 0 => false,
            '.' => {
                next.is_none_or(char::is_whitespace)
                    && !is_abbreviated(&text[start..at], &text[end..])
            }
            '!' | '?' | '؟' | '۔' | '।' | '׃' | '։' => next.is_none_or(char::is_whitespace),
            '…' => {
                next.is_none_or(char::is_whitespace)
                    && !text[end..].trim_start().starts_with(char::is_lowercase)
            }
            '。' | '！' | '？' | '．' => {
                next.is_none_or(|c| !matches!(c, '」' | '』' | '”' | '）'))
            }
            _ => false,
        };
        if ends && !held.touches(&(at..end)) {
            push(text, start..end, &mut found);
            start = end;
        }
        if character == '\n' {
            open = 0;
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Bytes before a number that are read to tell what it counts.
const LAST_WORDS: usize = 24;

/// Bytes within which a parenthesis is looked for that closes another.
const LONGEST_PARENTHESIS: usize = 300;

fn is_closed(rest: &str) -> bool {
    rest.bytes()
        .take(LONGEST_PARENTHESIS)
        .take_while(|byte| *byte != b'\n')
        .any(|byte| byte == b')')
}

/// A shorter line ends where its author wanted, in bytes.
const SHORTEST_WRAPPED: usize = 40;

/// Whether a line break is only the right margin of the text, or an item goes on below it.
fn is_wrapped(before: &str, after: &str) -> bool {
    let before = before.trim_end();
    let last = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let line = after.lines().next().unwrap_or_default();
    (last > SHORTEST_WRAPPED || line.starts_with([' ', '\t']))
        && before
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | ';' | ')' | '}' | '"'))
        && line.trim_start().starts_with(char::is_lowercase)
        && !list::is_item(line)
}

/// Whether a full stop belongs to the word before it, judged by what follows.
fn is_abbreviated(before: &str, rest: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = word.trim_start_matches(['(', '"', '„', '“', '«']).to_lowercase();
    let Some(next) = rest.trim_start().chars().next() else { return false };
    let before_figures = || pattern!(r"^{sentences.before_figures}$").is_match(&word);
    let is_number = !word.is_empty() && word.chars().all(char::is_numeric);
    pattern!(r"^{sentences.abbreviation}$").is_match(&word)
        || ends_with_initial(before) && word != "i" && next.is_uppercase()
        || next.is_numeric() && before_figures()
        || next.is_lowercase()
            && (pattern!(r"^(?:{sentences.sometimes}|\p{L})$").is_match(&word) || before_figures())
        // "3. item", "am 12. jedes Monats", "am 5. Mai", "der 6. Klasse"
        || is_number
            && (next.is_lowercase()
                || before.trim() == word
                || word.len() <= 2
                    && (pattern!(r"(?i)^ {sentences.month}").is_match(rest)
                        || pattern!(r"(?i)\b{sentences.before_ordinal} \d{1,2}$").is_match(tail(before, LAST_WORDS))))
}

/// Whether a text ends with a capital letter by itself: "J".
fn ends_with_initial(before: &str) -> bool {
    let mut end = before.chars().rev();
    end.next().is_some_and(char::is_uppercase) && end.next().is_none_or(char::is_whitespace)
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let sentence = &text[range.clone()];
    let marker = list::marker(sentence);
    let kept = sentence[marker..].trim_end();
    if kept.chars().any(|c| c.is_alphanumeric() || !c.is_ascii() && c != '…') {
        found.push(range.start + marker..range.start + marker + kept.len());
    }
}
