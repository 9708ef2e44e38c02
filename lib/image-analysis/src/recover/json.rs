//! JSON as image generators write it.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

/// What a byte costs that becomes a part of a tree, in steps.
pub const WORK: usize = 8;

/// The object in `text`, if it is one; the parser bounds the nesting. Python writes `NaN` and
/// `Infinity`, which JSON does not have: they are read as null.
pub fn object(text: &str) -> Option<Map<String, Value>> {
    let text = text.trim();
    if !text.starts_with('{') {
        return None;
    }
    budget::spend(WORK * text.len());
    let foreign = ["NaN", "Infinity"].iter().any(|word| text.contains(word));
    let text = if foreign { Cow::Owned(finite(text)) } else { Cow::Borrowed(text) };
    serde_json::from_str(&text).ok()
}

/// The text with `NaN` and the infinities outside strings replaced by null.
fn finite(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    let (mut quoted, mut escaped) = (false, false);
    while let Some(c) = rest.chars().next() {
        let word = ["-Infinity", "Infinity", "NaN"]
            .iter()
            .find(|word| !quoted && c.is_ascii() && rest.starts_with(**word));
        if let Some(word) = word {
            result.push_str("null");
            rest = &rest[word.len()..];
            continue;
        }
        if quoted {
            quoted = escaped || c != '"';
            escaped = c == '\\' && !escaped;
        } else {
            quoted = c == '"';
        }
        result.push(c);
        rest = &rest[c.len_utf8()..];
    }
    result
}

/// The value of the first key that holds a string.
pub fn string(map: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| map.get(*key)?.as_str()).map(str::to_owned)
}

/// A number if it would be written as the same text, otherwise the text.
pub fn scalar(text: &str) -> Value {
    match serde_json::from_str::<Number>(text) {
        Ok(number) if number.to_string() == text => Value::Number(number),
        _ => Value::from(text),
    }
}

/// The settings beside a prompt: everything except these keys and null values.
pub fn without(map: &Map<String, Value>, keys: &[&str]) -> Map<String, Value> {
    let rest = map.iter().filter(|(key, value)| !keys.contains(&key.as_str()) && !value.is_null());
    rest.map(|(key, value)| (key.clone(), value.clone())).collect()
}
