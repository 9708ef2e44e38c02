//! The JSON schema that stands in a prompt.

mod size;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use super::format;
use super::judgement::Judgement;
use crate::Reason;
use crate::output::Output;
use size::Size;

/// Most memory of all regular expressions of a schema when they are compiled, and of one of them, in bytes.
const PATTERNS_SIZE: usize = 200_000;
const PATTERN_SIZE: usize = 100_000;
/// Bytes of a compiled expression for a state: a search may be in each of them at every character.
const STATE_SIZE: usize = 32;
/// Steps to compile a part of a schema, and a byte of an expression.
const PART_STEPS: usize = 500;
const PATTERN_STEPS: usize = 5;

/// Why no program validates by a schema: a keyword may ask for more work than its size tells, or has no meaning that is
/// known; without one, it is no schema, or too large.
pub struct Unusable(Option<String>);

/// A schema that is ready to validate.
pub struct Schema {
    validator: Validator,
    /// Steps for each byte of an answer, at most.
    steps: usize,
    size: Size,
}

impl Schema {
    /// A schema is a stranger's: its expressions run in linear time, and its size tells the work.
    ///
    /// # Errors
    ///
    /// Why none validates by it.
    pub fn read(schema: &str) -> Result<Self, Unusable> {
        budget::spend(schema.len());
        let schema: Value = serde_json::from_str(schema).map_err(|_| Unusable(None))?;
        let draft = Draft::default().detect(&schema);
        if draft == Draft::Unknown {
            return Err(Unusable(Some("$schema".to_owned())));
        }
        let size = Size::of(&schema)?;
        budget::spend(size.parts * PART_STEPS);
        let most = PATTERN_SIZE.min(PATTERNS_SIZE / size.patterns.max(1));
        let built = [most / 64, most / 8, most].into_iter().find_map(|each| {
            budget::spend(size.patterns * each * PATTERN_STEPS);
            Some((compiled(&schema, draft, each)?, each / STATE_SIZE))
        });
        let (validator, states) = built.ok_or(Unusable(None))?;
        let steps = size.parts + size.patterns * states;
        Ok(Self { validator, steps, size })
    }
}

/// The validator of a schema, if it is one of the draft and none of its regular expressions takes more than `each` bytes.
fn compiled(schema: &Value, draft: Draft, each: usize) -> Option<Validator> {
    let patterns = PatternOptions::regex().size_limit(each).dfa_size_limit(PATTERN_SIZE);
    let options = jsonschema::options().with_draft(draft).with_pattern_options(patterns);
    // An answer's own regular expressions would be compiled.
    options.with_format("regex", |_| true).build(schema).ok()
}

/// Whether the answer is JSON that a schema allows; else which value it does not. Of a schema with alternatives, every
/// violation of each would be kept: then only the verdict is told.
pub fn of(output: &Output<'_>, schema: &Result<Schema, Unusable>) -> Judgement {
    let schema = match schema {
        Ok(schema) => schema,
        Err(unusable) => return undecided(Some(unusable)),
    };
    let payload = format::payload(output);
    budget::spend(payload.len());
    let Ok(answer) = serde_json::from_str::<Value>(output.at(&payload)) else {
        return format::of(output, "json");
    };
    // Items are compared with all others where their hashes are the same, as those of nested lists may be.
    let nested = output.at(&payload).matches(['[', '{']).count();
    let compared = if schema.size.unique { nested } else { 0 };
    budget::spend((schema.steps + compared) * payload.len());
    if schema.size.alternatives {
        return Judgement::of(schema.validator.is_valid(&answer), "schema");
    }
    match schema.validator.validate(&answer) {
        Ok(()) => Judgement::of(true, "schema"),
        Err(error) => {
            let place = error.instance_path().as_str();
            let found = if place.is_empty() { "/" } else { place };
            Judgement::of(false, error.schema_path().as_str()).found(found)
        }
    }
}

/// No verdict, with the keyword that keeps a schema from being used.
pub fn undecided(unusable: Option<&Unusable>) -> Judgement {
    let judgement = Judgement::undecided(Reason::NotExecutable);
    match unusable.and_then(|unusable| unusable.0.as_deref()) {
        Some(keyword) => Judgement { wanted: "schema".to_owned(), ..judgement.found(keyword) },
        None => judgement,
    }
}
