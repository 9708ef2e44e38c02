//! The JSON schema that stands in a prompt.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use super::format;
use super::judgement::Judgement;
use crate::Reason;
use crate::output::Output;

/// Deepest nesting of a schema that is used, its references resolved.
const DEEPEST: usize = 40;
/// Most parts of a schema that is used, its references resolved.
const LARGEST: usize = 20_000;

/// Whether a program can validate by a schema.
pub fn is_valid(schema: &str) -> bool {
    validator(schema).is_some()
}

/// A schema is a stranger's: its expressions run in linear time, and it refers to parts of itself only, none of which
/// contains itself. Validation by one that does has no end that can be told beforehand.
fn validator(schema: &str) -> Option<Validator> {
    let schema: Value = serde_json::from_str(schema).ok()?;
    let mut left = LARGEST;
    if !is_finite(&schema, &schema, 0, &mut left) {
        return None;
    }
    jsonschema::options().with_pattern_options(PatternOptions::regex()).build(&schema).ok()
}

/// Whether a part of a schema is small with everything that it refers to.
fn is_finite(root: &Value, part: &Value, depth: usize, left: &mut usize) -> bool {
    if depth > DEEPEST || *left == 0 {
        return false;
    }
    *left -= 1;
    match part {
        Value::Object(members) => members.iter().all(|(name, value)| {
            let referred = match (name.as_str(), value) {
                ("$ref", Value::String(target)) => {
                    let part = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
                    part.is_some_and(|part| is_finite(root, part, depth + 1, left))
                }
                ("$dynamicRef" | "$recursiveRef", Value::String(_)) => false,
                _ => true,
            };
            referred && is_finite(root, value, depth + 1, left)
        }),
        Value::Array(values) => values.iter().all(|value| is_finite(root, value, depth + 1, left)),
        _ => true,
    }
}

/// Whether the answer is JSON that a schema allows; else which value it does not.
pub fn of(output: &Output<'_>, schema: &str) -> Judgement {
    let Some(validator) = validator(schema) else { return Judgement::undecided(Reason::Unclear) };
    let payload = format::payload(output);
    let answer: Value = match serde_json::from_str(output.at(&payload)) {
        Ok(answer) => answer,
        Err(_) => return format::of(output, "json"),
    };
    let Some(error) = validator.iter_errors(&answer).next() else {
        return Judgement::of(true, "schema");
    };
    let pointer = error.instance_path().as_str().to_owned();
    let found = if pointer.is_empty() { "/".to_owned() } else { pointer };
    let rule = error.schema_path().as_str().to_owned();
    Judgement::of(false, rule).found(found)
}
