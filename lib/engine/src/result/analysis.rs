//! What analyzing gives back.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Constraint, EngineIdentity, TokenEstimate, Variable};

/// What is good about a prompt, what is not, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    /// All metrics in one figure.
    #[schema(minimum = 0, maximum = 100)]
    pub overall_score: u8,
    /// The score in a word.
    pub rating: Rating,
    /// The analysis in one or two sentences.
    pub summary: String,
    /// The score by aspect.
    pub metrics: Metrics,
    /// What the prompt does well.
    pub strengths: Vec<String>,
    /// What holds it back.
    pub weaknesses: Vec<String>,
    /// Places to work on, in the order of the prompt.
    pub findings: Vec<Finding>,
    /// What the prompt demands of its answers and can be checked, in the order of the prompt.
    #[serde(default)]
    #[schema(required = true)]
    pub constraints: Vec<Constraint>,
    /// How well the prompt suits its target model.
    pub model_fit: ModelFit,
    /// What the prompt can be used for.
    pub suggested_use_cases: Vec<String>,
    /// How much it asks of the model.
    pub difficulty: Difficulty,
    /// Variables that occur in the prompt.
    pub variables: Vec<Variable>,
    /// Size of the prompt.
    pub token_estimate: TokenEstimate,
    /// The language that the result was asked for in: its tag, or the word that was sent. If the engine does not speak
    /// it, the result says so.
    pub language: String,
    /// What made this result.
    pub engine: EngineIdentity,
}

/// A score in a word: `poor` below 40, `fair` below 60, `good` below 80, else `excellent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rating {
    /// Below 40.
    Poor,
    /// From 40.
    Fair,
    /// From 60.
    Good,
    /// From 80.
    Excellent,
}

impl Rating {
    /// The word for a score.
    pub const fn of(score: u8) -> Self {
        match score {
            0..40 => Self::Poor,
            40..60 => Self::Fair,
            60..80 => Self::Good,
            _ => Self::Excellent,
        }
    }
}

/// The score by aspect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    /// Whether it can be understood in one way only.
    pub clarity: Metric,
    /// Whether it says how much, which and how exactly.
    pub specificity: Metric,
    /// Whether it gives what the model must know.
    pub context: Metric,
    /// Whether it says what is to come out.
    pub goal_orientation: Metric,
    /// Whether its parts can be told apart.
    pub structure: Metric,
    /// Whether its bounds are stated and agree with each other.
    pub constraints: Metric,
}

/// An aspect's score and what it follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Metric {
    /// 100 when nothing speaks against it.
    #[schema(minimum = 0, maximum = 100)]
    pub score: u8,
    /// Why.
    pub reason: String,
    /// The findings that lowered it.
    pub finding_ids: Vec<String>,
}

/// A place to work on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Identifier within this analysis.
    #[schema(example = "f1")]
    pub id: String,
    /// The rule that found it; the same problem always has the same rule.
    #[schema(example = "vague_quantity")]
    pub rule_id: String,
    /// The aspect that it lowers.
    pub metric: MetricName,
    /// How much it matters.
    pub severity: Severity,
    /// Offset in the prompt, in code points, where it begins.
    pub start: usize,
    /// Offset in the prompt, in code points, behind its end. What is missing has no extent: it starts
    /// and ends where it could be added.
    pub end: usize,
    /// The prompt's text from `start` to `end`.
    pub quote: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub suggestion: String,
}

/// An aspect of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MetricName {
    /// See [`Metrics`] for this and all others.
    Clarity,
    /// How exact it is.
    Specificity,
    /// What the model must know.
    Context,
    /// What is to come out.
    GoalOrientation,
    /// Its parts.
    Structure,
    /// Its bounds.
    Constraints,
}

/// How much a finding matters.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; lowers a score a little or not at all.
    Info,
    /// Could be better.
    Low,
    /// Will cost quality.
    Medium,
    /// Will go wrong.
    High,
}

/// How well a prompt suits its target model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelFit {
    /// 100 when it follows all of the vendor's conventions.
    #[schema(minimum = 0, maximum = 100)]
    pub score: u8,
    /// What fits and what does not.
    pub notes: Vec<String>,
}

/// How much a prompt asks of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// One step.
    Beginner,
    /// Several requirements.
    Intermediate,
    /// Many requirements, tools or steps that depend on each other.
    Advanced,
}
