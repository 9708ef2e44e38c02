//! Every answer of every test is one that the OpenAPI document declares.

use std::sync::LazyLock;

use reqwest::{Method, StatusCode, Url};
use serde_json::Value;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../infra/openapi.json")).expect("a document")
});

/// Checks the status of an answer, and the code of an error.
///
/// # Panics
///
/// The operation does not declare them.
pub(crate) fn check(method: &Method, url: &Url, status: StatusCode, body: &Value) {
    let code = body["error"]["code"].as_str();
    let Some(operation) = operation(method, url.path()) else { return };
    if status == StatusCode::METHOD_NOT_ALLOWED || (code.is_none() && !status.is_success()) {
        return;
    }
    let said = format!("{method} {}: {status} {}", url.path(), code.unwrap_or_default());
    let declared = resolved(&operation["responses"][status.as_str()]);
    assert!(declared.is_object(), "{said} is not declared");
    if let Some(code) = code {
        let examples = &declared["content"]["application/json"]["examples"];
        assert!(examples[code].is_object(), "{said} is not declared");
    }
}

fn operation(method: &Method, path: &str) -> Option<&'static Value> {
    let path = path.strip_prefix("/v1")?;
    let path = if path.is_empty() { "/" } else { path };
    let segments: Vec<_> = path.split('/').collect();
    let matches = |template: &str| {
        let parts: Vec<_> = template.split('/').collect();
        parts.len() == segments.len()
            && parts
                .iter()
                .zip(&segments)
                .all(|(part, segment)| part.starts_with('{') || part == segment)
    };
    let paths = DOCUMENT["paths"].as_object()?;
    let (_, item) = paths.iter().find(|(template, _)| matches(template))?;
    item.get(method.as_str().to_lowercase())
}

/// Checks an event that a receiver got.
///
/// # Panics
///
/// The document does not describe it so.
pub(crate) fn check_event(event: &Value) {
    let kind = event["type"].as_str().expect("a type");
    let schema =
        &DOCUMENT["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{kind} is not documented");
    let problems = problems(schema, event);
    assert!(problems.is_empty(), "{kind}: {problems:?}");
}

/// What is wrong with a value by a schema of the document.
pub fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let mut schema = schema.clone();
    schema["components"] = DOCUMENT["components"].clone();
    let validator = jsonschema::draft202012::new(&schema).expect("a valid schema");
    validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

fn resolved(response: &'static Value) -> &'static Value {
    match response["$ref"].as_str() {
        Some(reference) => DOCUMENT.pointer(reference.trim_start_matches('#')).unwrap_or(response),
        None => response,
    }
}
