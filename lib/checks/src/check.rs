//! The checks of a prompt.

use engine::{Constraint, ConstraintKind, ConstraintParameters, constraints};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use text::code_points::{ByteOffsets, byte_at};

use crate::{
    coverage, describe,
    scope::{self, Surroundings},
};

/// A demand of a prompt that answers are held against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "c1",
    "kind": "word_count",
    "parameters": {"relation": "at_most", "number": 120, "upper": null, "of": null},
    "quote": "at most 120 words",
    "start": 34,
    "end": 51,
    "description": "The answer has at most 120 words.",
    "executable": true,
}))]
pub struct Check {
    /// Identifier within the prompt, the one of its constraint: the same text always has the same ones.
    #[schema(example = "c1")]
    pub id: String,
    /// What it bounds.
    pub kind: ConstraintKind,
    /// The bound; its form follows from the kind.
    pub parameters: ConstraintParameters,
    /// The prompt's text from `start` to `end`, which states it.
    pub quote: String,
    /// Offset in the prompt, in code points, where its statement begins.
    pub start: usize,
    /// Offset in the prompt, in code points, behind its statement.
    pub end: usize,
    /// What is checked, in a sentence.
    pub description: String,
    /// Whether a program can decide it. The tone of an answer, for one, it cannot; nor what is demanded of a part
    /// of the answer that nothing marks.
    pub executable: bool,
}

/// The checks of a prompt, and how much of what it demands they cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// The checks in the order of their statements.
    pub checks: Vec<Check>,
    /// How much of what the prompt demands became a check.
    pub coverage: Coverage,
}

/// How much of what a prompt demands became a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Sentences of the prompt that demand something of the answer.
    pub demands: usize,
    /// How many of them became a check, executable or not.
    pub covered: usize,
    /// Those that became none, in order.
    pub uncovered: Vec<Uncovered>,
}

/// A sentence that demands something and became no check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Uncovered {
    /// The sentence.
    pub quote: String,
    /// Offset in the prompt, in code points, where it begins.
    pub start: usize,
    /// Offset in the prompt, in code points, behind it.
    pub end: usize,
}

impl Check {
    /// The check of a constraint, described in the language of the tag `language` (English where there are no texts
    /// in it). `prompt` is what the constraint was read from; without it, what is demanded of a part of the answer
    /// is taken for a demand of the whole.
    pub fn of(constraint: Constraint, prompt: Option<&str>, language: &str) -> Self {
        let around = prompt.map(|prompt| {
            let [start, end] =
                [constraint.start, constraint.end].map(|point| byte_at(prompt, point));
            Surroundings::of(prompt, start..end)
        });
        Self::within(constraint, around, language)
    }

    fn within(constraint: Constraint, around: Option<Surroundings<'_>>, language: &str) -> Self {
        let description = describe::description(&constraint, language);
        let executable = scope::is_executable(&constraint, around);
        let Constraint { id, kind, parameters, quote, start, end } = constraint;
        Self { id, kind, parameters, quote, start, end, description, executable }
    }
}

/// Reads the checks of a prompt, described in the language of the tag `language`, such as `de` or `pt-BR`: English
/// where there are no texts in it.
pub fn of(prompt: &str, language: &str) -> Reading {
    let constraints = constraints::of(prompt);
    let coverage = coverage::of(prompt, &constraints);
    // They come in the order of their beginnings, so that the prompt is counted once.
    let mut bytes = ByteOffsets::of(prompt);
    let check = |one: Constraint| {
        let start = bytes.at(one.start);
        let around = Surroundings::of(prompt, start..start + one.quote.len());
        Check::within(one, Some(around), language)
    };
    Reading { checks: constraints.into_iter().map(check).collect(), coverage }
}
