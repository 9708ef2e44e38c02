//! What stands in a document without telling what it is about: addresses, markup, notices and menus.

use std::borrow::Cow;

use super::document::Document;
use patterns::pattern;
use text::literals::addresses;

/// A line of a menu has at least so many entries.
const FEWEST_ENTRIES: usize = 3;
/// Longest entry of a menu, in words.
const LONGEST_ENTRY: usize = 3;
/// Longest phrase that is quoted, in characters.
const LONGEST_PHRASE: usize = 80;

/// The words of a document that can tell its topic, a line for each piece; all of them where nothing else is
/// left.
pub fn subject_matter(document: &Document) -> String {
    let pieces = document.said().map(|block| plain(&block.text));
    let text = pieces.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    if text.chars().any(char::is_alphabetic) { text } else { document.prose() }
}

/// One piece without addresses, markup, notices and menus.
fn plain(text: &str) -> String {
    let text = without_markup(text);
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for address in addresses(&text) {
        kept.push_str(&text[at..address.start.max(at)]);
        kept.push_str(" . ");
        at = address.end;
    }
    kept.push_str(&text[at..]);
    let sentences = kept.split_inclusive(['.', '!', '?', '\n']);
    let telling = sentences.filter(|sentence| !is_notice(sentence) && !is_menu(sentence));
    telling.collect::<String>().trim().to_owned()
}

/// Text without tags and without the names of signs, such as `&nbsp;`.
pub fn without_markup(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<']) {
        return Cow::Borrowed(text);
    }
    pattern!(r"</?[A-Za-z][^<>\n]{0,300}>|<!--[^<>]{0,300}-->|&(?:amp;)?(?:[A-Za-z]{2,8}|#[xX]?[0-9A-Fa-f]{1,6});")
        .replace_all(text, " ")
}

/// Whether a sentence only says how a site is run.
fn is_notice(sentence: &str) -> bool {
    sentence.len() <= 300
        && pattern!(r"(?i)\b{reverse_noise.notice}\b|^\s*(?:©|\(c\) ?\d{4}|{reverse_noise.copyright} (?:©|\d{4}))")
            .is_match(sentence)
}

/// "Home | About us | Contact"
fn is_menu(sentence: &str) -> bool {
    let entries = sentence.split(['|', '·', '•', '»', '›', '/']);
    let entries: Vec<usize> =
        entries.map(|entry| entry.split_whitespace().count()).filter(|words| *words > 0).collect();
    let short = entries.iter().filter(|words| **words <= LONGEST_ENTRY).count();
    sentence.len() <= 400 && entries.len() >= FEWEST_ENTRIES && short + 1 >= entries.len()
}

/// A phrase as it may stand between quotation marks in a prompt: one short line without signs that mean
/// something to prompts, templates or markup.
pub fn quotable(text: &str) -> String {
    let plain = pattern!("[\"“”„«»`<>{}\\[\\]#*_|\\p{Cc}]").replace_all(text, " ");
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(LONGEST_PHRASE).collect();
    match short.rfind(' ') {
        Some(space) if short.len() < line.len() && space > 20 => format!("{}…", &short[..space]),
        _ => short,
    }
}
