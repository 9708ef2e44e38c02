//! Path and query parameters, validated against the declarations that the OpenAPI document shows.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use utoipa::{
    IntoParams,
    openapi::{Required, path::Parameter},
};

use super::{body::broken_rule, invalid, json::segment, schema};
use crate::{ApiError, Code, Detail};

/// The value of a parameter as it came.
pub(super) enum Given {
    Text(String),
    Json(Value),
}

/// Parses `pairs` as `T`, and returns them as JSON, too; problems are located under `location`. Text for parameters that
/// are not declared is ignored, but for misspellings of one that is.
pub(super) fn read<T: IntoParams + DeserializeOwned + 'static>(
    location: &str,
    pairs: impl Iterator<Item = (String, Given)>,
) -> (Value, Result<T, ApiError>) {
    let declared = T::into_params(|| None);
    let mut details = Vec::new();
    let mut object = Map::new();
    for (name, given) in pairs {
        let Some(parameter) = declared.iter().find(|parameter| parameter.name == name) else {
            let known = declared.iter().map(|parameter| parameter.name.as_str());
            let message = match (meant(&name, known), given) {
                (Some(meant), _) => format!("is not a known parameter; did you mean {meant}?"),
                (None, Given::Json(_)) => "is not a known parameter".to_owned(),
                (None, Given::Text(_)) => continue,
            };
            details.push(Detail::new(format!("{location}.{}", segment(&name)), message));
            continue;
        };
        let value = match given {
            Given::Text(text) => typed(parameter, &text),
            Given::Json(value) => value,
        };
        if object.insert(name.clone(), value).is_some() {
            details.push(Detail::new(format!("{location}.{name}"), "is given more than once"));
        }
    }
    let schema = schema::of::<T>(|| object_schema(&declared));
    let object = Value::Object(object);
    details.extend(schema.problems(&object).into_iter().map(|detail| {
        let name = detail.path.trim_start_matches('/');
        Detail::new(format!("{location}.{name}"), detail.message)
    }));
    if !details.is_empty() {
        return (object, Err(ApiError::new(Code::InvalidRequest).with_details(details)));
    }
    let parsed = T::deserialize(&object).map_err(|error| invalid(location, broken_rule(&error)));
    (object, parsed)
}

/// Names from this length on may have two slips.
const LONG_NAME: usize = 6;

/// The known name of which `name` is a misspelling, if there is one.
pub(super) fn meant<'a>(name: &str, mut known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known.find(|known| is_misspelt(name, known))
}

/// Whether a name is a misspelling of `known`: another case, or one letter missing, added, replaced or swapped with its
/// neighbour; in a long name two.
fn is_misspelt(name: &str, known: &str) -> bool {
    let slips = if known.len() < LONG_NAME { 1 } else { 2 };
    // The comparison takes time in proportion to both lengths.
    name.len().abs_diff(known.len()) <= 4 * slips
        && strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase()) <= slips
}

/// The text as the type that its parameter declares. Text that does not parse stays text, so that
/// validation reports it. Elements of a list are separated by commas.
fn typed(parameter: &Parameter, text: &str) -> Value {
    let schema = json!(parameter.schema);
    if schema["type"] == "integer" {
        return integer(text).unwrap_or_else(|| text.into());
    }
    if schema["type"] == "array" {
        let elements = text.split(',').map(str::trim);
        return elements.filter(|element| !element.is_empty()).collect();
    }
    text.into()
}

/// The integer in a text. A value beyond 64 bits is about as large as the text says, so that it exceeds its bound.
fn integer(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exact = text.parse::<i64>().map(Value::from);
    let about = || text.parse().map(|number: f64| Value::from(number.clamp(f64::MIN, f64::MAX)));
    exact.ok().or_else(|| about().ok())
}

fn object_schema(declared: &[Parameter]) -> Value {
    let properties: Map<_, _> = declared
        .iter()
        .map(|parameter| (parameter.name.clone(), json!(parameter.schema)))
        .collect();
    let required: Vec<_> = declared
        .iter()
        .filter(|parameter| parameter.required == Required::True)
        .map(|parameter| parameter.name.clone())
        .collect();
    json!({"type": "object", "properties": properties, "required": required})
}
