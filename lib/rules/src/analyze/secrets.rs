//! Rules about what no prompt should carry: credentials, foreign orders. They hold in any
//! language and search the whole prompt, material included.

use super::mask::Kind;
use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use patterns::pattern;

/// Credentials.
pub fn secret(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let mut found: Vec<Span> = pattern!(r#"(?x)
        (?-u:\b)(?:AKIA|ASIA)[0-9A-Z]{16}(?-u:\b)
        | (?-u:\b)sk-(?:ant-|proj-|live-|test-)?[A-Za-z0-9_-]{20,200}
        | (?-u:\b)[a-z]{2,8}_(?:live|test|prod)_[A-Za-z0-9]{16,100} | (?-u:\b)Bearer\ [A-Za-z0-9._~+/-]{24,2000}
        | (?-u:\b)gh[pousr]_[A-Za-z0-9]{30,100} | (?-u:\b)github_pat_[A-Za-z0-9_]{22,100}
        | (?-u:\b)xox[abprs]-[A-Za-z0-9-]{10,100} | (?-u:\b)AIza[0-9A-Za-z_-]{35} | (?-u:\b)glpat-[A-Za-z0-9_-]{20}
        | (?-u:\b)eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}
        | -----BEGIN\ (?:[A-Z]{2,10}\ ){0,2}PRIVATE\ KEY-----
        | [a-z][a-z0-9+]{2,12}://[^\s:/@]{1,60}:[^\s:/@]{3,80}@[a-zA-Z0-9]
        "#)
        .find_iter(text)
        .map(|found| found.range().into())
        .collect();
    let named = pattern!(
        r#"(?i)(?-u:\b){analyze_secrets.secret}["']?\s?(?:{analyze_secrets.is}|[:=])\s?["'“]?(?P<v>[^\s"'”,;<>{}\[\]]{6,120})"#
    );
    for capture in named.captures_iter(text) {
        if let Some(value) = capture.name("v")
            && is_random(value.as_str())
            && !found.iter().any(|span| span.start < value.end() && value.start() < span.end)
        {
            found.push(Span::new(value.start(), value.end()));
        }
    }
    found.sort();
    found.into_iter().map(Spot::new).collect()
}

/// Whether a value looks like a credential rather than a word or a placeholder: of two kinds of characters at least.
fn is_random(value: &str) -> bool {
    let value = value.trim_end_matches(['.', ')', '!', '?']);
    let kinds = [
        value.chars().any(|c| c.is_ascii_digit()),
        value.chars().any(char::is_uppercase) && value.chars().any(char::is_lowercase),
        value
            .chars()
            .any(|c| c.is_ascii_punctuation() && !matches!(c, '-' | '_' | '.' | '(' | ')')),
    ];
    let placeholder = pattern!(
        r"(?i)^(?:xxx|\*+|\.\.\.|process\.env|os\.|env|config|{analyze_secrets.placeholder})"
    );
    value.chars().count() >= 6 && kinds.iter().any(|kind| *kind) && !placeholder.is_match(value)
}

/// Bytes before an order in which it may be negated or introduced.
const NEAR: usize = 160;

/// Orders to the model inside what is only to be worked on, or in its place; not what somebody speaks of: "if a user
/// says …", "… is a phrase that attackers use".
pub fn injected_instructions(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let orders = pattern!(
        r"(?i)(?-u:\b){analyze_secrets.override}(?-u:\b)|(?-u:\b){analyze_secrets.forget}(?: \S+){0,3} {analyze_secrets.instructions}(?-u:\b)(?: \w+)?|(?-u:\b){analyze_secrets.override_loosely}"
    );
    let before = pattern!(r"(?i)(?-u:\b){analyze_secrets.spoken_of}(?-u:\b)[^.\n]*$");
    let behind = pattern!(r#"^["'”]?\s*{analyze_secrets.spoken_of_behind}(?-u:\b)"#);
    let spoken_of = |span: &Span| {
        let part = reading.source.mask.around(*span);
        let quoted = part.is_some_and(|(part, kind)| {
            part.meets(*span) && matches!(kind, Kind::Quote | Kind::Code)
        });
        quoted
            || before.is_match(text::tail(&text[..span.start], NEAR))
            || behind.is_match(&text[span.end..])
    };
    let found = orders.find_iter(text).map(|found| Span::from(found.range()));
    found.filter(|span| !spoken_of(span)).map(Spot::new).collect()
}
