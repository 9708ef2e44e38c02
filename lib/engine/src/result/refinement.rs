//! What refining gives back.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Beside, Change, EngineIdentity, Integrity, TokenEstimate, Variable};

/// A prompt changed as feedback asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refinement {
    /// The refined prompt.
    pub prompt: String,
    /// What stands beside it.
    #[serde(flatten)]
    pub beside: Beside,
    /// What became of each item of the feedback, in its order.
    pub feedback_items: Vec<FeedbackItem>,
    /// The edits that lead from the original to the refined prompt.
    pub changes: Vec<Change>,
    /// How the feedback was understood.
    pub reasoning: String,
    /// Whether anything was lost that the feedback did not ask to change.
    pub integrity: Integrity,
    /// Variables that occur in the refined prompt.
    pub variables: Vec<Variable>,
    /// Its size.
    pub token_estimate: TokenEstimate,
    /// The language that the result was asked for in: its tag, or the word that was sent. If the engine does not speak
    /// it, the result says so.
    pub language: String,
    /// What made this result.
    pub engine: EngineIdentity,
}

/// One thing that the feedback asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedbackItem {
    /// The feedback's words.
    pub text: String,
    /// What became of it.
    pub status: FeedbackStatus,
    /// How, or why not.
    pub reason: String,
}

/// What became of an item of feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackStatus {
    /// All of it is in the prompt.
    Applied,
    /// The prompt now asks for it, but what it would take beyond that is not known.
    PartlyApplied,
    /// Nothing was changed for it.
    NotApplied,
}
