//! What every engine offers, and how it can fail.

use std::time::Duration;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{GenerateBrief, Generation};

/// Does the AI workflows.
pub trait Engine: Send + Sync {
    /// Who made a result; every result carries it.
    fn identity(&self) -> EngineIdentity;

    /// Writes a prompt for the goal in `brief`, or continues the prompt that the brief carries.
    ///
    /// # Errors
    ///
    /// [`EngineError`]: the content cannot be worked with, or the provider behind the engine did not answer.
    fn generate<'a>(
        &'a self,
        brief: &'a GenerateBrief,
    ) -> BoxFuture<'a, Result<Generation, EngineError>>;
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
    /// The provider behind the engine took longer than the time allowed.
    #[error("the engine took too long")]
    Timeout,
}
