//! Arrays outside of requests: files, parsed by the rules of request bodies.

use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

use super::{body::broken_rule, json, schema};
use crate::Detail;

/// Parses an array of values that satisfy the schema of `T`.
///
/// # Errors
///
/// Every problem, located by a JSON pointer such as `/3/title`.
pub fn parse_array<T: ToSchema + DeserializeOwned + 'static>(
    bytes: &[u8],
) -> Result<Vec<T>, Vec<Detail>> {
    let (value, mut details) = json::parse(bytes).map_err(|detail| vec![detail])?;
    let Value::Array(values) = value else {
        return Err(vec![Detail::new("", "must be an array")]);
    };
    let schema = schema::of::<T>(schema::of_type::<T>);
    let mut items = Vec::with_capacity(values.len());
    for (position, value) in values.into_iter().enumerate() {
        let mut problems = schema.problems(&value);
        if problems.is_empty() {
            match serde_json::from_value(value) {
                Ok(item) => items.push(item),
                Err(error) => problems.push(Detail::new("", broken_rule(&error))),
            }
        }
        let placed =
            |detail: Detail| Detail::new(format!("/{position}{}", detail.path), detail.message);
        details.extend(problems.into_iter().map(placed));
    }
    if details.is_empty() { Ok(items) } else { Err(details) }
}
