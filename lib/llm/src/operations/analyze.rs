//! Analysis of a prompt's strengths and weaknesses.

use std::sync::LazyLock;

use domain::Timestamp;
use engine::{
    Analysis, Difficulty, Engine, EngineError, EngineIdentity, Finding, Metric, MetricName,
    Metrics, ModelFit, PromptBrief, Rating, Severity, Violation, constraints, tokens,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{self, Described};
use crate::{
    answer_schema::{self, AnswerSchema},
    check,
    data::Block,
    evidence::Evidence,
    model::{Model, Task},
};

const SYSTEM: &str = concat!(
    include_str!("../../prompts/data.md"),
    include_str!("../../prompts/findings.md"),
    include_str!("../../prompts/analyze.md"),
    include_str!("../../prompts/variables.md"),
);
const CLOSING: &str = "Examine the prompt in the block \"prompt\" as the system message says.";

static SCHEMA: LazyLock<AnswerSchema> = LazyLock::new(|| AnswerSchema::new("analyze", form()));

pub(crate) async fn analyze(
    model: &Model,
    rules: &dyn Engine,
    brief: &PromptBrief,
    until: Timestamp,
) -> Result<Analysis, EngineError> {
    model.may_ask()?;
    let evidence = Evidence::of(rules, &brief.prompt, brief);
    let task = Task {
        system: SYSTEM,
        target: parts::about_target(brief.target_model),
        closing: CLOSING,
        blocks: blocks(brief, &evidence, json!({})),
        images: &brief.images,
        form: &SCHEMA,
    };
    model
        .ask(task, until, |answer, engine, is_last| {
            let examined: Examined = parts::read(answer)?;
            let (analysis, _, violations) = examined.analysis(brief, engine, "", is_last);
            parts::unless(violations, analysis)
        })
        .await
}

/// The prompt with its context and evidence.
pub(super) fn blocks(brief: &PromptBrief, evidence: &Evidence, more: Value) -> Vec<Block> {
    vec![
        parts::settings(&brief.language, more),
        Block::new("context", &brief.context),
        Block::new("prompt", &brief.prompt),
        evidence.block(),
    ]
}

/// The schema of an analysis.
pub(super) fn form() -> Value {
    let metric = || {
        answer_schema::object([
            ("score", answer_schema::integer(0, 100, "The score.")),
            ("reason", answer_schema::text(600, "Why.")),
        ])
    };
    let finding = answer_schema::object([
        ("ruleId", answer_schema::slug("Kind of the problem.")),
        ("metric", answer_schema::choice(&METRICS, "The aspect that it lowers.")),
        (
            "severity",
            answer_schema::choice(&["info", "low", "medium", "high"], "How much it matters."),
        ),
        (
            "quote",
            json!({
                "type": "string",
                "maxLength": 2_000,
                "description": "The words of the prompt, exactly; empty for what is missing.",
            }),
        ),
        (
            "occurrence",
            answer_schema::integer(1, 100_000, "Which of several equal quotes, mostly 1."),
        ),
        ("message", answer_schema::text(600, "What is wrong.")),
        ("suggestion", answer_schema::text(1_000, "What to do about it.")),
    ]);
    let fit = answer_schema::object([
        ("score", answer_schema::integer(0, 100, "How well the prompt suits the target model.")),
        ("notes", parts::sentences(0, 10, "What fits and what does not.")),
    ]);
    answer_schema::object([
        ("summary", answer_schema::text(1_000, "The analysis in one or two sentences.")),
        (
            "metrics",
            answer_schema::object([
                ("clarity", metric()),
                ("specificity", metric()),
                ("context", metric()),
                ("goalOrientation", metric()),
                ("structure", metric()),
                ("constraints", metric()),
            ]),
        ),
        ("strengths", parts::sentences(0, 10, "What the prompt does well.")),
        ("weaknesses", parts::sentences(0, 10, "What holds it back.")),
        ("findings", answer_schema::list(0, 40, finding, "Places to work on.")),
        ("modelFit", fit),
        ("suggestedUseCases", parts::sentences(0, 8, "What it can be used for.")),
        (
            "difficulty",
            answer_schema::choice(
                &["beginner", "intermediate", "advanced"],
                "What it asks of the model.",
            ),
        ),
        ("variables", parts::described_form()),
    ])
}

const METRICS: [&str; 6] =
    ["clarity", "specificity", "context", "goalOrientation", "structure", "constraints"];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Examined {
    summary: String,
    metrics: Scores,
    strengths: Vec<String>,
    weaknesses: Vec<String>,
    findings: Vec<Found>,
    model_fit: ModelFit,
    suggested_use_cases: Vec<String>,
    difficulty: Difficulty,
    variables: Vec<Described>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Scores {
    clarity: Score,
    specificity: Score,
    context: Score,
    goal_orientation: Score,
    structure: Score,
    constraints: Score,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Score {
    score: u8,
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Found {
    rule_id: String,
    metric: MetricName,
    severity: Severity,
    quote: String,
    occurrence: usize,
    message: String,
    suggestion: String,
}

impl Examined {
    /// The number of findings.
    pub fn count(&self) -> usize {
        self.findings.len()
    }

    /// The analysis, the identifiers of the findings in the model's order, and the violations.
    pub fn analysis(
        self,
        brief: &PromptBrief,
        engine: EngineIdentity,
        place: &str,
        is_last: bool,
    ) -> (Analysis, Vec<String>, Vec<Violation>) {
        let (variables, mut violations) =
            parts::variables_of(&brief.prompt, &self.variables, place);
        let (findings, ids) = findings(self.findings, &brief.prompt, place, &mut violations);
        let metrics = self.metrics.with(&findings);
        if !is_last {
            violations.extend(unexplained(&metrics, place));
        }
        let overall_score = overall(&metrics);
        let analysis = Analysis {
            overall_score,
            rating: Rating::of(overall_score),
            summary: self.summary,
            metrics,
            strengths: self.strengths,
            weaknesses: self.weaknesses,
            findings,
            constraints: constraints::of(&brief.prompt),
            model_fit: self.model_fit,
            suggested_use_cases: self.suggested_use_cases,
            difficulty: self.difficulty,
            variables,
            token_estimate: tokens::estimate(&brief.prompt, brief.target_model),
            language: brief.language.clone(),
            engine,
        };
        (analysis, ids, violations)
    }
}

/// The findings in the order of the prompt, and their identifiers in the model's order.
fn findings(
    found: Vec<Found>,
    prompt: &str,
    place: &str,
    violations: &mut Vec<Violation>,
) -> (Vec<Finding>, Vec<String>) {
    let mut located = Vec::new();
    for (position, found) in found.into_iter().enumerate() {
        match check::locate(prompt, &found.quote, found.occurrence) {
            Some((start, end)) => {
                let quote = prompt.chars().skip(start).take(end - start).collect();
                located.push((position, start, end, Found { quote, ..found }));
            }
            None => violations.push(Violation::new(
                "quote",
                format!("{place}/findings/{position}/quote"),
                format!(
                    "occurrence {} of {:?} is not in the prompt: copy it exactly",
                    found.occurrence, found.quote
                ),
            )),
        }
    }
    located.sort_by_key(|(position, start, end, _)| (*start, *end, *position));
    let mut ids = vec![String::new(); located.len()];
    let findings = located
        .into_iter()
        .enumerate()
        .map(|(index, (position, start, end, found))| {
            let id = format!("f{}", index + 1);
            if let Some(slot) = ids.get_mut(position) {
                slot.clone_from(&id);
            }
            Finding {
                id,
                rule_id: found.rule_id,
                metric: found.metric,
                severity: found.severity,
                start,
                end,
                quote: found.quote,
                message: found.message,
                suggestion: found.suggestion,
            }
        })
        .collect();
    (findings, ids)
}

/// The violation if a metric is below 100 and no finding says why.
fn unexplained(metrics: &Metrics, place: &str) -> Option<Violation> {
    let all = METRICS.into_iter().zip(all(metrics));
    let bare = all.filter(|(_, metric)| metric.score < 100 && metric.finding_ids.is_empty());
    let names: Vec<&str> = bare.map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| {
        let detail = format!("below 100 without a finding that lowers it: {}", names.join(", "));
        Violation::new("metrics", format!("{place}/metrics"), detail)
    })
}

/// The metrics in the order of [`METRICS`].
const fn all(metrics: &Metrics) -> [&Metric; 6] {
    let Metrics { clarity, specificity, context, goal_orientation, structure, constraints } =
        metrics;
    [clarity, specificity, context, goal_orientation, structure, constraints]
}

impl Scores {
    fn with(self, findings: &[Finding]) -> Metrics {
        let metric = |score: Score, name: MetricName| Metric {
            score: score.score,
            reason: score.reason,
            finding_ids: findings
                .iter()
                .filter(|finding| finding.metric == name && finding.severity != Severity::Info)
                .map(|finding| finding.id.clone())
                .collect(),
        };
        Metrics {
            clarity: metric(self.clarity, MetricName::Clarity),
            specificity: metric(self.specificity, MetricName::Specificity),
            context: metric(self.context, MetricName::Context),
            goal_orientation: metric(self.goal_orientation, MetricName::GoalOrientation),
            structure: metric(self.structure, MetricName::Structure),
            constraints: metric(self.constraints, MetricName::Constraints),
        }
    }
}

/// The mean of all metrics, rounded.
fn overall(metrics: &Metrics) -> u8 {
    let sum: u32 = all(metrics).iter().map(|metric| u32::from(metric.score)).sum();
    u8::try_from((sum + 3) / 6).unwrap_or(100)
}
