//! Schemas for generated clients: one type for each resource, unions by a property, enumerations that may grow.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::each_operation;
use crate::input::IDEMPOTENCY_KEY;

const SCHEMAS: &str = "#/components/schemas/";
const ENVELOPE: &str = "Envelope_";
const NEWER_OPERATION: &str = "NewerOperation";

/// Enumerations that later versions extend without a new version of the API, because they list what the service offers
/// and what can go wrong: a new model or a new reason must not stop a client that was generated before. All others are
/// states and choices that programs decide by, and which the contract closes.
const GROWING: [&str; 7] = [
    "Code",
    "ConstraintKind",
    "EventKind",
    "FailureReason",
    "OperationKind",
    "Scope",
    "TargetModel",
];

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
    admit_newer_operations(schemas, &operations);
    admit_newer_parameters(schemas);
    admit_newer_values(document);
    describe_elsewhere(document);
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

/// Lets an operation be of a kind that this version does not know. Its shape excludes the known kinds, so that exactly
/// one shape fits; generators tell it apart by its own name, since the mapping has no value for it.
fn admit_newer_operations(schemas: &mut Value, known: &[Variant]) {
    let Some(first) = known.first() else { return };
    let mut shape = schemas[&first.name].clone();
    let kinds: Vec<_> = known.iter().map(|variant| &variant.value).collect();
    shape["description"] = "An AI operation of a kind that was added later.".into();
    shape["properties"]["kind"] = json!({
        "type": "string",
        "not": {"enum": kinds},
        "description": "The operationId of the call that started it.",
    });
    shape["properties"]["result"]["oneOf"] = json!([{"type": "object"}, {"type": "null"}]);
    schemas[NEWER_OPERATION] = shape;
    if let Some(shapes) = schemas["Operation"]["oneOf"].as_array_mut() {
        shapes.push(reference(NEWER_OPERATION));
    }
}

/// Lets a constraint of a newer kind have parameters of its own, which are none of the known shapes'. `anyOf`, because
/// generators that count the shapes that fit find two, where one is any object.
fn admit_newer_parameters(schemas: &mut Value) {
    let parameters = &schemas["ConstraintParameters"];
    let Some(mut shapes) = parameters["oneOf"].as_array().cloned() else { return };
    let named = shapes.iter().filter_map(|shape| target(shape));
    let known: BTreeSet<_> = named
        .flat_map(|name| schemas[name]["properties"].as_object().into_iter().flatten())
        .map(|(property, _)| property.clone())
        .collect();
    shapes.push(json!({
        "type": "object",
        "description": "Those of a kind that was added later.",
        "minProperties": 1,
        "propertyNames": {"not": {"enum": known}},
    }));
    let open = json!({"description": parameters["description"], "anyOf": shapes});
    schemas["ConstraintParameters"] = open;
}

/// The schema to which a reference leads.
fn target(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(SCHEMAS)
}

/// Puts the description of a choice elsewhere: generators take a reference that has one for a schema without a name.
/// That of an only reference goes beside the choice, those of several into the schemas to which they lead.
fn describe_elsewhere(document: &mut Value) {
    let mut of_schemas = BTreeMap::new();
    describe_beside(document, &mut of_schemas);
    for (name, description) in of_schemas {
        let schema = &mut document["components"]["schemas"][&name];
        if schema["description"].is_null() {
            schema["description"] = description;
        }
    }
}

fn describe_beside(part: &mut Value, of_schemas: &mut BTreeMap<String, Value>) {
    match part {
        Value::Object(parts) => {
            let choices = ["oneOf", "anyOf"].into_iter().find(|name| parts.contains_key(*name));
            let mut described = Vec::new();
            let choices = choices.and_then(|name| parts.get_mut(name)?.as_array_mut());
            for choice in choices.into_iter().flatten() {
                let Some(name) = target(choice).map(str::to_owned) else { continue };
                let description = choice.as_object_mut().and_then(|it| it.remove("description"));
                described.extend(description.map(|description| (name, description)));
            }
            match described.len() {
                1 => {
                    parts.entry("description").or_insert(described.remove(0).1);
                }
                _ => of_schemas.extend(described),
            }
            parts.values_mut().for_each(|part| describe_beside(part, of_schemas));
        }
        Value::Array(parts) => {
            parts.iter_mut().for_each(|part| describe_beside(part, of_schemas));
        }
        _ => {}
    }
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
