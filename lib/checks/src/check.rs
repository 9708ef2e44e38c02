//! The checks of a prompt.

use std::{collections::HashSet, slice};

use engine::{Constraint, ConstraintKind, ConstraintParameters, Relation, constraints};
use patterns::pattern;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Outcome, coverage, describe, kinds::is_question, run::run, scope, statement::Prompt};

/// Fewest words or characters that answers need not have to the last one, unless "exactly" is said.
const UNCOUNTED: u32 = 50;
/// Most answers that a prompt shows which are looked at, and the longest, in bytes.
const MOST_SHOWN: usize = 10;
const LONGEST_SHOWN: usize = 500;
/// Kinds that no part of an answer may fail.
const FORBIDDING: [ConstraintKind; 3] =
    [ConstraintKind::ExcludeWords, ConstraintKind::Lowercase, ConstraintKind::Uppercase];

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
    /// Whether a program can decide it: not a tone, nor every JSON schema.
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
    /// How many of them became a check.
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
    /// The check of a constraint, described in the language of the tag `language`: English where there are no texts in
    /// it.
    pub fn of(constraint: Constraint, language: &str) -> Self {
        let description = describe::description(&constraint, language);
        let executable = scope::is_executable(&constraint);
        let Constraint { id, kind, parameters, quote, start, end } = constraint;
        Self { id, kind, parameters, quote, start, end, description, executable }
    }
}

/// Reads the checks of a prompt, described in the language of the tag `language`, such as `de` or `pt-BR`: English
/// where there are no texts in it.
///
/// Only what is sure becomes a check: the rest is in the coverage.
pub fn of(text: &str, language: &str) -> Reading {
    text::language::reading(&[text], None, || {
        let found = constraints::extract(text);
        let places: Vec<_> = found.iter().map(|one| one.start..one.end).collect();
        let stated: Vec<_> = constraints::list(text, &found).into_iter().map(loosened).collect();
        let prompt = Prompt::of(text, &places);
        let are_sure = scope::are_sure(&prompt, &places, &stated);
        let checks: Vec<_> = stated.into_iter().map(|one| Check::of(one, language)).collect();
        // What fails the prompt's own examples is not meant so, nor what forbids a text that is demanded.
        let (whole, parts) = (shown(text), demanded(&checks));
        let verdicts = run(&checks, Some(text), whole.iter().chain(&parts).copied(), None);
        let fails = |number: usize, kind: ConstraintKind| {
            let looked_at = if FORBIDDING.contains(&kind) { verdicts.len() } else { whole.len() };
            verdicts[..looked_at].iter().any(|all| all[number].verdict == Outcome::Failed)
        };
        let mut numbers = 0..;
        let (sure, unsure): (Vec<_>, Vec<_>) = checks.iter().cloned().partition(|one| {
            let is_decided = one.kind == ConstraintKind::JsonSchema || one.executable;
            let number = numbers.next().unwrap_or_default();
            are_sure[number] && is_decided && !fails(number, one.kind)
        });
        let coverage = coverage::of(&prompt, &sure, &unsure);
        // What is said twice is checked once.
        let mut seen = HashSet::new();
        let demand = |one: &Check| (one.kind, serde_json::to_string(&one.parameters).ok());
        let checks = sure.into_iter().filter(|one| seen.insert(demand(one))).collect();
        Reading { checks, coverage }
    })
}

/// The texts that answers must have in them, as far as they are looked at.
fn demanded(checks: &[Check]) -> Vec<&str> {
    use ConstraintParameters as Parameters;
    let texts = checks.iter().flat_map(|one| match (&one.parameters, one.kind) {
        (Parameters::Words(list), ConstraintKind::IncludeWords) => list.words.as_slice(),
        (Parameters::Text(edge), _) if !is_question(&edge.text) => slice::from_ref(&edge.text),
        _ => &[],
    });
    texts.map(String::as_str).take(MOST_SHOWN).collect()
}

/// The answers that a prompt shows: what stands behind the label that its last line leaves open.
fn shown(text: &str) -> Vec<&str> {
    let label = text.trim_end().lines().next_back().filter(|line| line.ends_with([':', '：']));
    let behind = text.lines().filter_map(|line| Some(line.strip_prefix(label?)?.trim()));
    behind.filter(|answer| (1..=LONGEST_SHOWN).contains(&answer.len())).take(MOST_SHOWN).collect()
}

/// Most people who ask for 300 words do not count them.
fn loosened(mut one: Constraint) -> Constraint {
    let counted = matches!(one.kind, ConstraintKind::WordCount | ConstraintKind::CharacterCount);
    if let (true, ConstraintParameters::Count(count)) = (counted, &mut one.parameters)
        && count.relation == Relation::Exactly
        && count.number >= UNCOUNTED
        && !pattern!(r"(?i)\b{constraint_count.exactly_said}\b|{constraint_count.exactly_anywhere}")
            .is_match(&one.quote)
    {
        count.relation = Relation::About;
    }
    one
}
