//! What is said about a prompt as a whole.

use std::collections::HashSet;

use super::matters;
use super::reading::{Medium, Reading};
use super::texts::{self, Texts};
use engine::{Difficulty, Finding};

/// The analysis in a few sentences: what to do first, and what rules cannot see.
pub fn summary(findings: &[Finding], texts: &Texts) -> String {
    let worst = findings.iter().rev().max_by_key(|finding| finding.severity);
    let found = match worst {
        Some(worst) => {
            let said = format!("{} {}", worst.message, worst.suggestion);
            texts::fill(&texts.begin, &findings.len().to_string(), &said)
        }
        None => texts.nothing.clone(),
    };
    format!("{found} {}", texts.unseen)
}

/// What weighs at least medium, each rule once.
pub fn weaknesses(findings: &[Finding]) -> Vec<String> {
    let mut worst: Vec<&Finding> = findings.iter().filter(|finding| matters(finding)).collect();
    worst.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut rules: HashSet<&str> = HashSet::new();
    worst.retain(|finding| rules.insert(&finding.rule_id));
    worst.into_iter().map(|finding| finding.message.clone()).collect()
}

/// Variables that are named.
const NAMED: usize = 5;

/// What is really there: a form that was found, never a judgement.
pub fn strengths(reading: &Reading<'_>, texts: &Texts) -> Vec<String> {
    let mut names: Vec<&str> = reading.variables.iter().map(|(_, name)| *name).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(*name));
    names.truncate(NAMED);
    let names = names.join(", ");
    let count = reading.plain_constraints().count().to_string();
    let rows = [
        ("checkable", reading.plain_constraints().next().is_some(), count.as_str()),
        ("variables", !names.is_empty(), names.as_str()),
    ];
    rows.into_iter()
        .filter(|(_, is_there, _)| *is_there)
        .map(|(key, _, value)| texts::fill(texts::get(&texts.strengths, key), value, ""))
        .collect()
}

/// What the prompt can be used for, as far as its form tells.
pub fn uses(reading: &Reading<'_>, texts: &Texts) -> Vec<String> {
    let key = match reading.medium {
        Medium::Image => "image",
        Medium::Video => "video",
        Medium::Text => "general",
    };
    match reading.variables.first() {
        Some((_, name)) => vec![texts::fill(texts::get(&texts.uses, "template"), name, "")],
        None => vec![texts::get(&texts.uses, key).to_owned()],
    }
}

/// How much the prompt asks of the model: by its length, lists and bounds.
pub fn difficulty(reading: &Reading<'_>) -> Difficulty {
    let size = reading.source.words.len();
    let rules = reading.list_items() + reading.plain_constraints().count();
    if size > 250 || rules >= 12 {
        Difficulty::Advanced
    } else if size > 45 || rules >= 4 || reading.variables.len() >= 2 {
        Difficulty::Intermediate
    } else {
        Difficulty::Beginner
    }
}
