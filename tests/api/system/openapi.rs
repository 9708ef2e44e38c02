use std::collections::BTreeSet;

use acceptance::{Answer, World, documented};
use reqwest::Method;
use serde_json::Value;

/// The document, as the functions declare it.
fn declared() -> Value {
    let document = local::document::document().expect("a document");
    serde_json::from_str(&document).expect("JSON")
}

#[tokio::test]
async fn the_checked_in_document_is_what_the_functions_declare() {
    let world = World::start().await;
    let answer = Answer::to(world.anonymous(Method::GET, "/openapi.json")).await;
    assert_eq!(answer.status, 200);
    assert!(
        answer.body == declared(),
        "infra/openapi.json is stale: cargo run -p local --example openapi > infra/openapi.json"
    );
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

#[test]
fn every_operation_is_named_secured_and_fully_described() {
    let document = declared();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["version"], "1.0.0");
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            let place = format!("{method} {path}");
            let name = operation["operationId"].as_str().expect(&place);
            assert!(names.insert(name.to_owned()), "{place}: {name} is taken");
            assert!(operation["summary"].is_string(), "{place}");
            assert!(operation["security"].is_array(), "{place}");
            if operation["requestBody"].is_object() {
                exemplified(&operation["requestBody"]["content"], &place, &document);
            }
            for (status, response) in operation["responses"].as_object().expect(&place) {
                let response = resolved(&document, response);
                assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()));
                assert!(response["headers"]["X-Request-Id"].is_object(), "{place} {status}");
                exemplified(&response["content"], &format!("{place} {status}"), &document);
            }
        }
    }
}

fn resolved<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    match part["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).expect(reference),
        None => part,
    }
}

/// A body has examples of each of its types, all of which its schema allows.
fn exemplified(content: &Value, place: &str, document: &Value) {
    let types = content.as_object().expect(place);
    assert!(!types.is_empty(), "{place}");
    types.values().for_each(|content| exemplified_type(content, place, document));
}

fn exemplified_type(content: &Value, place: &str, document: &Value) {
    assert!(content["schema"].is_object(), "{place}");
    let named = content["examples"].as_object().into_iter().flatten();
    let named = named.map(|(_, example)| &resolved(document, example)["value"]);
    let examples: Vec<_> = content.get("example").into_iter().chain(named).collect();
    assert!(!examples.is_empty(), "{place} has no example");
    for example in examples {
        let problems = documented::problems(&content["schema"], example);
        assert!(problems.is_empty(), "{place}: {problems:?}");
    }
}

/// The functions validate by Draft 7 (`docs/design/hosts.md`, starts).
#[test]
fn what_schemas_say_means_the_same_in_draft_7() {
    const LATER: [&str; 8] = [
        "dependentRequired",
        "dependentSchemas",
        "maxContains",
        "minContains",
        "prefixItems",
        "unevaluatedItems",
        "unevaluatedProperties",
        "$dynamicRef",
    ];
    // Draft 7 passes over what stands beside a reference.
    const NOTES: [&str; 5] = ["$ref", "default", "description", "summary", "examples"];
    let mut parts = vec![declared()];
    while let Some(part) = parts.pop() {
        match part {
            Value::Object(part) => {
                assert!(!LATER.iter().any(|keyword| part.contains_key(*keyword)), "{part:?}");
                let refers = part.get("$ref").is_some_and(Value::is_string);
                let notes_only = part.keys().all(|keyword| NOTES.contains(&keyword.as_str()));
                assert!(!refers || notes_only, "{part:?}");
                parts.extend(part.into_values());
            }
            Value::Array(values) => parts.extend(values),
            _ => {}
        }
    }
}

#[test]
fn the_document_has_less_than_500_kb() {
    assert!(include_str!("../../../infra/openapi.json").len() < 500_000);
}

#[tokio::test]
async fn every_reference_leads_somewhere() {
    let text = include_str!("../../../infra/openapi.json");
    let document: Value = serde_json::from_str(text).expect("JSON");
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let mut found = 0;
    for reference in text.split("\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().expect("a name");
        assert!(schemas.contains_key(name), "{name}");
        found += 1;
    }
    assert!(found > 50);
}

/// The operations of the contract.
const OPERATIONS: [&str; 45] = [
    "analyzeAndOptimizePrompt",
    "analyzePrompt",
    "cancelOperation",
    "completeUpload",
    "createLibraryItem",
    "createPreset",
    "createUpload",
    "createWebhookEndpoint",
    "deleteHistoryItem",
    "deleteLibraryItem",
    "deletePreset",
    "deleteUpload",
    "deleteWebhookEndpoint",
    "estimatePromptTokens",
    "generatePrompt",
    "getApiInfo",
    "getCapabilities",
    "getHealth",
    "getHistoryItem",
    "getLibraryItem",
    "getOperation",
    "getPreset",
    "getUpload",
    "getUsage",
    "getWebhookEndpoint",
    "listHistory",
    "listLibraryItems",
    "listModels",
    "listOperations",
    "listPresets",
    "listWebhookEndpoints",
    "optimizePrompt",
    "publishLibraryItem",
    "refineOptimizedPrompt",
    "refinePrompt",
    "renameHistoryItem",
    "renderPreset",
    "reversePrompt",
    "testWebhookEndpoint",
    "toggleLibraryItemSaved",
    "toggleLibraryItemVote",
    "unpublishLibraryItem",
    "updateLibraryItem",
    "updatePreset",
    "updateWebhookEndpoint",
];

#[test]
fn an_operation_beside_those_of_the_contract_is_marked_as_an_extension() {
    let document = declared();
    let declared = document["tags"].as_array().expect("tags").iter();
    let declared: BTreeSet<_> = declared.filter_map(|tag| tag["name"].as_str()).collect();
    let mut missing = BTreeSet::from(OPERATIONS);
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("methods").values() {
            let name = operation["operationId"].as_str().expect("a name");
            let tags = operation["tags"].as_array().expect("tags").iter();
            let tags: BTreeSet<_> = tags.filter_map(Value::as_str).collect();
            assert!(tags.is_subset(&declared), "{name}: {tags:?}");
            assert_eq!(!missing.remove(name), tags.contains("Extensions"), "{name} at {path}");
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
