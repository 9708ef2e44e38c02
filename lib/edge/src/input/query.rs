//! The query, validated against the parameters that the OpenAPI document shows.

use http::Uri;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use utoipa::{
    IntoParams,
    openapi::{Required, path::Parameter},
};

use super::{Input, Problems, Raw, schema};
use crate::Detail;

/// Query parameters that satisfy their declarations in `T`.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

fn pairs(uri: &Uri) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).into_owned()
}

/// A problem for each parameter of a query that nobody reads.
pub(crate) fn unknown(uri: &Uri) -> Vec<Detail> {
    pairs(uri).map(|(name, _)| not_known(&name)).collect()
}

fn not_known(name: &str) -> Detail {
    Detail::new(format!("query.{name}"), "is not a known parameter")
}

impl<T: IntoParams + DeserializeOwned + Send + 'static> Input for Query<T> {
    const READS_QUERY: bool = true;

    fn read(raw: &Raw) -> Result<Self, Problems> {
        let declared = T::into_params(|| None);
        let mut details = Vec::new();
        let mut object = Map::new();
        for (name, text) in pairs(&raw.head.uri) {
            let Some(parameter) = declared.iter().find(|parameter| parameter.name == name) else {
                details.push(not_known(&name));
                continue;
            };
            let value = typed(parameter, &text);
            if object.insert(name.clone(), value).is_some() {
                details.push(Detail::new(format!("query.{name}"), "is given more than once"));
            }
        }
        let validator = schema::validator_of::<T>(|| object_schema(&declared));
        let object = Value::Object(object);
        details.extend(schema::problems(&validator, &object).into_iter().map(|detail| {
            Detail::new(format!("query.{}", detail.path.trim_start_matches('/')), detail.message)
        }));
        if !details.is_empty() {
            return Err(details.into());
        }
        serde_json::from_value(object)
            .map(Self)
            .map_err(|error| Problems::one(Detail::new("query", error.to_string())))
    }
}

/// The text as the type that its parameter declares; as text where it does not read as one, so
/// that validation says so.
fn typed(parameter: &Parameter, text: &str) -> Value {
    let schema = json!(parameter.schema);
    if schema["type"] == "integer" {
        return text.parse::<i64>().map_or_else(|_| text.into(), Value::from);
    }
    text.into()
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
