//! Operations of the API as its document declares them, and the schemas of tools' arguments.

use http::Method;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::declarations::ToolDeclaration;
use crate::json_schema::{self, COMPONENTS, Object};

/// The argument for the header `Idempotency-Key`.
pub(crate) const KEY: &str = "idempotencyKey";
/// The argument for `Prefer: respond-async`.
pub(crate) const ASYNC: &str = "respondAsync";

/// Text as one path segment.
pub(crate) fn segment(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Location of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterLocation {
    Path,
    Query,
}

/// The parts of an API operation that a call needs.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub method: Method,
    /// With the version, and parameters in braces.
    pub path: String,
    /// Parameters of path and query.
    pub parameters: Vec<(ParameterLocation, String)>,
    pub has_body: bool,
    /// Whether it takes an idempotency key, as every AI operation does.
    pub is_keyed: bool,
    /// Whether it can be deferred.
    pub is_deferrable: bool,
    /// The scopes, all of them required.
    pub scopes: Vec<String>,
    pub declaration: Value,
}

impl Operation {
    /// Whether it takes parameters in the query.
    pub fn has_query(&self) -> bool {
        self.parameters.iter().any(|(place, _)| *place == ParameterLocation::Query)
    }
}

/// The API document.
#[derive(Debug)]
pub(crate) struct Document(Value);

pub(crate) fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

impl Document {
    /// Parses the document.
    pub fn parse(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap_or_default())
    }

    /// The operation with this identifier.
    pub fn operation(&self, id: &str) -> Option<Operation> {
        let paths = self.0["paths"].as_object()?;
        let declared = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().into_iter().flatten();
            methods.map(move |(method, declaration)| (path, method, declaration))
        });
        let (path, method, declaration) =
            declared.into_iter().find(|(_, _, declaration)| declaration["operationId"] == id)?;
        let parameters = array(&declaration["parameters"]);
        let has_header = |name: &str| {
            parameters.iter().any(|each| each["in"] == "header" && each["name"] == name)
        };
        let placed = parameters.iter().filter_map(|each| {
            let place = match text(&each["in"]) {
                "path" => ParameterLocation::Path,
                "query" => ParameterLocation::Query,
                _ => return None,
            };
            Some((place, text(&each["name"]).to_owned()))
        });
        let scopes = array(&declaration["security"][0]["bearer"]);
        Some(Operation {
            method: method.to_uppercase().parse().ok()?,
            path: format!("{}{path}", edge::router::BASE_PATH),
            parameters: placed.collect(),
            has_body: declaration["requestBody"].is_object(),
            is_keyed: has_header("Idempotency-Key"),
            is_deferrable: has_header("Prefer"),
            scopes: scopes.iter().map(|scope| text(scope).to_owned()).collect(),
            declaration: declaration.clone(),
        })
    }

    /// The schema that a reference names, or the schema itself.
    pub fn component<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str().and_then(|name| name.strip_prefix(COMPONENTS)) {
            Some(name) => &self.0["components"]["schemas"][name],
            None => schema,
        }
    }

    /// Schema of a tool's arguments: the parameters and body properties of its operation but `without` some.
    pub fn input(&self, operation: &Operation, tool: &ToolDeclaration) -> Object {
        let declaration = &operation.declaration;
        let (mut properties, mut required) = (Object::new(), Vec::new());
        let parameters = array(&declaration["parameters"]).iter();
        for parameter in parameters.filter(|each| each["in"] != "header") {
            let mut schema = parameter["schema"].clone();
            if let Some(description) = parameter["description"].as_str() {
                schema["description"] = description.into();
            }
            properties.insert(text(&parameter["name"]).to_owned(), schema);
            if parameter["required"] == true {
                required.push(parameter["name"].clone());
            }
        }
        let body = &declaration["requestBody"]["content"]["application/json"]["schema"];
        let (body_properties, body_required) = self.flatten(body);
        properties.extend(body_properties);
        required.extend(body_required);
        if operation.is_keyed {
            properties.insert(KEY.to_owned(), json!({
                "type": "string", "minLength": 1, "maxLength": edge::input::KEY_MAX,
                "description": "Makes retries safe: for 24 hours the same key with the same arguments returns the first result, and costs nothing more.",
            }));
        }
        if operation.is_deferrable {
            properties.insert(ASYNC.to_owned(), json!({
                "type": "boolean", "default": false,
                "description": "Whether to return at once instead of waiting for the result; then poll with get_operation.",
            }));
        }
        properties.retain(|name, _| !tool.without.contains(&name.as_str()));
        required.extend(tool.requires.iter().copied().map(Value::from));
        let mut schema = Object::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), properties.into());
        if !required.is_empty() {
            schema.insert("required".to_owned(), required.into());
        }
        schema.insert("additionalProperties".to_owned(), false.into());
        json_schema::with_definitions(schema, &self.0["components"]["schemas"])
    }

    /// Properties and required names of a body. Several shapes become their union: model providers
    /// accept no `oneOf` at the top of a tool's arguments. The API itself checks the shape.
    fn flatten(&self, body: &Value) -> (Object, Vec<Value>) {
        let body = self.component(body);
        let shapes = array(&body["oneOf"]);
        if shapes.is_empty() {
            let properties = body["properties"].as_object().cloned().unwrap_or_default();
            return (properties, array(&body["required"]).to_vec());
        }
        let (mut properties, mut required) = (Object::new(), None);
        for shape in shapes {
            let (own, needed) = self.flatten(shape);
            for (name, schema) in own {
                let merged = match properties.remove(&name) {
                    Some(known) => union(known, schema),
                    None => schema,
                };
                properties.insert(name, merged);
            }
            required = Some(match required {
                None => needed,
                Some(known) => {
                    Vec::from_iter(known).into_iter().filter(|name| needed.contains(name)).collect()
                }
            });
        }
        (properties, required.unwrap_or_default())
    }
}

/// The union of two property schemas.
fn union(one: Value, other: Value) -> Value {
    if one == other {
        return one;
    }
    if let (Some(ones), Some(others)) = (one["enum"].as_array(), other["enum"].as_array()) {
        let mut all = ones.clone();
        all.extend(others.iter().filter(|value| !ones.contains(value)).cloned());
        return json!({"type": one["type"], "enum": all});
    }
    let mut choices = array(&one["anyOf"]).to_vec();
    if choices.is_empty() {
        choices.push(one);
    }
    if !choices.contains(&other) {
        choices.push(other);
    }
    json!({ "anyOf": choices })
}
