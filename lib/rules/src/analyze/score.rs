//! From findings to scores.

use super::degenerate::UNJUDGED;
use super::texts::{self, Texts};
use engine::{Finding, Metric, MetricName, Metrics, Severity};

/// Rules whose remarks tell a prompt that could say more from one that says all.
const COUNTED_REMARKS: &[&str] = &["few_details", "missing_length"];

/// Points that a metric loses by a finding, if it is the weightiest.
fn points(finding: &Finding) -> f64 {
    match finding.severity {
        Severity::Info if COUNTED_REMARKS.contains(&finding.rule_id.as_str()) => 5.0,
        Severity::Info => 0.0,
        Severity::Low => 15.0,
        Severity::Medium => 50.0,
        Severity::High => 75.0,
    }
}

/// What each further finding of a metric counts in proportion to the one before.
const DIMINISHING: f64 = 0.5;
/// What a metric reaches at most where the words were not judged: nothing speaks against the prompt, and nothing for
/// it.
const UNJUDGED_MOST: f64 = 75.0;

/// What a prompt reaches at most, whatever else is right about it, when a rule found as much as this.
const CAPS: &[(&str, Severity, u8)] = &[
    ("unreadable_text", Severity::High, 25),
    ("underspecified", Severity::High, 35),
    ("only_variables", Severity::High, 45),
    ("missing_subject", Severity::High, 50),
    ("unresolved_reference", Severity::High, 50),
    ("repetitive_text", Severity::High, 50),
    ("unrelated_tasks", Severity::High, 50),
    ("unrelated_tasks", Severity::Medium, 65),
    ("blank_space", Severity::High, 60),
    ("all_capitals", Severity::Medium, 70),
];

/// No metric falls below it: something was said.
const FLOOR: f64 = 15.0;

/// All metrics in their order, with their share in the overall score.
const METRICS: [(MetricName, f64); 6] = [
    (MetricName::Clarity, 0.18),
    (MetricName::Specificity, 0.18),
    (MetricName::Context, 0.18),
    (MetricName::GoalOrientation, 0.18),
    (MetricName::Structure, 0.14),
    (MetricName::Constraints, 0.14),
];

/// The score of a metric, 0 to 100.
fn of_metric(findings: &[Finding], metric: MetricName) -> u8 {
    let mut lost: Vec<f64> = findings
        .iter()
        .filter(|finding| finding.metric == metric || empties(finding, metric))
        .map(points)
        .collect();
    lost.sort_by(|one, other| other.total_cmp(one));
    let (lost, _) = lost
        .iter()
        .fold((0.0, 1.0), |(sum, share), points| (sum + points * share, share * DIMINISHING));
    let most = if is_unjudged(findings, metric) { UNJUDGED_MOST } else { 100.0 };
    rounded((100.0 - lost).max(FLOOR).min(most))
}

/// Whether a finding leaves nothing that could be clear or specific: where almost any answer would fit, no word is
/// exact.
fn empties(finding: &Finding, metric: MetricName) -> bool {
    finding.rule_id == "underspecified"
        && finding.severity == Severity::High
        && matches!(metric, MetricName::Clarity | MetricName::Specificity)
}

/// Whether a metric rests on words that no rule knows.
fn is_unjudged(findings: &[Finding], metric: MetricName) -> bool {
    metric != MetricName::Structure && findings.iter().any(|finding| finding.rule_id == UNJUDGED)
}

/// The overall score of a prompt with these findings, 0 to 100.
///
/// It is the weighted harmonic mean of the metrics: a prompt is hardly better than its weakest side, and what
/// is missing on one side cannot be made up for on another. What is hardly a prompt is bounded besides.
pub fn overall(findings: &[Finding]) -> u8 {
    let inverse: f64 = METRICS
        .iter()
        .map(|(metric, weight)| weight / f64::from(of_metric(findings, *metric)).max(1.0))
        .sum();
    let capped = CAPS.iter().filter(|(rule, severity, _)| {
        findings.iter().any(|finding| finding.rule_id == *rule && finding.severity >= *severity)
    });
    capped.fold(rounded(1.0 / inverse), |score, (.., most)| score.min(*most))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn rounded(score: f64) -> u8 {
    score.round().clamp(0.0, 100.0) as u8
}

/// Messages that the reason of a metric repeats.
const NAMED: usize = 3;

/// The metrics of a prompt with these findings, each with its reason.
pub fn metrics(findings: &[Finding], texts: &Texts) -> Metrics {
    let metric = |name: MetricName, key: &str| {
        let mut own: Vec<&Finding> = findings
            .iter()
            .filter(|finding| finding.metric == name || empties(finding, name))
            .filter(|finding| points(finding) > 0.0)
            .collect();
        let finding_ids: Vec<String> = own.iter().map(|finding| finding.id.clone()).collect();
        own.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let mut messages: Vec<&str> = Vec::new();
        for finding in &own {
            if !messages.contains(&finding.message.as_str()) && messages.len() < NAMED {
                messages.push(&finding.message);
            }
        }
        let reason = if own.is_empty() && is_unjudged(findings, name) {
            texts::get(&texts.clean, "unjudged").to_owned()
        } else if own.is_empty() {
            texts::get(&texts.clean, key).to_owned()
        } else {
            texts::fill(&texts.lowered, &own.len().to_string(), &messages.join(" "))
        };
        Metric { score: of_metric(findings, name), reason, finding_ids }
    };
    Metrics {
        clarity: metric(MetricName::Clarity, "clarity"),
        specificity: metric(MetricName::Specificity, "specificity"),
        context: metric(MetricName::Context, "context"),
        goal_orientation: metric(MetricName::GoalOrientation, "goalOrientation"),
        structure: metric(MetricName::Structure, "structure"),
        constraints: metric(MetricName::Constraints, "constraints"),
    }
}
