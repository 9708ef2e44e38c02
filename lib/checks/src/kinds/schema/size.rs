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
/// Bytes of a value or a name that cost as much as a part, when it is compared.
const TEXT_PART: usize = 8;

/// Keywords that assert nothing.
const ANNOTATIONS: &str =
    "$comment title description default examples deprecated readOnly writeOnly";
/// Keywords of a schema, or of several.
const OF_SCHEMAS: &str = "allOf anyOf oneOf prefixItems not contains items propertyNames \
    additionalProperties additionalItems";
/// Keywords of schemas with names.
const OF_NAMED_SCHEMAS: &str = "properties patternProperties $defs definitions";
/// Keywords of values.
const OF_DATA: &str = "type enum const format pattern required dependentRequired minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems \
    uniqueItems minContains maxContains minProperties maxProperties";

/// Whether a list has a keyword.
fn has(list: &str, keyword: &str) -> bool {
    list.split(' ').any(|one| one == keyword)
}

/// How large a schema is. What it refers to counts wherever it does, so that each part looks at each byte of an answer
/// once at most, and one that contains itself is too large in the end.
#[derive(Default)]
pub struct Size {
    /// Its schemas, keywords, names and values.
    pub parts: usize,
    /// Its regular expressions.
    pub patterns: usize,
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
            let inner: Vec<&Value> = match keyword.as_str() {
                "$schema" if depth == 0 => Vec::new(),
                name if has(ANNOTATIONS, name) => Vec::new(),
                "$ref" => vec![referred(root, value)?],
                name if has(OF_SCHEMAS, name) => {
                    self.alternatives |= matches!(name, "anyOf" | "oneOf");
                    value.as_array().map_or_else(|| vec![value], |all| all.iter().collect())
                }
                name if has(OF_NAMED_SCHEMAS, name) => {
                    let named = value.as_object().ok_or(Unusable(None))?;
                    self.count(named.keys().map(|name| name.len() / TEXT_PART).sum())?;
                    let are_patterns = name == "patternProperties";
                    self.patterns += if are_patterns { named.len() } else { 0 };
                    named.values().collect()
                }
                name if has(OF_DATA, name) => {
                    self.patterns += usize::from(name == "pattern");
                    self.unique |= name == "uniqueItems";
                    self.count(1 + value.to_string().len() / TEXT_PART)?;
                    Vec::new()
                }
                _ => return Err(Unusable(Some(keyword.clone()))),
            };
            inner.into_iter().try_for_each(|schema| self.schema(root, schema, depth + 1))?;
        }
        Ok(())
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
