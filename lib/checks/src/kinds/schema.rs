//! The JSON schema that stands in a prompt.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use super::format;
use super::judgement::Judgement;
use crate::Reason;
use crate::output::Output;

/// Deepest nesting of a schema that is used, its references resolved.
const DEEPEST: usize = 40;
/// Most parts of a schema that is used, its references resolved.
const LARGEST: usize = 1_000;
/// Most regular expressions of a schema that is used, and the memory of each when it is compiled, in bytes.
const PATTERNS: usize = 20;
const PATTERN_SIZE: usize = 100_000;
/// Work of a run at most: each part of a schema may look at each byte of an answer.
const WORK: usize = 20_000_000;

/// Whether a program can validate by a schema.
pub fn is_valid(schema: &str) -> bool {
    Schema::read(schema).is_some()
}

/// A schema that is ready to validate.
struct Schema {
    validator: Validator,
    parts: usize,
}

impl Schema {
    /// A schema is a stranger's: its expressions run in linear time, and it refers to parts of itself only, none of
    /// which contains itself. Validation by one that does has no end that can be told beforehand.
    fn read(schema: &str) -> Option<Self> {
        let schema: Value = serde_json::from_str(schema).ok()?;
        let mut size = Size { parts: 0, patterns: 0 };
        if !size.takes(&schema, &schema, 0) {
            return None;
        }
        let patterns = PatternOptions::regex().size_limit(PATTERN_SIZE);
        let validator = jsonschema::options().with_pattern_options(patterns).build(&schema).ok()?;
        Some(Self { validator, parts: size.parts })
    }
}

/// How large a schema is with everything that it refers to.
struct Size {
    parts: usize,
    patterns: usize,
}

impl Size {
    /// Adds a part; false if the schema is too large with it.
    fn takes(&mut self, root: &Value, part: &Value, depth: usize) -> bool {
        self.parts += 1;
        if depth > DEEPEST || self.parts > LARGEST || self.patterns > PATTERNS {
            return false;
        }
        match part {
            Value::Object(members) => members.iter().all(|(name, value)| {
                let referred = match (name.as_str(), value) {
                    ("$ref", Value::String(target)) => {
                        let part =
                            target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
                        part.is_some_and(|part| self.takes(root, part, depth + 1))
                    }
                    ("$dynamicRef" | "$recursiveRef", Value::String(_)) => false,
                    ("pattern", Value::String(_)) => {
                        self.patterns += 1;
                        true
                    }
                    ("patternProperties", Value::Object(patterns)) => {
                        self.patterns += patterns.len();
                        true
                    }
                    _ => true,
                };
                referred && self.takes(root, value, depth + 1)
            }),
            Value::Array(values) => values.iter().all(|value| self.takes(root, value, depth + 1)),
            _ => true,
        }
    }
}

/// The schemas of a run, each read once, and the work that is left for them.
pub struct Schemas {
    read: RefCell<HashMap<String, Option<Rc<Schema>>>>,
    left: Cell<usize>,
}

impl Default for Schemas {
    fn default() -> Self {
        Self { read: RefCell::default(), left: Cell::new(WORK) }
    }
}

impl Schemas {
    fn get(&self, schema: &str) -> Option<Rc<Schema>> {
        let read = || Schema::read(schema).map(Rc::new);
        self.read.borrow_mut().entry(schema.to_owned()).or_insert_with(read).clone()
    }

    /// Takes work from what is left, if it is enough.
    fn allows(&self, work: usize) -> bool {
        let left = self.left.get().checked_sub(work);
        self.left.set(left.unwrap_or(self.left.get()));
        left.is_some()
    }
}

/// Whether the answer is JSON that a schema allows; else which value it does not.
pub fn of(output: &Output<'_>, schema: &str, schemas: &Schemas) -> Judgement {
    let Some(schema) = schemas.get(schema) else { return Judgement::undecided(Reason::Unclear) };
    let payload = format::payload(output);
    let answer: Value = match serde_json::from_str(output.at(&payload)) {
        Ok(answer) => answer,
        Err(_) => return format::of(output, "json"),
    };
    if !schemas.allows(schema.parts * payload.len()) {
        return Judgement::undecided(Reason::TooLarge);
    }
    let Some(error) = schema.validator.iter_errors(&answer).next() else {
        return Judgement::of(true, "schema");
    };
    let pointer = error.instance_path().as_str().to_owned();
    let found = if pointer.is_empty() { "/".to_owned() } else { pointer };
    let rule = error.schema_path().as_str().to_owned();
    Judgement::of(false, rule).found(found)
}
