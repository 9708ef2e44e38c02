//! From schemas of the OpenAPI document to standalone JSON Schema 2020-12.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub(crate) type Object = Map<String, Value>;

/// Location of schemas in the API document, and in a tool's schema.
pub(crate) const COMPONENTS: &str = "#/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// Keywords whose values are maps of schemas.
const NAMED: [&str; 3] = ["properties", "$defs", "patternProperties"];
/// Keywords whose values are data.
const DATA: [&str; 3] = ["enum", "const", "default"];

/// An OpenAPI 3.1 schema without keywords that JSON Schema does not define, and without examples.
fn to_json_schema(schema: Value) -> Value {
    match schema {
        Value::Array(schemas) => schemas.into_iter().map(to_json_schema).collect(),
        Value::Object(keywords) => {
            let mut out = Object::new();
            for (keyword, value) in keywords {
                match (keyword.as_str(), value) {
                    ("discriminator" | "xml" | "externalDocs" | "example" | "examples", _) => {}
                    ("format", Value::String(format)) if format.starts_with("int") => {}
                    ("$ref", Value::String(target)) => {
                        let target = target.replacen(COMPONENTS, DEFINITIONS, 1);
                        out.insert(keyword, target.into());
                    }
                    (data, value) if DATA.contains(&data) => {
                        out.insert(keyword, value);
                    }
                    (named, Value::Object(schemas)) if NAMED.contains(&named) => {
                        let schemas = schemas.into_iter();
                        let schemas = schemas.map(|(name, schema)| (name, to_json_schema(schema)));
                        out.insert(keyword, Value::Object(schemas.collect()));
                    }
                    (_, value) => {
                        out.insert(keyword, to_json_schema(value));
                    }
                }
            }
            Value::Object(out)
        }
        scalar => scalar,
    }
}

/// The schema with everything that it references. What it references once stands in that place;
/// the rest is in `$defs`: each tool is a document of its own, and cannot share definitions.
pub(crate) fn with_definitions(schema: Object, components: &Value) -> Object {
    let schema = to_json_schema(Value::Object(schema));
    let (mut definitions, mut uses) = (BTreeMap::new(), BTreeMap::new());
    count_references(&schema, &mut uses);
    while let Some(name) = uses.keys().find(|name| !definitions.contains_key(*name)).cloned() {
        let definition = to_json_schema(components[&name].clone());
        count_references(&definition, &mut uses);
        definitions.insert(name, definition);
    }
    let (once, definitions): (BTreeMap<_, _>, BTreeMap<_, _>) =
        definitions.into_iter().partition(|(name, _)| uses.get(name) == Some(&1));
    let mut schema = with_inlined(schema, &once);
    if !definitions.is_empty() {
        let kept = definitions.into_iter();
        let kept = kept.map(|(name, definition)| (name, with_inlined(definition, &once)));
        schema["$defs"] = Value::Object(kept.collect());
    }
    match schema {
        Value::Object(schema) => schema,
        _ => Object::new(),
    }
}

/// The name of the definition that a schema references.
fn reference(schema: &Object) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(DEFINITIONS)
}

/// Adds how often a schema references each definition.
fn count_references(schema: &Value, uses: &mut BTreeMap<String, usize>) {
    match schema {
        Value::Array(schemas) => schemas.iter().for_each(|schema| count_references(schema, uses)),
        Value::Object(keywords) => {
            if let Some(name) = reference(keywords) {
                *uses.entry(name.to_owned()).or_default() += 1;
            }
            keywords.values().for_each(|schema| count_references(schema, uses));
        }
        _ => {}
    }
}

/// The schema with `definitions` in the places of the references to them. A keyword beside the
/// reference is nearer to the reader: it describes this use.
fn with_inlined(schema: Value, definitions: &BTreeMap<String, Value>) -> Value {
    match schema {
        Value::Array(schemas) => {
            schemas.into_iter().map(|schema| with_inlined(schema, definitions)).collect()
        }
        Value::Object(mut keywords) => {
            let definition = reference(&keywords).and_then(|name| definitions.get(name));
            if let Some(Value::Object(definition)) = definition {
                keywords.remove("$ref");
                for (keyword, value) in definition {
                    keywords.entry(keyword.clone()).or_insert_with(|| value.clone());
                }
                return with_inlined(Value::Object(keywords), definitions);
            }
            let keywords = keywords.into_iter();
            let inlined = keywords.map(|(name, value)| (name, with_inlined(value, definitions)));
            Value::Object(inlined.collect())
        }
        scalar => scalar,
    }
}
