//! Mending phrases where something was taken out of them or put before them.

use patterns::pattern;

use crate::split;

/// Mends the punctuation around what was taken out.
pub fn mended(text: &str) -> String {
    let text = pattern!(r"([,;、，])(?:\s*[,;、，])+").replace_all(text, "$1");
    let text = pattern!(r"\s*[,;、，]\s*([.!?。！？]|$)").replace_all(&text, "$1");
    let text = pattern!(r"\s+([,;.])").replace_all(&text, "$1");
    let text = text.trim_matches([' ', ',', ';', '、', '，']).trim_end_matches(['-', ' ']);
    // The sign of a number is no remnant.
    pattern!(r"^(?:[-–\s,;、，]*[-–]\s+|[-–\s,;、，]+(?:(?P<next>[^\d\s])|$))")
        .replace(text, "$next")
        .into_owned()
}

/// A phrase inside a sentence: its article in lower case.
pub fn inline(phrase: &str) -> String {
    if !pattern!(r"^{framing.first_article} ").is_match(phrase) {
        return phrase.to_owned();
    }
    let mut characters = phrase.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// A sentence of its own, with the full stop of its script.
pub fn sentence(text: &str) -> String {
    let text = text.trim().trim_end_matches(['、', '，']);
    let wide = |c: char| matches!(u32::from(c), 0x3040..=0x30FF | 0x4E00..=0x9FFF);
    match text.chars().last() {
        Some(last) if wide(last) => format!("{text}。"),
        Some(']') => split::capitalize(text),
        _ => split::stop(&split::capitalize(text)),
    }
}

/// Each item once, whatever its case.
pub fn each_once(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    items.filter(|item| !item.is_empty() && seen.insert(item.to_lowercase())).collect()
}
