//! What stands in a document without telling what it is about: addresses, markup, notices and menus.

use std::borrow::Cow;

use super::document::Document;
use crate::page::BlockRole;
use patterns::pattern;
use text::literals::scan;

/// A line of a menu has at least so many entries.
const FEWEST_ENTRIES: usize = 3;
/// Longest entry of a menu, in words.
const LONGEST_ENTRY: usize = 3;

/// The words of a document that can tell its topic, a line for each piece; all of them where nothing else is
/// left.
pub fn subject_matter(document: &Document) -> String {
    let said = document
        .blocks
        .iter()
        .filter(|block| !matches!(block.role, BlockRole::Action | BlockRole::Field))
        .map(|block| plain(&block.text));
    let text = said.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    if text.chars().any(char::is_alphabetic) { text } else { document.prose() }
}

/// One piece without addresses, markup, notices and menus.
fn plain(text: &str) -> String {
    let text = without_markup(text);
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for address in scan(&text).addresses {
        kept.push_str(&text[at..address.start]);
        kept.push_str(" . ");
        at = address.end;
    }
    kept.push_str(&text[at..]);
    kept.split_inclusive(['.', '!', '?', '\n'])
        .filter(|sentence| !is_notice(sentence) && !is_menu(sentence))
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Text without tags, and with entities as the signs that they stand for.
pub fn without_markup(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<']) {
        return Cow::Borrowed(text);
    }
    let text = pattern!(r"</?[A-Za-z][^<>\n]{0,300}>|<!--[^<>]{0,300}-->").replace_all(text, " ");
    let entity = pattern!(r"&(?:amp;)?(?P<e>[A-Za-z]{2,8}|#\d{1,6}|#[xX][0-9A-Fa-f]{1,5});");
    let sign = |found: &patterns::Captures<'_>| {
        let name = &found["e"];
        let code = match name.strip_prefix('#') {
            Some(hex) if hex.starts_with(['x', 'X']) => u32::from_str_radix(&hex[1..], 16).ok(),
            Some(number) => number.parse().ok(),
            None => None,
        };
        let named = match name {
            "amp" => '&',
            "auml" => 'ä',
            "ouml" => 'ö',
            "uuml" => 'ü',
            "Auml" => 'Ä',
            "Ouml" => 'Ö',
            "Uuml" => 'Ü',
            "szlig" => 'ß',
            "eacute" => 'é',
            "egrave" => 'è',
            "agrave" => 'à',
            "ccedil" => 'ç',
            "ntilde" => 'ñ',
            "oacute" => 'ó',
            "iacute" => 'í',
            "aacute" => 'á',
            "uacute" => 'ú',
            "rsquo" | "lsquo" | "apos" => '\'',
            "euro" => '€',
            _ => ' ',
        };
        let sign = code.and_then(char::from_u32).filter(|sign| !sign.is_control());
        sign.unwrap_or(named).to_string()
    };
    Cow::Owned(entity.replace_all(&text, sign).into_owned())
}

/// Whether a sentence only says how a site is run.
fn is_notice(sentence: &str) -> bool {
    sentence.len() <= 300
        && pattern!(r"(?i)\b{reverse_noise.notice}\b|^\s*(?:©|\(c\) ?\d{4}|{reverse_noise.copyright} (?:©|\d{4}))")
            .is_match(sentence)
}

/// "Home | About us | Contact"
fn is_menu(sentence: &str) -> bool {
    let entries: Vec<&str> = sentence
        .split(['|', '·', '•', '»', '›', '/'])
        .map(|entry| entry.trim().trim_end_matches('.'))
        .filter(|entry| !entry.is_empty())
        .collect();
    let short = |entry: &&str| entry.split_whitespace().count() <= LONGEST_ENTRY;
    sentence.len() <= 400
        && entries.len() >= FEWEST_ENTRIES
        && entries.iter().filter(|entry| short(entry)).count() + 1 >= entries.len()
}
