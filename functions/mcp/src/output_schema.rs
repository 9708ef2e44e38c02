//! Schemas of results: the fields of a result and their types, without what is inside of them.
//!
//! A list of tools is read into a model's context. The API's document has the whole schemas.

use serde_json::{Value, json};

use crate::{
    json_schema::Object,
    schema::{Document, Operation, array},
};

impl Document {
    /// Schema of a tool's structured result: the `data` of its operation's 200. An AI operation may
    /// outlast the call; then the result is its status, and only its identifier is always there.
    pub fn output(&self, operation: &Operation) -> Object {
        let content = &operation.declaration["responses"]["200"]["content"];
        let envelope = self.component(&content["application/json"]["schema"]);
        let (mut properties, mut required) = self.fields(&envelope["properties"]["data"]);
        if operation.is_keyed {
            let status = json!({"type": "string", "enum": ["PENDING", "RUNNING"]});
            properties.insert("status".to_owned(), status);
            properties.insert("next".to_owned(), json!({"type": "string"}));
            required = vec!["operationId".into()];
        }
        let mut schema = Object::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), properties.into());
        schema.insert("required".to_owned(), required.into());
        schema
    }

    /// The fields of an object, and the names of those that it always has. Parts that belong
    /// together are one object; of several shapes it has what all of them always have.
    fn fields(&self, schema: &Value) -> (Object, Vec<Value>) {
        let schema = self.component(schema);
        let (mut properties, mut required) = (Object::new(), Vec::new());
        for (nth, shape) in array(&schema["oneOf"]).iter().enumerate() {
            let (fields, always) = self.fields(shape);
            properties.extend(fields);
            match nth {
                0 => required = always,
                _ => required.retain(|name| always.contains(name)),
            }
        }
        for part in array(&schema["allOf"]) {
            let (fields, always) = self.fields(part);
            properties.extend(fields);
            required.extend(always);
        }
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            properties.insert(name.clone(), self.outline(field));
        }
        required.extend(array(&schema["required"]).iter().cloned());
        (properties, required)
    }

    /// A schema with only the types of a value.
    fn outline(&self, schema: &Value) -> Value {
        match self.types(schema).as_deref() {
            None | Some([]) => json!({}),
            Some([one]) => json!({ "type": one }),
            Some(several) => json!({ "type": several }),
        }
    }

    /// The types that a value may have; `None` if any.
    fn types(&self, schema: &Value) -> Option<Vec<Value>> {
        let schema = self.component(schema);
        let choices = [&schema["oneOf"], &schema["anyOf"]].into_iter().flat_map(array);
        let mut types = Vec::new();
        match &schema["type"] {
            Value::Array(several) => types.extend(several.iter().cloned()),
            Value::Null => {
                // A choice between values, or parts that are one object.
                for part in choices.chain(array(&schema["allOf"]).first()) {
                    for one in self.types(part)? {
                        if !types.contains(&one) {
                            types.push(one);
                        }
                    }
                }
            }
            one => types.push(one.clone()),
        }
        (!types.is_empty()).then_some(types)
    }
}
