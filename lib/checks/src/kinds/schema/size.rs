//! How large a schema is with everything that it refers to.

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::Unusable;

/// Deepest nesting of a schema that is used.
const DEEPEST: usize = 40;
/// Most parts of a schema that is used.
const LARGEST: usize = 1_000;
/// Most regular expressions of a schema that is used.
const PATTERNS: usize = 20;
/// Bytes of a text that cost as much as a part, when it is compared.
const TEXT_PART: usize = 32;

/// How large a schema is. What it refers to counts wherever it does, so that each part looks at each byte of an answer
/// once at most, and one that contains itself is too large in the end.
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
    /// Whether it has alternatives.
    pub alternatives: bool,
}

impl Size {
    /// The size of a schema.
    ///
    /// # Errors
    ///
    /// Why its work cannot be told.
    pub fn of(schema: &Value) -> Result<Self, Unusable> {
        let mut size = Self::default();
        size.schema(schema, schema, 0)?;
        Ok(size)
    }

    fn schema(&mut self, root: &Value, schema: &Value, depth: usize) -> Result<(), Unusable> {
        self.count(1)?;
        let members = match schema {
            Value::Object(members) if depth < DEEPEST => members,
            Value::Bool(_) => return Ok(()),
            _ => return Err(Unusable(None)),
        };
        for (keyword, value) in members {
            self.count(1)?;
            match keyword.as_str() {
                "$schema" if depth == 0 => {}
                "$comment" | "title" | "description" | "default" | "examples" | "deprecated"
                | "readOnly" | "writeOnly" => {}
                "$ref" => self.schema(root, referred(root, value)?, depth + 1)?,
                "allOf"
                | "anyOf"
                | "oneOf"
                | "prefixItems"
                | "not"
                | "contains"
                | "items"
                | "propertyNames"
                | "additionalProperties"
                | "additionalItems" => {
                    self.alternatives |= matches!(keyword.as_str(), "anyOf" | "oneOf");
                    match value {
                        Value::Array(schemas) => self.all(root, schemas.iter(), depth)?,
                        one => self.schema(root, one, depth + 1)?,
                    }
                }
                "properties" | "patternProperties" | "$defs" | "definitions" => {
                    let named = value.as_object().ok_or(Unusable(None))?;
                    let names: usize = named.keys().map(|name| name.len() / TEXT_PART).sum();
                    self.count(names)?;
                    if keyword == "patternProperties" {
                        self.patterns += named.len();
                    }
                    self.all(root, named.values(), depth)?;
                }
                "type" | "enum" | "const" | "format" | "pattern" | "required"
                | "dependentRequired" | "multipleOf" | "minimum" | "maximum"
                | "exclusiveMinimum" | "exclusiveMaximum" | "minLength" | "maxLength"
                | "minItems" | "maxItems" | "uniqueItems" | "minContains" | "maxContains"
                | "minProperties" | "maxProperties" => {
                    self.patterns += usize::from(keyword == "pattern");
                    self.multiples += usize::from(keyword == "multipleOf");
                    self.unique |= keyword == "uniqueItems";
                    self.data(value)?;
                }
                _ => return Err(Unusable(Some(keyword.clone()))),
            }
        }
        Ok(())
    }

    fn all<'s>(
        &mut self,
        root: &Value,
        mut schemas: impl Iterator<Item = &'s Value>,
        depth: usize,
    ) -> Result<(), Unusable> {
        schemas.try_for_each(|schema| self.schema(root, schema, depth + 1))
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
        self.parts += parts;
        let fits = self.parts <= LARGEST && self.patterns <= PATTERNS;
        fits.then_some(()).ok_or(Unusable(None))
    }
}

/// What a reference of a schema refers to in it.
fn referred<'s>(root: &'s Value, place: &Value) -> Result<&'s Value, Unusable> {
    let pointer = place.as_str().and_then(|place| place.strip_prefix('#'));
    let pointer = pointer.and_then(|pointer| percent_decode_str(pointer).decode_utf8().ok());
    let schema = pointer.and_then(|pointer| root.pointer(&pointer));
    schema.ok_or_else(|| Unusable(Some("$ref".to_owned())))
}
