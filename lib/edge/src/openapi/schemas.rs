//! Schemas for generated clients: one type for each resource, unions by a property, enumerations that may grow.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::each_operation;
use crate::input::IDEMPOTENCY_KEY;

const SCHEMAS: &str = "#/components/schemas/";
const ENVELOPE: &str = "Envelope_";

/// Enumerations that later versions extend without a new version of the API.
const GROWING: [&str; 5] = ["Code", "ConstraintKind", "EventKind", "FailureReason", "TargetModel"];

/// The types of history items: name of the variant, its input and its versions.
const HISTORY: [(&str, &str, &str, &str); 3] = [
    ("generation", "GenerationDetail", "GenerationInput", "GeneratedVersion"),
    ("optimization", "OptimizationDetail", "PromptTask", "OptimizedVersionRecord"),
    ("refinement", "RefinementDetail", "RefineTask", "RefinedVersion"),
];

/// Completes the schemas that types declare.
pub(super) fn complete(document: &mut Value) {
    let operations = operation_variants(document);
    let schemas = &mut document["components"]["schemas"];
    refer_to_data(schemas);
    let history = HISTORY.map(|(kind, name, input, version)| Variant {
        value: kind.to_owned(),
        name: name.to_owned(),
        properties: vec![
            ("input", reference(input)),
            ("versions", json!({"type": "array", "items": reference(version)})),
        ],
    });
    make_union(schemas, "HistoryDetail", "type", &history);
    make_union(schemas, "Operation", "kind", &operations);
    admit_newer_values(document);
    remove_unused(document);
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("{SCHEMAS}{name}")})
}

/// Lets each envelope refer to the schema of its data, which the type spells out.
fn refer_to_data(schemas: &mut Value) {
    let names: Vec<_> = schemas.as_object().into_iter().flat_map(Map::keys).cloned().collect();
    for name in &names {
        if let Some(data) = name.strip_prefix(ENVELOPE).filter(|data| schemas[*data].is_object()) {
            let data = reference(data);
            schemas[name]["properties"]["data"] = data;
        }
    }
}

/// One shape of a schema, which the value of a property selects.
struct Variant {
    value: String,
    name: String,
    /// Properties with a schema of their own in this shape.
    properties: Vec<(&'static str, Value)>,
}

/// The kinds of AI operations, each with its result.
fn operation_variants(document: &mut Value) -> Vec<Variant> {
    let mut variants = Vec::new();
    for (_, _, operation) in each_operation(document) {
        let parameters = operation["parameters"].as_array();
        if !parameters.into_iter().flatten().any(|one| one["name"] == IDEMPOTENCY_KEY) {
            continue;
        }
        let schema = operation.pointer("/responses/200/content/application~1json/schema/$ref");
        let result = schema.and_then(Value::as_str).and_then(|name| name.split_once(ENVELOPE));
        let (Some(kind), Some((_, result))) = (operation["operationId"].as_str(), result) else {
            continue;
        };
        let (first, rest) = kind.split_at(1);
        let result = json!({"oneOf": [reference(result), {"type": "null"}]});
        variants.push(Variant {
            value: kind.to_owned(),
            name: format!("{}{rest}Operation", first.to_uppercase()),
            properties: vec![("result", result)],
        });
    }
    variants
}

/// Makes `name` one of several shapes, told apart by `property`.
fn make_union(schemas: &mut Value, name: &str, property: &str, variants: &[Variant]) {
    let base = flattened(schemas, &schemas[name]);
    let mut shapes = Vec::new();
    let mut mapping = Map::new();
    for variant in variants {
        let mut shape = base.clone();
        let constant = json!({"type": "string", "const": variant.value});
        let own = variant.properties.iter().cloned().chain([(property, constant)]);
        for (property, schema) in own {
            let described = shape["properties"][property]["description"].take();
            shape["properties"][property] = schema;
            if !described.is_null() {
                shape["properties"][property]["description"] = described;
            }
        }
        schemas[&variant.name] = shape;
        shapes.push(reference(&variant.name));
        mapping.insert(variant.value.clone(), json!(format!("{SCHEMAS}{}", variant.name)));
    }
    schemas[name] = json!({
        "description": base["description"],
        "oneOf": shapes,
        "discriminator": {"propertyName": property, "mapping": mapping},
    });
}

/// An object schema with the properties of all its parts.
fn flattened(schemas: &Value, schema: &Value) -> Value {
    let Some(parts) = schema["allOf"].as_array() else { return schema.clone() };
    let mut whole = json!({"type": "object", "description": schema["description"]});
    let (mut required, mut properties) = (Vec::new(), Map::new());
    for part in parts {
        let part = match part["$ref"].as_str() {
            Some(name) => flattened(schemas, &schemas[name.trim_start_matches(SCHEMAS)]),
            None => flattened(schemas, part),
        };
        required.extend(part["required"].as_array().into_iter().flatten().cloned());
        properties.extend(
            part["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, schema)| (name.clone(), schema.clone())),
        );
    }
    whole["required"] = Value::Array(required);
    whole["properties"] = Value::Object(properties);
    whole
}

/// Lets a value of a growing enumeration in a response be one that this version does not know. A request takes
/// what is known.
fn admit_newer_values(document: &mut Value) {
    let mut requested = BTreeSet::new();
    let schemas = document["components"]["schemas"].clone();
    for (_, _, operation) in each_operation(document) {
        collect(&operation["requestBody"], &schemas, &mut requested);
        collect(&operation["parameters"], &schemas, &mut requested);
    }
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let answered = schemas.iter_mut().filter(|(name, _)| !requested.contains(*name));
    answered.for_each(|(_, schema)| refer_to_growing(schema));
    for name in GROWING {
        let description = format!("A `{name}`, or one that was added later: accept any text.");
        let schema = json!({
            "description": description,
            "anyOf": [reference(name), {"type": "string"}],
        });
        schemas.insert(any(name), schema);
    }
}

fn any(name: &str) -> String {
    format!("Any{name}")
}

fn refer_to_growing(schema: &mut Value) {
    match schema {
        Value::Object(parts) => {
            if let Some(Value::String(reference)) = parts.get_mut("$ref")
                && let Some(name) =
                    GROWING.iter().find(|name| *reference == format!("{SCHEMAS}{name}"))
            {
                *reference = format!("{SCHEMAS}{}", any(name));
            }
            parts.values_mut().for_each(refer_to_growing);
        }
        Value::Array(parts) => parts.iter_mut().for_each(refer_to_growing),
        _ => {}
    }
}

/// Adds the names of all schemas that `part` refers to.
fn collect(part: &Value, schemas: &Value, names: &mut BTreeSet<String>) {
    match part {
        Value::Object(parts) => {
            if let Some(name) = parts.get("$ref").and_then(Value::as_str)
                && let Some(name) = name.strip_prefix(SCHEMAS)
                && names.insert(name.to_owned())
            {
                collect(&schemas[name], schemas, names);
            }
            parts.values().for_each(|part| collect(part, schemas, names));
        }
        Value::Array(parts) => parts.iter().for_each(|part| collect(part, schemas, names)),
        _ => {}
    }
}

/// Removes schemas that nothing refers to any more.
fn remove_unused(document: &mut Value) {
    let schemas = document["components"]["schemas"].take();
    let mut used = BTreeSet::new();
    collect(document, &schemas, &mut used);
    let mut kept = Map::new();
    if let Value::Object(schemas) = schemas {
        kept.extend(schemas.into_iter().filter(|(name, _)| used.contains(name)));
    }
    kept.sort_keys();
    document["components"]["schemas"] = Value::Object(kept);
}
