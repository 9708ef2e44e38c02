//! Every answer of every test is one that the OpenAPI document declares.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex},
};

use jsonschema::Validator;
use reqwest::{Method, StatusCode, Url, header::HeaderMap};
use serde_json::Value;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../infra/openapi.json")).expect("a document")
});

/// Checks the status of an answer, its headers, and the code of an error.
///
/// # Panics
///
/// The operation does not declare them.
pub(crate) fn check(
    method: &Method,
    url: &Url,
    status: StatusCode,
    headers: &HeaderMap,
    body: &Value,
) {
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
    check_headers(declared, status, headers, &said);
}

/// Of the headers that the document knows, a response has only those that it declares, and all of the required ones. It
/// has those about the rate unless the service failed, perhaps before it knew the account.
fn check_headers(response: &Value, status: StatusCode, headers: &HeaderMap, said: &str) {
    let known = DOCUMENT["components"]["headers"].as_object().expect("headers");
    for (name, header) in known {
        let is_declared = response["headers"][name].is_object();
        match headers.get(name) {
            Some(value) => {
                assert!(is_declared, "{said}: {name} is not declared");
                let text = value.to_str().expect("text");
                let value = serde_json::from_str(text).unwrap_or_default();
                let value = if header["schema"]["type"] == "string" { text.into() } else { value };
                let problems = problems(&header["schema"], &value);
                assert!(problems.is_empty(), "{said}: {name} is {text}: {problems:?}");
            }
            None => {
                let is_known = name.starts_with("RateLimit-") && !status.is_server_error();
                let is_required = header["required"] == true || is_known;
                assert!(!is_declared || !is_required, "{said} without {name}");
            }
        }
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
    validator(schema)
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// A schema is compiled once: that takes longer than most requests.
fn validator(schema: &Value) -> Arc<Validator> {
    static COMPILED: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> =
        LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().expect("every schema is valid");
    let of_document = compiled.entry(schema.to_string()).or_insert_with(|| {
        let mut schema = schema.clone();
        schema["components"] = DOCUMENT["components"].clone();
        Arc::new(jsonschema::draft202012::new(&schema).expect("a valid schema"))
    });
    of_document.clone()
}

fn resolved(response: &'static Value) -> &'static Value {
    match response["$ref"].as_str() {
        Some(reference) => DOCUMENT.pointer(reference.trim_start_matches('#')).unwrap_or(response),
        None => response,
    }
}
