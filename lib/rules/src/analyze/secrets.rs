//! Credentials, which no prompt should carry. They are looked for in the whole prompt, material included.

use super::reading::Reading;
use super::rule::Spot;
use engine::prompt::Span;
use patterns::pattern;

/// Credentials.
pub fn secret(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let mut found: Vec<Span> = pattern!(r#"(?x)
        (?-u:\b)(?:AKIA|ASIA)[0-9A-Z]{16}(?-u:\b)
        | (?-u:\b)sk-(?:ant-|proj-|live-|test-)?[A-Za-z0-9_-]{20,200}
        | (?-u:\b)[a-z]{2,8}_(?:live|test|prod|pat|key)_[A-Za-z0-9]{16,100} | (?-u:\b)Bearer\ [A-Za-z0-9._~+/-]{24,2000}
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
        r#"(?i)(?-u:\b){analyze_secrets.secret} (?P<bare>[^\s"'”,;]{1,40}\d[^\s"'”,;]{0,40}[!#$%&*@^][^\s"'”,;]{0,40})|(?:(?-u:\b)(?:{analyze_secrets.secret}["']?\s?(?:{analyze_secrets.is}|[:=])\s?|{analyze_secrets.login}\s?[:=]\s?\S{2,40} ?/ ?)|{analyze_secrets.secret_scripted})["'“]?(?P<v>[^\s"'”,;，。；<>{}\[\]]{6,120})"#
    );
    for capture in named.captures_iter(text) {
        if let Some(value) = capture.name("bare").or_else(|| capture.name("v"))
            && is_random(value.as_str())
            && !found.iter().any(|span| span.start < value.end() && value.start() < span.end)
        {
            found.push(Span::new(value.start(), value.end()));
        }
    }
    found.sort();
    found.into_iter().map(Spot::new).collect()
}

/// Digits that a placeholder has at most.
const MOST_DIGITS: usize = 5;

/// Whether a value looks like a credential rather than a word or a placeholder.
fn is_random(value: &str) -> bool {
    let value = value.trim_end_matches(['.', ')', '!', '?']);
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let signs = |c: char| c.is_ascii_punctuation() && !"-_.()".contains(c);
    let placeholder = pattern!(
        r"(?i)^(?:xxx|\*+|\.\.\.|process\.env|os\.|env|config|{analyze_secrets.placeholder})"
    );
    value.chars().count() >= 6
        && (digits > 0 || value.contains(signs))
        && (!placeholder.is_match(value) || digits > MOST_DIGITS)
}
