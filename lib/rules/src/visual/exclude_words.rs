//! Words that end, join or forbid an exclusion.

use patterns::pattern;

/// Words that are looked at behind the beginning of an exclusion.
const LONGEST_LIST: usize = 30;

/// A word with its place.
pub struct Word<'a> {
    /// The word.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// Whether a sentence or part of one ends with it.
    pub closes: bool,
}

/// The first words of a text.
pub fn words_of(text: &str) -> Vec<Word<'_>> {
    pattern!(r"\S+")
        .find_iter(text)
        .take(LONGEST_LIST)
        .map(|found| Word {
            text: found.as_str(),
            start: found.start(),
            end: found.end(),
            closes: found.as_str().ends_with(['.', '!', '?', ':', ';', ')', '。', '！', '？']),
        })
        .collect()
}

/// A word without the marks around it.
pub fn bare(word: &str) -> &str {
    word.trim_matches(['.', '!', '?', ':', ';', ')', '('])
}

/// Whether a word joins two items: "and", "or".
pub fn is_joining(word: &str) -> bool {
    is_either(word) || pattern!(r"(?i)^(?:{exclude.and}|&)$").is_match(word)
}

/// "or" and "nor".
pub fn is_either(word: &str) -> bool {
    pattern!(r"(?i)^{exclude.either}$").is_match(word)
}

/// Articles, numbers, prepositions and pronouns, with which something new begins.
pub fn is_stop(word: &str) -> bool {
    pattern!(r"(?i)^(?:\d\S*|{exclude.boundary})$").is_match(word)
}

/// Verbs that go on with the subject of the sentence.
pub fn is_verb(word: &str) -> bool {
    pattern!(r"(?i)^{exclude.verb}$").is_match(word)
}

/// Words about medium, light and format, which are wanted wherever they stand.
pub fn is_style(word: &str) -> bool {
    pattern!(r"(?i)^(?:3d|2d|4k|8k|hd|\d+mm|{exclude.style})$").is_match(word)
}

/// Things that pictures are often wanted without.
pub fn is_usual(word: &str) -> bool {
    pattern!(r"(?i)^{exclude.unwanted}$").is_match(word)
}
