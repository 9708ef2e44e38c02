//! What is said about a prompt as a whole.

use std::collections::HashSet;

use super::reading::{Medium, Reading};
use crate::wording::Voice;
use engine::{Difficulty, Finding, ModelFit, Severity};

/// The analysis in a few sentences: what to do first, and what rules cannot see.
pub fn summary(findings: &[Finding], voice: &Voice) -> String {
    let worst = findings.iter().rev().max_by_key(|finding| finding.severity);
    let found = match worst {
        Some(worst) => {
            let said = format!("{} {}", worst.message, worst.suggestion);
            voice.say("analysis.begin", &[&findings.len().to_string(), &said])
        }
        None => voice.say("analysis.nothing", &[]),
    };
    format!("{found} {}", voice.say("analysis.unseen", &[]))
}

/// What weighs at least medium, each rule once.
pub fn weaknesses(findings: &[Finding]) -> Vec<String> {
    let mut worst: Vec<&Finding> =
        findings.iter().filter(|it| it.severity >= Severity::Medium).collect();
    worst.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut rules: HashSet<&str> = HashSet::new();
    worst.retain(|finding| rules.insert(&finding.rule_id));
    worst.into_iter().map(|finding| finding.message.clone()).collect()
}

/// Variables that are named.
const NAMED: usize = 5;

/// What is really there: a form that was found, never a judgement.
pub fn strengths(reading: &Reading<'_>, voice: &Voice) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = reading.variables.iter().map(|(_, name)| *name).filter(|name| seen.insert(*name));
    let names: Vec<&str> = names.take(NAMED).collect();
    let checkable = match reading.plain_constraints().count() {
        0 => String::new(),
        count => count.to_string(),
    };
    [("strength.checkable", checkable), ("strength.variables", names.join(", "))]
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| voice.say(key, &[value]))
        .collect()
}

/// What the prompt can be used for, as far as its form tells.
pub fn uses(reading: &Reading<'_>, voice: &Voice) -> Vec<String> {
    let key = match reading.medium {
        Medium::Image => "use.image",
        Medium::Video => "use.video",
        Medium::Text => "use.general",
    };
    match reading.variables.first() {
        Some((_, name)) => vec![voice.say("use.template", &[name])],
        None => vec![voice.say(key, &[])],
    }
}

/// How much the prompt asks of the model, by its length.
pub fn difficulty(reading: &Reading<'_>) -> Difficulty {
    match reading.source.prose.split_whitespace().count() {
        0..=45 => Difficulty::Beginner,
        46..=250 => Difficulty::Intermediate,
        _ => Difficulty::Advanced,
    }
}

/// How well the prompt suits its target model, by what the model makes and takes.
pub fn fit(reading: &Reading<'_>, findings: &[Finding], voice: &Voice) -> ModelFit {
    let model = reading.target.model();
    let found = |rule: &str| findings.iter().any(|finding| finding.rule_id == rule);
    let (score, key) = match () {
        () if found("wrong_medium") => (30, "fit.medium"),
        () if found("prompt_too_long") => (60, "fit.length"),
        () => (100, "fit.suits"),
    };
    let limit = model.max_prompt_chars.to_string();
    ModelFit { score, notes: vec![voice.say(key, &[&model.name, &limit])] }
}
