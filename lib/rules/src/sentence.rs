//! What a sentence does: it is polite, or tries to command whoever reads it.

use super::imperative::unwrapped;
use patterns::pattern;

/// Whether greetings, thanks and the like are all there is.
pub fn is_pleasantry(sentence: &str) -> bool {
    let text = sentence.trim().trim_end_matches(['.', '!', '?', ',', ' ', ')', ':']);
    let is_polite = |text: &str| {
        pattern!(r"(?i)^{sentence.pleasantry}$").is_match(text.trim_start_matches('¿'))
    };
    text.is_empty() || is_polite(text) || is_polite(unwrapped(text))
}

/// Whether a sentence tries to command whatever model reads it, outside quotation marks.
pub fn is_takeover(sentence: &str) -> bool {
    let unquoted = pattern!(r#""[^"]*"|“[^”]*”|'[^']{12,}'|`[^`]*`"#).replace_all(sentence, "");
    let command = pattern!(
        r"(?i)\b{sentence.override}\b.{0,30}\b{sentence.before_rules}\b.{0,20}\b{sentence.rules}\b|\b{sentence.takeover}\b|^\s*\[?{sentence.speaker}\]?\s*:"
    );
    patterns::reading_all(|| command.is_match(&unquoted))
}
