//! Words of feedback and prompts, compared without grammar.

use std::ops::Range;

use patterns::pattern;
use text::is_unspaced;

/// Shortest word of an alphabet that names something.
const SHORTEST: usize = 3;

/// The script of a letter as far as words are cut by it; `None` for what is no letter, and for the syllables of
/// Japanese grammar.
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

/// The words of a text.
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

/// Whether a word names something.
pub fn names(word: &str) -> bool {
    let long = word.chars().count() >= SHORTEST || word.starts_with(is_unspaced);
    long && !pattern!(
        r"(?i)^(?:{refine.function}|{refine.courtesy}|{refine.now}|{refine.upper}|{refine.lower}|{refine.about})$"
    )
    .is_match(word)
}

/// The words of a text that name something.
pub fn content(text: &str) -> Vec<&str> {
    words(text).into_iter().map(|word| &text[word]).filter(|word| names(word)).collect()
}

/// Whether two words are forms of one: "close" and "closing", "min" and "minutes".
pub fn alike(one: &str, other: &str) -> bool {
    let (mut first, mut second) = (lowered(one), lowered(other));
    let mut common = 0;
    let (left, right) = loop {
        match (first.next(), second.next()) {
            (Some(a), Some(b)) if a == b => common += 1,
            (a, b) => {
                let rest = |next: Option<char>, rest: usize| rest + usize::from(next.is_some());
                break (rest(a, first.count()), rest(b, second.count()));
            }
        }
    };
    if left == 0 || right == 0 {
        let unspaced = one.starts_with(is_unspaced)
            && (common > 1 || one.starts_with(|c| script(c) == Some(3)));
        return left == right || common >= SHORTEST || unspaced;
    }
    !one.starts_with(is_unspaced) && common >= 4.max((common + left.min(right)).saturating_sub(2))
}

/// How many of the words have one like it in a text.
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
    let needle: Vec<char> = lowered(phrase.trim()).collect();
    let (Some(first), Some(last)) = (needle.first(), needle.last()) else { return Vec::new() };
    let joined = |a: char, b: char| {
        a.is_alphanumeric() && b.is_alphanumeric() && !is_unspaced(a) && !is_unspaced(b)
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let starts = !joined(before, *first) && found.last().is_none_or(|known| known.end <= at);
        before = c;
        if !starts || lowered_char(c) != *first {
            continue;
        }
        let mut rest = text[at..].char_indices();
        let fits = needle.iter().all(|wanted| {
            rest.next().is_some_and(|(_, c)| {
                lowered_char(c) == *wanted || c.is_whitespace() && *wanted == ' '
            })
        });
        let after = rest.next();
        if fits && after.is_none_or(|(_, c)| !joined(*last, c)) {
            found.push(at..after.map_or(text.len(), |(end, _)| at + end));
        }
    }
    found
}

fn lowered(text: &str) -> impl Iterator<Item = char> {
    text.chars().map(lowered_char)
}

fn lowered_char(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
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
