//! What asks for something: orders, polite questions and wishes, in all languages alike.

use patterns::pattern;

/// Whether a sentence asks for something.
pub fn is_request(sentence: &str) -> bool {
    starts_work(sentence)
        || sentence.trim_end().ends_with('?')
        || pattern!(r"(?i)\b{imperative.asking}\b").is_match(sentence)
}

/// Whether a sentence begins with an order to do a piece of work, behind its courtesies.
pub fn starts_work(sentence: &str) -> bool {
    pattern!(r"(?i)^{imperative.work}(?:$|[^\p{L}\p{N}_'’])").is_match(unwrapped(sentence))
}

/// The sentence without greetings and what it says to whoever is asked: "write …" of "please, can you write …".
pub fn unwrapped(sentence: &str) -> &str {
    let wrapping =
        pattern!(r"(?i)^(?:{imperative.courtesy}\s*|(?:{imperative.opening}(?:\s+|$|['’])))");
    let mut text = sentence.trim();
    while let Some(found) = wrapping.find(text) {
        let rest = text[found.end()..].trim_start_matches([' ', ',']);
        if found.end() == 0 || !rest.contains(char::is_alphanumeric) {
            break;
        }
        text = rest;
    }
    text
}
