//! The form of a schema that is validated by.
//!
//! References are replaced by what they refer to, and of keywords only those stay whose work is known: each part looks
//! at each byte of an answer once at most.

use jsonschema::Draft;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

use super::Unusable;

/// Deepest nesting of a schema that is used.
const DEEPEST: usize = 40;
/// Most parts of a schema that is used.
const LARGEST: usize = 1_000;
/// Most regular expressions of a schema that is used.
const PATTERNS: usize = 20;
/// Bytes of a text that cost as much as a part, when it is compared.
const TEXT_PART: usize = 32;

/// How large a schema is in plain form.
#[derive(Default)]
pub struct Size {
    /// Its schemas, keywords, names and values.
    pub parts: usize,
    /// Its regular expressions.
    pub patterns: usize,
    /// How often it demands multiples of a number.
    pub multiples: usize,
    /// Whether it demands items that differ.
    pub unique: bool,
}

/// What a keyword has as its value.
enum Form {
    /// What asserts nothing.
    Note,
    /// A place of the schema that holds, too.
    Reference,
    Schema,
    Schemas,
    /// A schema, or one for each of the first items.
    SchemaOrSchemas,
    /// Schemas that all hold.
    All,
    /// Schemas of which one holds, or some.
    Alternatives,
    /// Schemas by names or regular expressions.
    Named,
    /// Values that the answer's are compared with.
    Data,
}

/// The form of the keywords that stay; `None` for any other.
fn form(keyword: &str) -> Option<Form> {
    Some(match keyword {
        "$schema" | "$comment" | "$defs" | "definitions" | "title" | "description" | "default"
        | "examples" | "deprecated" | "readOnly" | "writeOnly" => Form::Note,
        "$ref" => Form::Reference,
        "not" | "contains" | "propertyNames" | "additionalProperties" | "additionalItems" => {
            Form::Schema
        }
        "prefixItems" => Form::Schemas,
        "items" => Form::SchemaOrSchemas,
        "allOf" => Form::All,
        "anyOf" | "oneOf" => Form::Alternatives,
        "properties" | "patternProperties" => Form::Named,
        "type" | "enum" | "const" | "format" | "pattern" | "required" | "dependentRequired"
        | "multipleOf" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"
        | "minLength" | "maxLength" | "minItems" | "maxItems" | "uniqueItems" | "minContains"
        | "maxContains" | "minProperties" | "maxProperties" => Form::Data,
        _ => return None,
    })
}

/// The plain form of a schema of a draft, and its size.
///
/// # Errors
///
/// Why there is none.
pub fn plain(schema: &Value, draft: Draft) -> Result<(Value, Size), Unusable> {
    // In these, nothing counts beside a reference.
    let alone = matches!(draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7);
    let mut writer = Writer { root: schema, alone, size: Size::default() };
    Ok((writer.schema(schema, 0)?, writer.size))
}

/// The keyword of alternatives in plain form, if the negated schema is that of such.
pub fn alternatives(negated: &Value) -> Option<&'static str> {
    ["anyOf", "oneOf"].into_iter().find(|keyword| negated["not"].get(keyword).is_some())
}

struct Writer<'s> {
    root: &'s Value,
    alone: bool,
    size: Size,
}

impl Writer<'_> {
    fn schema(&mut self, schema: &Value, depth: usize) -> Result<Value, Unusable> {
        self.count(1)?;
        let members = match schema {
            Value::Object(members) if depth < DEEPEST => members,
            Value::Bool(_) => return Ok(schema.clone()),
            _ => return Err(Unusable::Unclear),
        };
        if let Some(place) = members.get("$ref").filter(|_| self.alone) {
            return self.referred(place, depth);
        }
        let (mut plain, mut all) = (Map::new(), Vec::new());
        for (keyword, value) in members {
            let form = form(keyword).filter(|_| keyword != "$schema" || depth == 0);
            match form.ok_or_else(|| Unusable::Keyword(keyword.clone()))? {
                Form::Note => {}
                Form::Reference => all.push(self.referred(value, depth)?),
                Form::All => all.extend(self.schemas(value, depth)?),
                // The validator keeps every violation of each alternative, but none of what is negated.
                Form::Alternatives => {
                    let alternatives = json!({keyword: self.schemas(value, depth)?});
                    all.push(json!({"not": {"not": alternatives}}));
                }
                form => {
                    plain.insert(keyword.clone(), self.value(form, keyword, value, depth)?);
                }
            }
        }
        match all.len() {
            1 if plain.is_empty() => return Ok(all.remove(0)),
            0 => {}
            _ => _ = plain.insert("allOf".to_owned(), all.into()),
        }
        Ok(plain.into())
    }

    fn value(
        &mut self,
        form: Form,
        keyword: &str,
        value: &Value,
        depth: usize,
    ) -> Result<Value, Unusable> {
        self.count(usize::from(!matches!(form, Form::Data)))?;
        match form {
            Form::Schemas => Ok(self.schemas(value, depth)?.into()),
            Form::SchemaOrSchemas if value.is_array() => Ok(self.schemas(value, depth)?.into()),
            Form::Named => {
                let schemas = value.as_object().ok_or(Unusable::Unclear)?;
                if keyword == "patternProperties" {
                    self.size.patterns += schemas.len();
                }
                self.named(schemas, depth)
            }
            Form::Data => {
                self.size.patterns += usize::from(keyword == "pattern");
                self.size.multiples += usize::from(keyword == "multipleOf");
                self.size.unique |= keyword == "uniqueItems";
                self.data(value)?;
                Ok(value.clone())
            }
            _ => self.schema(value, depth + 1),
        }
    }

    /// The schema at a place of the whole; one that contains itself is too large in the end.
    fn referred(&mut self, place: &Value, depth: usize) -> Result<Value, Unusable> {
        let pointer = place.as_str().and_then(|place| place.strip_prefix('#'));
        let pointer = pointer.and_then(|pointer| percent_decode_str(pointer).decode_utf8().ok());
        let schema = pointer.and_then(|pointer| self.root.pointer(&pointer));
        let schema = schema.ok_or_else(|| Unusable::Keyword("$ref".to_owned()))?;
        self.schema(schema, depth + 1)
    }

    fn schemas(&mut self, value: &Value, depth: usize) -> Result<Vec<Value>, Unusable> {
        let schemas = value.as_array().ok_or(Unusable::Unclear)?;
        schemas.iter().map(|schema| self.schema(schema, depth + 1)).collect()
    }

    fn named(&mut self, schemas: &Map<String, Value>, depth: usize) -> Result<Value, Unusable> {
        let named = schemas.iter().map(|(name, schema)| {
            self.count(name.len() / TEXT_PART)?;
            Ok((name.clone(), self.schema(schema, depth + 1)?))
        });
        Ok(Value::Object(named.collect::<Result<_, _>>()?))
    }

    /// Counts a value with everything in it.
    fn data(&mut self, value: &Value) -> Result<(), Unusable> {
        match value {
            Value::String(text) => self.count(1 + text.len() / TEXT_PART),
            Value::Array(values) => {
                self.count(1)?;
                values.iter().try_for_each(|value| self.data(value))
            }
            Value::Object(members) => members.iter().try_for_each(|(name, value)| {
                self.count(1 + name.len() / TEXT_PART)?;
                self.data(value)
            }),
            _ => self.count(1),
        }
    }

    fn count(&mut self, parts: usize) -> Result<(), Unusable> {
        self.size.parts += parts;
        let fits = self.size.parts <= LARGEST && self.size.patterns <= PATTERNS;
        fits.then_some(()).ok_or(Unusable::Unclear)
    }
}
