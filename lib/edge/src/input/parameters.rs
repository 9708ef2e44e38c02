//! Path and query parameters, validated against the declarations that the OpenAPI document shows.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use utoipa::{
    IntoParams,
    openapi::{Required, path::Parameter},
};

use super::{Problems, json::segment, schema};
use crate::Detail;

/// Parses `pairs` as `T`; problems are located under `location`. Parameters that are not declared are ignored unless
/// `is_declared_only`, but for misspellings of one that is.
pub(super) fn read<T: IntoParams + DeserializeOwned + 'static>(
    location: &str,
    pairs: impl Iterator<Item = (String, String)>,
    is_declared_only: bool,
) -> Result<T, Problems> {
    let declared = T::into_params(|| None);
    let mut details = Vec::new();
    let mut object = Map::new();
    for (name, text) in pairs {
        let Some(parameter) = declared.iter().find(|parameter| parameter.name == name) else {
            let meant = declared.iter().find(|parameter| is_misspelt(&name, &parameter.name));
            let message = match meant {
                Some(meant) => format!("is not a known parameter; did you mean {}?", meant.name),
                None if is_declared_only => "is not a known parameter".to_owned(),
                None => continue,
            };
            details.push(Detail::new(format!("{location}.{}", segment(&name)), message));
            continue;
        };
        let value = typed(parameter, &text);
        if object.insert(name.clone(), value).is_some() {
            details.push(Detail::new(format!("{location}.{name}"), "is given more than once"));
        }
    }
    let validator = schema::validator_of::<T>(|| object_schema(&declared));
    let object = Value::Object(object);
    details.extend(schema::problems(&validator, &object).into_iter().map(|detail| {
        let name = detail.path.trim_start_matches('/');
        Detail::new(format!("{location}.{name}"), detail.message)
    }));
    if !details.is_empty() {
        return Err(details.into());
    }
    serde_json::from_value(object)
        .map_err(|error| Problems::one(Detail::new(location, error.to_string())))
}

/// Names from this length on may have two slips.
const LONG_NAME: usize = 6;

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
