//! A JSON schema that stands in a prompt.

use std::ops::Range;

use serde_json::Value;

use super::{found::Found, statement::Statement, text::Text};
use crate::ConstraintKind as Kind;
use patterns::pattern;

/// Most places of a prompt that are tried as JSON: each may be as long as the prompt.
const MOST_TRIED: usize = 8;

/// The schemas of a prompt that speaks of JSON: in fences, or from a line that opens an object on.
pub fn find(text: &Text<'_>, found: &mut Found) {
    let whole = text.original;
    if !pattern!(r"(?i)\bjson\b").is_match(&text.blanked) {
        return;
    }
    let opening = pattern!(r"(?m)^[ \t]*\{");
    let mut from = 0;
    for _ in 0..MOST_TRIED {
        let Some(open) = opening.find_at(whole, from) else { return };
        from = open.end();
        let Some(range) = object(whole, from - 1) else { continue };
        from = range.end;
        let schema = whole[range.clone()].to_owned();
        found.push(Statement::naming(Kind::JsonSchema, range, vec![schema]));
    }
}

/// The range of the object that begins at `start`, if it is a schema.
fn object(text: &str, start: usize) -> Option<Range<usize>> {
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    let value = values.next()?.ok()?;
    is_schema(&value).then(|| start..start + values.byte_offset())
}

/// Whether an object says what another one is like.
fn is_schema(value: &Value) -> bool {
    let described = value["properties"].is_object() || value["items"].is_object();
    described && (value["type"].is_string() || value["$schema"].is_string())
}
