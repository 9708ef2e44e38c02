//! Links from responses that name a resource to the operations on it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::each_operation;

/// Paths whose results name resources of another path: operation, property of `data`, path of the resource, and
/// the type of a history item.
const NAMED: &[(&str, &str, &str, Option<&str>)] = &[
    ("generatePrompt", "generationId", "/history/{type}/{id}", Some("generation")),
    ("analyzePrompt", "optimizationId", "/history/{type}/{id}", Some("optimization")),
    ("optimizePrompt", "optimizationId", "/history/{type}/{id}", Some("optimization")),
    ("analyzeAndOptimizePrompt", "optimizationId", "/history/{type}/{id}", Some("optimization")),
    ("refinePrompt", "refinementId", "/history/{type}/{id}", Some("refinement")),
    ("analyzePrompt", "optimizationId", "/optimizations/{id}", None),
    ("optimizePrompt", "optimizationId", "/optimizations/{id}", None),
    ("analyzeAndOptimizePrompt", "optimizationId", "/optimizations/{id}", None),
];

/// Adds links: what creates a resource leads to what reads and changes it, what defers an operation to the operation.
pub(super) fn add(document: &mut Value) {
    let mut by_path: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, _, operation) in each_operation(document) {
        let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
        by_path.entry(path.clone()).or_default().push(id);
    }
    let on = |resource: &str| {
        let paths = by_path.iter().filter(|(path, _)| {
            path.strip_prefix(resource).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        paths.flat_map(|(_, operations)| operations).cloned().collect::<Vec<_>>()
    };
    for (path, method, operation) in each_operation(document) {
        let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
        let responses = &mut operation["responses"];
        if let Some(accepted) = responses.get_mut("202") {
            link(accepted, "id", &on("/operations/{id}"), None);
        }
        let Some(completed) = responses.get_mut("200") else { continue };
        if method == "post" {
            link(completed, "id", &on(&format!("{path}/{{id}}")), None);
        }
        for (_, property, resource, kind) in NAMED.iter().filter(|(of, ..)| *of == id) {
            link(completed, property, &on(resource), *kind);
        }
    }
}

/// Links a response to operations on the resource that a property of its data names.
fn link(response: &mut Value, property: &str, operations: &[String], kind: Option<&str>) {
    for operation in operations {
        let mut parameters = json!({"id": format!("$response.body#/data/{property}")});
        if let Some(kind) = kind {
            parameters["type"] = kind.into();
        }
        response["links"][operation] = json!({"operationId": operation, "parameters": parameters});
    }
}
