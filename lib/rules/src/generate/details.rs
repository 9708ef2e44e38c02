//! Concrete details that must survive any rewriting.

use patterns::pattern;

/// Quotations, URLs, addresses, variables and numbers of a text, in order, each once; at most 40.
pub fn of(text: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for found in pattern!(r#"\{\{[^{}\n]+\}\}|https?://[^\s<>"')\]]+|[\w.+-]+@[\w-]+\.[\w.-]+|"[^"\n]{1,200}"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|#[0-9a-fA-F]{6}\b|[$€£¥]?\d[\d.,:/-]*\d|[$€£¥]?\d%?"#).find_iter(text) {
        let literal = found.as_str().trim_end_matches(['.', ',']).to_owned();
        if !list.contains(&literal) {
            list.push(literal);
        }
        if list.len() == 40 {
            break;
        }
    }
    list
}
