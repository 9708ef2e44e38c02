//! The subset of JSON Schema that every provider enforces: each object is closed, each property is
//! required, and only these keywords are allowed.

use serde_json::Value;

const KEYWORDS: [&str; 7] =
    ["type", "properties", "required", "additionalProperties", "items", "enum", "description"];
const DEEPEST: usize = 10;
const MOST_UNIONS: usize = 16;

/// A name of a schema or tool.
pub fn is_name(name: &Value) -> bool {
    name.as_str().is_some_and(|name| {
        (1..=64).contains(&name.len())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    })
}

/// What keeps a schema from being strict.
pub fn problems(schema: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    if schema["type"] != "object" {
        problems.push("the root is not an object".to_owned());
    }
    let mut unions = 0;
    visit(schema, "", 1, &mut unions, &mut problems);
    if unions > MOST_UNIONS {
        problems.push(format!("{unions} values of more than one type"));
    }
    problems
}

fn visit(
    schema: &Value,
    place: &str,
    depth: usize,
    unions: &mut usize,
    problems: &mut Vec<String>,
) {
    let Some(members) = schema.as_object() else {
        problems.push(format!("{place} is no schema"));
        return;
    };
    if depth > DEEPEST {
        problems.push(format!("{place} is nested too deep"));
    }
    for keyword in members.keys().filter(|keyword| !KEYWORDS.contains(&keyword.as_str())) {
        problems.push(format!("{place} has the keyword {keyword}"));
    }
    match &schema["type"] {
        Value::String(kind) if kind == "object" => {
            let properties = schema["properties"].as_object().cloned().unwrap_or_default();
            let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
            let mut required: Vec<&str> = schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            names.sort_unstable();
            required.sort_unstable();
            if names.is_empty() || names != required {
                problems.push(format!("{place} does not require all of its properties"));
            }
            if schema["additionalProperties"] != false {
                problems.push(format!("{place} allows other properties"));
            }
            for (name, property) in &properties {
                visit(property, &format!("{place}/{name}"), depth + 1, unions, problems);
            }
        }
        Value::String(kind) if kind == "array" => {
            visit(&schema["items"], &format!("{place}/*"), depth + 1, unions, problems);
        }
        Value::String(kind) => {
            if !["string", "integer", "number", "boolean"].contains(&kind.as_str()) {
                problems.push(format!("{place} has the type {kind}"));
            }
        }
        Value::Array(kinds) if kinds.len() == 2 && kinds[1] == "null" => *unions += 1,
        other => problems.push(format!("{place} has the type {other}")),
    }
}
