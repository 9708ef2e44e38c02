//! Checks made by hand, and chance that comes from a seed.

use std::collections::HashSet;

use checks::{Check, Outcome, Verdict};
use engine::{Constraint, ConstraintKind as Kind};
use serde_json::{Value, json};

/// The verdicts on an answer.
pub fn run(checks: &[Check], prompt: Option<&str>, output: &str) -> Vec<Verdict> {
    checks::run(checks, prompt, [output], None).remove(0)
}

/// Numbers by chance (xorshift64*): the same seed always gives the same ones.
pub struct Chance(u64);

impl Chance {
    pub fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap() % bound
    }

    /// A number from `low` to `high`.
    pub fn within(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}

/// A check as a prompt states it.
pub fn quoted(kind: Kind, parameters: &Value, quote: &str) -> Check {
    let constraint = Constraint {
        id: "c1".to_owned(),
        kind,
        parameters: serde_json::from_value(parameters.clone()).expect("parameters"),
        quote: quote.to_owned(),
        start: 0,
        end: quote.chars().count(),
    };
    Check::of(constraint, "en")
}

pub fn check(kind: Kind, parameters: &Value) -> Check {
    quoted(kind, parameters, "")
}

/// A bound on a number.
pub fn count(relation: &str, number: usize, upper: Option<usize>, of: Option<&str>) -> Value {
    json!({"relation": relation, "number": number, "upper": upper, "of": of})
}

/// The only verdict on an answer.
pub fn verdict(check: &Check, output: &str) -> Verdict {
    let mut verdicts = run(std::slice::from_ref(check), Some(&check.quote), output);
    assert_eq!(verdicts.len(), 1);
    verdicts.remove(0)
}

pub fn outcome(check: &Check, output: &str) -> Outcome {
    verdict(check, output).verdict
}

/// The check of a kind that a prompt states.
pub fn of_kind(prompt: &str, kind: Kind) -> Check {
    let reading = checks::of(prompt, "en");
    let found = reading.checks.iter().find(|one| one.kind == kind);
    found.unwrap_or_else(|| panic!("{prompt}: no {kind:?} in {:?}", reading.checks)).clone()
}

/// What becomes of an answer to a prompt by the check of one kind.
pub fn judged(prompt: &str, kind: Kind, output: &str) -> Outcome {
    let check = of_kind(prompt, kind);
    run(std::slice::from_ref(&check), Some(prompt), output)[0].verdict
}

/// Prompts with checks of every kind.
pub fn prompts() -> Vec<String> {
    let labelled = include_str!("../../../engine/tests/suite/constraints.jsonl");
    let prompt = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["prompt"].as_str().unwrap().to_owned()
    };
    labelled.lines().map(prompt).collect()
}

/// A check of each kind, and one of each format.
pub fn of_every_kind() -> Vec<Check> {
    let mut found: Vec<Check> = Vec::new();
    for prompt in prompts() {
        for check in checks::of(&prompt, "en").checks {
            if check.kind != Kind::Format && !found.iter().any(|one| one.kind == check.kind) {
                found.push(check);
            }
        }
    }
    for kind in [Kind::Audience, Kind::Tone] {
        found.push(check(kind, &json!({"value": "formal"})));
    }
    let formats = [
        "json",
        "yaml",
        "xml",
        "csv",
        "html",
        "table",
        "markdown",
        "plain_text",
        "numbered_list",
        "bullet_list",
        "code_block",
    ];
    found.extend(formats.map(|name| check(Kind::Format, &json!({"value": name}))));
    let kinds: HashSet<Kind> = found.iter().map(|one| one.kind).collect();
    assert_eq!(kinds.len(), Kind::ALL.len());
    found
}
