//! From findings to scores.

use crate::wording::Voice;
use engine::{Finding, Metric, MetricName, Metrics, Severity};

/// What a prompt reaches at most: that nothing was found speaks against it, and nothing for it.
const MOST: f64 = 78.0;

/// The share of a metric that is lost by a finding, if it is the weightiest.
const fn share(finding: &Finding) -> f64 {
    match finding.severity {
        Severity::Info => 0.0,
        Severity::Low => 0.1,
        Severity::Medium => 0.4,
        Severity::High => 0.75,
    }
}

/// What each further finding of a metric counts in proportion to the one before.
const DIMINISHING: f64 = 0.5;

/// What is hardly a prompt reaches at most so much, whatever else is right about it.
const CAPS: &[(&str, u8)] = &[("underspecified", 35), ("unresolved_reference", 50)];

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
    let mut lost: Vec<f64> =
        findings.iter().filter(|finding| finding.metric == metric).map(share).collect();
    lost.sort_by(|one, other| other.total_cmp(one));
    let (lost, _) =
        lost.iter().fold((0.0, 1.0), |(sum, part), share| (sum + share * part, part * DIMINISHING));
    rounded((MOST * (1.0 - lost)).max(FLOOR))
}

/// The overall score of a prompt with these findings, 0 to 100.
///
/// It is the weighted harmonic mean of the metrics: what is wrong on one side cannot be made up for on another.
pub fn overall(findings: &[Finding]) -> u8 {
    let inverse: f64 = METRICS
        .iter()
        .map(|(metric, weight)| weight / f64::from(of_metric(findings, *metric)).max(1.0))
        .sum();
    let capped =
        CAPS.iter().filter(|(rule, _)| findings.iter().any(|finding| finding.rule_id == *rule));
    capped.fold(rounded(1.0 / inverse), |score, (_, most)| score.min(*most))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn rounded(score: f64) -> u8 {
    score.round().clamp(0.0, 100.0) as u8
}

/// Messages that the reason of a metric repeats.
const NAMED: usize = 3;

/// The metrics of a prompt with these findings, each with its reason.
pub fn metrics(findings: &[Finding], voice: &Voice) -> Metrics {
    let metric = |name: MetricName| {
        let mut own: Vec<&Finding> = findings.iter().filter(|it| it.metric == name).collect();
        let finding_ids: Vec<String> = own.iter().map(|finding| finding.id.clone()).collect();
        own.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let mut messages: Vec<&str> = own.iter().map(|finding| finding.message.as_str()).collect();
        messages.dedup();
        messages.truncate(NAMED);
        let reason = match own.len() {
            0 => voice.say("analysis.clean", &[]),
            count => voice.say("analysis.lowered", &[&count.to_string(), &messages.join(" ")]),
        };
        Metric { score: of_metric(findings, name), reason, finding_ids }
    };
    Metrics {
        clarity: metric(MetricName::Clarity),
        specificity: metric(MetricName::Specificity),
        context: metric(MetricName::Context),
        goal_orientation: metric(MetricName::GoalOrientation),
        structure: metric(MetricName::Structure),
        constraints: metric(MetricName::Constraints),
    }
}
