//! What is true of every text that is sent as JSON.

use edge::{
    Detail,
    input::{JsonError, parse_json},
};
use serde_json::Value;

/// Most bytes that the problems of one text take in an answer.
const PROBLEMS: usize = 1 << 17;

/// What is accepted is what other parsers read, it has one meaning, and a refusal is short.
pub fn hold(input: &[u8]) {
    let parsed = match parse_json(input) {
        Ok(parsed) => parsed,
        Err(JsonError::NotJson(detail)) => return assert!(size(&[detail]) < 300),
        Err(JsonError::Refused(details)) => return assert!(size(&details) <= PROBLEMS),
    };
    assert!(serde_json::from_slice::<Value>(input).is_ok());
    assert!(count(&parsed) <= 20_000);
    let written = serde_json::to_vec(&parsed).expect("text");
    assert_eq!(parse_json(&written).expect("what was read"), parsed);
}

fn size(details: &[Detail]) -> usize {
    details.iter().map(|detail| detail.path.len() + detail.message.len()).sum()
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(properties) => properties.values().map(count).sum(),
        _ => 0,
    }
}
