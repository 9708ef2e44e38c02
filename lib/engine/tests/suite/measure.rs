//! Measures what is found in prompts against their labels.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use engine::constraints::{Statement, extract};
use serde_json::Value;

/// Labels of a prompt. A label counts once a prompt.
pub type Labels = BTreeSet<String>;

/// How often a label was found, and wrongly found or not found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    hits: u32,
    false_alarms: u32,
    misses: u32,
}

impl Tally {
    /// The harmonic mean of precision and recall, from 0 to 1.
    pub fn f1(self) -> f64 {
        ratio(2 * self.hits, 2 * self.hits + self.false_alarms + self.misses)
    }
}

/// How many labels there are, precision, recall and F1.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = ratio(self.hits, self.hits + self.false_alarms);
        let recall = ratio(self.hits, self.hits + self.misses);
        let f1 = self.f1();
        write!(f, "{:>5} {precision:>9.3} {recall:>7.3} {f1:>6.3}", self.hits + self.misses)
    }
}

fn ratio(part: u32, whole: u32) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / f64::from(whole) }
}

/// What was measured on a file.
#[derive(Debug, Default)]
pub struct Score {
    /// How many prompts it has.
    pub prompts: u32,
    /// The tally of each kind of label.
    pub kinds: BTreeMap<String, Tally>,
}

impl Score {
    /// The tally of all labels together.
    pub fn total(&self) -> Tally {
        self.kinds.values().fold(Tally::default(), |total, one| Tally {
            hits: total.hits + one.hits,
            false_alarms: total.false_alarms + one.false_alarms,
            misses: total.misses + one.misses,
        })
    }
}

/// Measures the prompts of a file with a JSON object a line.
///
/// `labels` tells for a line and what was found in its prompt which labels are wanted and which were
/// given.
///
/// # Errors
///
/// The line that is no JSON.
pub fn measure(
    lines: &str,
    labels: impl Fn(&Value, &[Statement]) -> (Labels, Labels),
) -> Result<Score, String> {
    let mut score = Score::default();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let row: Value = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let found = extract(row["prompt"].as_str().unwrap_or_default());
        let (wanted, given) = labels(&row, &found);
        score.prompts += 1;
        for label in wanted.union(&given) {
            let kind = label.split(' ').next().unwrap_or(label);
            let tally = score.kinds.entry(kind.to_owned()).or_default();
            match (wanted.contains(label), given.contains(label)) {
                (true, true) => tally.hits += 1,
                (true, false) => tally.misses += 1,
                _ => tally.false_alarms += 1,
            }
        }
    }
    Ok(score)
}

/// The labels of a line in the project's own form: kind, relation and number.
pub fn own_labels(row: &Value, found: &[Statement]) -> (Labels, Labels) {
    let label = |kind: &str, relation: Option<&str>, number: Option<u64>| {
        let mut label = kind.to_owned();
        if let Some(relation) = relation {
            label.push_str(&format!(" {relation}"));
        }
        if let Some(number) = number {
            label.push_str(&format!(" {number}"));
        }
        label
    };
    let wanted = row["constraints"].as_array().into_iter().flatten().map(|one| {
        let kind = one["kind"].as_str().unwrap_or_default();
        label(kind, one["relation"].as_str(), one["number"].as_u64())
    });
    let given = found.iter().map(|one| {
        let count = one.parameters.count();
        let relation = count.map(|count| serde_json::json!(count.relation));
        label(
            one.kind.as_str(),
            relation.as_ref().and_then(|name| name.as_str()),
            count.map(|count| u64::from(count.number)),
        )
    });
    (wanted.collect(), given.collect())
}
