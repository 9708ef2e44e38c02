//! What is true of every text that the compiled expressions search: they find what the crate `regex` finds.

use std::{ops::Range, sync::LazyLock};

use patterns::{Pattern, pattern};
use regex::Regex;

macro_rules! expressions {
    ($($source:literal),* $(,)?) => {
        [$((pattern!($source), $source)),*]
    };
}

const EXPRESSIONS: [(Pattern, &str); 16] = expressions![
    r"(?m)^\s*[-*] (?P<item>\S.*)$",
    r"(?i)\b(?:please|pls|plz|kindly|just)\b[,]?\s+",
    r"(?i)\b(?:über|für|à|été)\b",
    r"(?P<n>\d{1,3}(?:[.,]\d{3})+|\d+)\s?(?P<unit>words?|wörter|字)",
    r"(?s)```.*?(?:```|\z)",
    r#"“[^”\n]*”|"[^"\n]{1,20}"|«[^»\n]*»"#,
    r"\{\{\s*([^{}\s](?:[^{}\n]{0,18}[^{}\s])?)\s*\}\}",
    r"(a|ab)(c|bcd)(d*)",
    r"(?:a{2,3}?)+b?",
    r"(?:a|b|ab)*(?:a|b|ab)*d|b(a)",
    r"\b",
    r"\B",
    r"(?i)straße|kelvin|sos",
    r"(?im)^(?P<label>[\p{L} ]{1,12}):[ \t]*(?P<rest>[^\n]*)\n?",
    r"(?i)^(?P<a>.*?)(?: and (?P<b>.+?))?(?:, (?P<c>please))?[.!]?$",
    r"(?i)(?:one|two|three|\d+)(?: (?:big|small))*? (?P<noun>[a-z]+s)\b",
];

static REFERENCES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    EXPRESSIONS.iter().map(|(_, source)| Regex::new(source).expect("an expression")).collect()
});

/// Letters that Unicode folds to ASCII; here they are no letters of it.
const NOT_FOLDED: [char; 2] = ['\u{17f}', '\u{212a}'];

/// The first byte chooses the expression; the rest is the text.
pub fn hold(input: &[u8]) {
    let Some((first, text)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    if text.contains(NOT_FOLDED) {
        return;
    }
    let chosen = usize::from(*first) % EXPRESSIONS.len();
    let ((pattern, source), regex) = (EXPRESSIONS[chosen], &REFERENCES[chosen]);
    let expected: Vec<Vec<Option<Range<usize>>>> = regex
        .captures_iter(text)
        .map(|found| found.iter().map(|group| group.map(|group| group.range())).collect())
        .collect();
    let found: Vec<Vec<_>> = pattern
        .captures_iter(text)
        .map(|found| {
            (0..regex.captures_len())
                .map(|group| found.get(group).map(|group| group.range()))
                .collect()
        })
        .collect();
    assert_eq!(found, expected, "{source}");
    assert_eq!(pattern.is_match(text), regex.is_match(text), "{source}");
}
