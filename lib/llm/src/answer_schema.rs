//! The schema of a model's answer, declared once with bounds. Providers are sent the part that they
//! enforce; every answer is checked against all of it.

use jsonschema::{Validator, error::ValidationErrorKind};
use serde_json::{Map, Value, json};

use engine::Violation;

/// Most violations that are reported at once.
const MOST: usize = 20;

/// The schema of one operation's answer.
#[derive(Debug)]
pub(crate) struct AnswerSchema {
    /// The name, which providers show to the model.
    pub name: &'static str,
    /// The schema for providers. Strict modes support no bounds of length, number or size, so the
    /// descriptions state them.
    pub wire: Value,
    full: Value,
    validator: Validator,
}

impl AnswerSchema {
    /// Compiles a schema that was made with the functions of this module.
    pub fn new(name: &'static str, schema: Value) -> Self {
        #[allow(clippy::expect_used, reason = "forms are compiled in; a test makes every one")]
        let validator = jsonschema::draft202012::new(&schema).expect("a valid schema");
        Self { name, wire: wire(schema.clone()), full: schema, validator }
    }

    /// Mends the form of an answer where it says the same: white space around texts, an empty text for null, names of
    /// programs in another case, lists that are too long. What is copied from the material stays as it is.
    pub fn mend(&self, answer: &mut Value) {
        mend(&self.full, "", answer);
    }

    /// The answer's violations of the schema, at most 20.
    pub fn violations(&self, answer: &Value) -> Vec<Violation> {
        self.validator
            .iter_errors(answer)
            .take(MOST)
            .map(|error| {
                let detail = match error.kind() {
                    ValidationErrorKind::Required { property } => {
                        format!("the property {property} is missing")
                    }
                    _ => error.masked_with("the value").to_string(),
                };
                Violation::new("form", error.instance_path().as_str(), detail)
            })
            .collect()
    }
}

/// Fields whose texts are copied from the material, or are prompts themselves.
const VERBATIM: [&str; 6] = ["prompt", "systemPrompt", "quote", "begins", "text", "because"];

fn mend(schema: &Value, field: &str, answer: &mut Value) {
    match answer {
        Value::Object(members) => {
            for (name, value) in members {
                mend(&schema["properties"][name.as_str()], name, value);
            }
        }
        Value::Array(items) => {
            let most = schema["maxItems"].as_u64().and_then(|most| usize::try_from(most).ok());
            items.truncate(most.unwrap_or(usize::MAX));
            items.iter_mut().for_each(|item| mend(&schema["items"], field, item));
        }
        Value::String(text) => {
            if !VERBATIM.contains(&field) {
                *text = text.trim().to_owned();
            }
            if schema.get("pattern").is_some() {
                *text = snake_case(text);
            }
            if text.trim().is_empty() && schema["type"].is_array() {
                *answer = Value::Null;
            }
        }
        _ => {}
    }
}

/// "Output format" as `output_format`.
fn snake_case(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_")
}

/// An object with exactly these properties.
pub(crate) fn object<const N: usize>(properties: [(&str, Value); N]) -> Value {
    let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let members: Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({
        "type": "object",
        "properties": members,
        "required": names,
        "additionalProperties": false,
    })
}

/// A text of 1 to `most` characters.
pub(crate) fn text(most: usize, description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": most, "description": description})
}

/// A text of at most `most` characters, or null.
pub(crate) fn nullable(most: usize, description: &str) -> Value {
    json!({
        "type": ["string", "null"],
        "minLength": 1,
        "maxLength": most,
        "description": description,
    })
}

/// A list of `least` to `most` items.
pub(crate) fn list(least: usize, most: usize, items: Value, description: &str) -> Value {
    json!({
        "type": "array",
        "minItems": least,
        "maxItems": most,
        "items": items,
        "description": description,
    })
}

/// A whole number.
pub(crate) fn integer(least: u32, most: u32, description: &str) -> Value {
    json!({"type": "integer", "minimum": least, "maximum": most, "description": description})
}

/// A number from 0 to 1.
pub(crate) fn share(description: &str) -> Value {
    json!({"type": "number", "minimum": 0, "maximum": 1, "description": description})
}

/// One of these words.
pub(crate) fn choice(words: &[&str], description: &str) -> Value {
    json!({"type": "string", "enum": words, "description": description})
}

/// True or false.
pub(crate) fn flag(description: &str) -> Value {
    json!({"type": "boolean", "description": description})
}

/// A short stable name in `snake_case`.
pub(crate) fn slug(description: &str) -> Value {
    json!({
        "type": "string",
        "pattern": "^[a-z][a-z0-9]*(_[a-z0-9]+)*$",
        "maxLength": 60,
        "description": description,
    })
}

/// The schema with its bounds as words in the descriptions.
fn wire(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) if members.get("type").is_some_and(|kind| kind != "object") => {
            let mut bound = |key: &str| members.shift_remove(key).map(|value| value.to_string());
            let mut words = Vec::new();
            let _ = bound("minLength");
            if let Some(most) = bound("maxLength") {
                words.push(format!("At most {most} characters."));
            }
            if let (Some(least), Some(most)) = (bound("minItems"), bound("maxItems")) {
                words.push(format!("From {least} to {most} items."));
            }
            if let (Some(least), Some(most)) = (bound("minimum"), bound("maximum")) {
                words.push(format!("From {least} to {most}."));
            }
            if bound("pattern").is_some() {
                words.push("In snake_case, English.".to_owned());
            }
            if let Some(items) = members.get_mut("items") {
                *items = wire(items.take());
            }
            if let Some(Value::String(description)) = members.get_mut("description") {
                for words in words {
                    description.push(' ');
                    description.push_str(&words);
                }
            }
        }
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get_mut("properties") {
                for property in properties.values_mut() {
                    *property = wire(property.take());
                }
            }
        }
        _ => {}
    }
    schema
}
