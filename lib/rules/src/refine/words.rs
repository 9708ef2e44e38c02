//! Words of feedback and prompts, compared without grammar.

use std::ops::Range;

use patterns::pattern;
use text::is_unspaced;

/// Shortest word of an alphabet that names something.
const SHORTEST: usize = 3;

/// The script of a letter as far as words are cut by it; `None` for other signs and the syllables of Japanese grammar.
fn script(c: char) -> Option<u8> {
    match c {
        '\u{3040}'..='\u{309f}' => None,
        '\u{30a0}'..='\u{30ff}' => Some(1),
        '\u{3400}'..='\u{9fff}' => Some(2),
        '\u{ac00}'..='\u{d7af}' => Some(3),
        c if c.is_alphabetic() || ('\u{900}'..='\u{97f}').contains(&c) => Some(0),
        _ => None,
    }
}

pub fn words(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<(Range<usize>, u8)> = Vec::new();
    for (at, c) in text.char_indices() {
        let Some(kind) = script(c) else { continue };
        let end = at + c.len_utf8();
        match found.last_mut() {
            Some((word, known)) if word.end == at && *known == kind => word.end = end,
            _ => found.push((at..end, kind)),
        }
    }
    found.into_iter().map(|(word, _)| word).collect()
}

pub fn names(word: &str) -> bool {
    let long = word.chars().count() >= SHORTEST || word.starts_with(is_unspaced);
    long && !pattern!(
        r"(?i)^(?:{refine.function}|{refine.courtesy}|{refine.now}|{refine.upper}|{refine.lower}|{refine.about}|{refine.exact})$"
    )
    .is_match(word)
}

pub fn content(text: &str) -> Vec<&str> {
    words(text).into_iter().map(|word| &text[word]).filter(|word| names(word)).collect()
}

/// Whether two words are forms of one: "close" and "closing", "min" and "minutes".
pub fn alike(one: &str, other: &str) -> bool {
    let (first, second) = (one.chars().map(lowered), other.chars().map(lowered));
    let common = first.clone().zip(second.clone()).take_while(|(a, b)| a == b).count();
    let rest = [first.count() - common, second.count() - common];
    let unspaced = one.starts_with(is_unspaced);
    if rest.contains(&0) {
        let korean = one.starts_with(|c| script(c) == Some(3));
        return rest == [0, 0] || common >= SHORTEST || unspaced && (common > 1 || korean);
    }
    !unspaced && common >= 4.max((common + rest[0].min(rest[1])).saturating_sub(2))
}

pub fn shared(words: &[&str], text: &str) -> usize {
    among(words, &content(text))
}

/// How many of the words have one like it among others.
pub fn among<T: AsRef<str>>(words: &[&str], others: &[T]) -> usize {
    budget::spend(words.len() * others.len());
    words.iter().filter(|word| others.iter().any(|own| alike(own.as_ref(), word))).count()
}

/// Where a phrase stands in a text, in any case, between other words.
pub fn find(text: &str, phrase: &str) -> Vec<Range<usize>> {
    budget::spend(text.len());
    let plain = |text: &str| text.chars().map(lowered).collect::<String>();
    let (text, needle) = (plain(text), plain(phrase.trim()));
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    let (first, last) = (needle.chars().next(), needle.chars().next_back());
    let is_cut = |range: &Range<usize>| {
        let (before, behind) = (&text[..range.start], &text[range.end..]);
        letter(before.chars().next_back()) && letter(first)
            || letter(last) && letter(behind.chars().next())
    };
    let found = text.match_indices(&needle).map(|(at, found)| at..at + found.len());
    found.filter(|range| !range.is_empty() && !is_cut(range)).collect()
}

/// A character in lower case where that takes as many bytes, and spaces for breaks.
fn lowered(c: char) -> char {
    let lower = if c.is_ascii_whitespace() { ' ' } else { c.to_lowercase().next().unwrap_or(c) };
    if lower.len_utf8() == c.len_utf8() { lower } else { c }
}

/// A text without the quotation marks or backticks around it.
pub fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let scanned = text::literals::scan(text);
    let whole = 0..text.len();
    match (scanned.quotations.first(), scanned.quoted.first()) {
        (Some(around), Some(inner)) if *around == whole => text[inner.clone()].trim(),
        _ => match scanned.code_text.first() {
            Some(inner) if scanned.code.first() == Some(&whole) => &text[inner.clone()],
            _ => text,
        },
    }
}

/// A phrase without the articles before it and the stops behind it.
pub fn bare(text: &str) -> &str {
    let text = text.trim().trim_end_matches(['.', '!', ',', ';', ':', '。']);
    let article = pattern!(r"(?i)^(?:{refine.article}(?:\s+|\b))+");
    article.find(text).map_or(text, |found| &text[found.end()..]).trim()
}
