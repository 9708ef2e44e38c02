//! Converts JSON to and from the AWS SDK's documents.

use aws_smithy_types::{Document, Number as SdkNumber};
use serde_json::{Map, Number, Value};

pub(super) fn of_json(value: &Value) -> Document {
    match value {
        Value::Null => Document::Null,
        Value::Bool(flag) => Document::Bool(*flag),
        Value::Number(number) => Document::Number(number_of_json(number)),
        Value::String(text) => Document::String(text.clone()),
        Value::Array(items) => Document::Array(items.iter().map(of_json).collect()),
        Value::Object(members) => Document::Object(
            members.iter().map(|(name, value)| (name.clone(), of_json(value))).collect(),
        ),
    }
}

fn number_of_json(number: &Number) -> SdkNumber {
    match (number.as_u64(), number.as_i64()) {
        (Some(natural), _) => SdkNumber::PosInt(natural),
        (None, Some(negative)) => SdkNumber::NegInt(negative),
        (None, None) => SdkNumber::Float(number.as_f64().unwrap_or_default()),
    }
}

pub(super) fn to_json(document: &Document) -> Value {
    match document {
        Document::Null => Value::Null,
        Document::Bool(flag) => Value::Bool(*flag),
        Document::Number(SdkNumber::PosInt(natural)) => (*natural).into(),
        Document::Number(SdkNumber::NegInt(negative)) => (*negative).into(),
        Document::Number(SdkNumber::Float(float)) => (*float).into(),
        Document::String(text) => text.as_str().into(),
        Document::Array(items) => items.iter().map(to_json).collect(),
        Document::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, value)| (name.clone(), to_json(value)))
                .collect::<Map<_, _>>(),
        ),
    }
}
