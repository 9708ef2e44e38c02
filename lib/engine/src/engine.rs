//! What every engine offers, and how it can fail.

use std::{sync::Arc, time::Duration};

use domain::{Timestamp, TokenUsage};
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Analysis, AnalyzedOptimization, GenerateBrief, Generation, Meter, Optimization, PromptBrief,
    RefineBrief, Refinement, Reversal, ReverseBrief, Violation, violation,
};

/// What an engine comes to, later.
pub type Answer<'a, T> = BoxFuture<'a, Result<T, EngineError>>;

/// Does the AI workflows. Every method is given the instant at which nobody waits for its answer any
/// more: whoever retries or falls back plans with it.
///
/// # Errors
///
/// All methods, [`EngineError`]: the content cannot be worked with, or the provider behind the engine
/// gave no answer that could be used.
pub trait Engine: Send + Sync {
    /// Who makes results. A result names its own maker, which may be another engine that this one fell back on.
    fn identity(&self) -> EngineIdentity;

    /// The same engine, which counts with `meter` what it asks of language models: also what leads to no result.
    fn metered(self: Arc<Self>, meter: &Meter) -> Arc<dyn Engine>;

    /// Writes a prompt for the goal in `brief`, or continues the prompt that the brief carries.
    fn generate<'a>(&'a self, brief: &'a GenerateBrief, until: Timestamp)
    -> Answer<'a, Generation>;

    /// Tells what is good about a prompt and what is not.
    fn analyze<'a>(&'a self, brief: &'a PromptBrief, until: Timestamp) -> Answer<'a, Analysis>;

    /// Writes better versions of a prompt.
    fn optimize<'a>(&'a self, brief: &'a PromptBrief, until: Timestamp)
    -> Answer<'a, Optimization>;

    /// Does both, so that the versions answer the findings.
    fn analyze_and_optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, AnalyzedOptimization>;

    /// Changes a prompt as feedback asks.
    fn refine<'a>(&'a self, brief: &'a RefineBrief, until: Timestamp) -> Answer<'a, Refinement>;

    /// Finds a prompt that would produce something like the material.
    fn reverse<'a>(&'a self, brief: &'a ReverseBrief, until: Timestamp) -> Answer<'a, Reversal>;
}

/// What made a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EngineIdentity {
    /// Name of the engine.
    #[schema(example = "rules")]
    pub name: String,
    /// Whether rules or a language model made the result.
    pub kind: EngineKind,
    /// Name of the language model, null when none was used.
    #[schema(required = true)]
    pub model: Option<String>,
    /// Tokens of the language model for this result. Absent if none was used, in `GET /capabilities`, and in results
    /// from before tokens were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
}

impl EngineIdentity {
    /// The deterministic rules.
    pub fn rules() -> Self {
        Self { name: "rules".to_owned(), kind: EngineKind::Rules, model: None, usage: None }
    }
}

/// How an engine works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EngineKind {
    /// Deterministic rules over data files, offline.
    Rules,
    /// A language model.
    Llm,
}

/// Why an engine gave no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The content cannot be worked with; the same content will always be rejected.
    #[error("the content cannot be worked with: {reason}")]
    Rejected {
        /// Reason in words meant for the caller.
        reason: String,
    },
    /// The provider behind the engine does not answer at present.
    #[error("the engine is not available")]
    Unavailable {
        /// How long to wait before trying again, when known.
        retry_after: Option<Duration>,
    },
    /// The operator's budget for language models is spent.
    #[error("the budget for language models is spent until {until}")]
    BudgetSpent {
        /// When the next one begins.
        until: Timestamp,
    },
    /// The provider behind the engine took longer than the time allowed.
    #[error("the engine took too long")]
    Timeout,
    /// The content is more than the model behind the engine takes.
    #[error("the content is too large for the model")]
    TooLarge,
    /// The provider behind the engine answered, but what it answered broke the rules for results, also
    /// after it was told so.
    #[error("the engine gave no usable answer: {}", violation::summary(.violations))]
    Unusable {
        /// What was wrong with the last answer.
        violations: Vec<Violation>,
    },
}
