//! The words of a wish without what stands around them.

use patterns::pattern;

/// The words of a wish without courtesies, and whether they ask for something politely ("can you …?").
pub fn core(text: &str) -> (&str, bool) {
    let lead = pattern!(r"(?ix)^(?:{refine_asks.lead_word}[,:]?\s+|{refine_asks.lead_reply},\s+)+");
    let polite = pattern!(r"(?ix)^{refine_asks.polite}\s+");
    let mut text = text.trim().trim_end_matches(['.', '!', '。', '！', ' ']);
    let mut asked = false;
    while let Some(found) = lead.find(text).or_else(|| polite.find(text)) {
        let rest = &text[found.end()..];
        // "Außerdem soll …" is no sentence without its first word.
        if rest.trim().is_empty() || pattern!(r"(?i)^{refine_asks.modal}\w*\b").is_match(rest) {
            break;
        }
        asked |= polite.is_match(text);
        text = rest.trim_start();
    }
    let tail = pattern!(r"(?i)[,]?\s+{refine_asks.courtesy_tail}[?.!]*$");
    let text = tail.find(text).map_or(text, |found| &text[..found.start()]);
    (text.trim_end_matches(if asked { &['?', ' '][..] } else { &[' '][..] }), asked)
}

/// A text without the quotation marks around it.
pub fn unquoted(text: &str) -> &str {
    let text = text.trim().trim_end_matches(',');
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

/// Whether a text is courtesy, praise or a signature.
pub fn is_remark(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
        || pattern!(r"(?i)^{refine_asks.signature}(?:,?\s+(?-i:\p{Lu}\p{L}+)){0,2}$").is_match(text)
        || pattern!(r"(?i)^(?:{refine_asks.remark}[,.! ]*)+$").is_match(text)
}
