//! The AI operation: one paid execution, from its start to its single settlement.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountId, EventKinds, ModelUsage, OperationId, Timestamp, UploadId};

/// How long a record of an operation is kept.
pub const RECORD_RETENTION: Duration = Duration::from_secs(90 * 86_400);
/// How long the result of an operation, and the idempotency key that started it, are kept.
pub const RESULT_RETENTION: Duration = Duration::from_secs(86_400);
/// How long a synchronous call may take; after that the processor finishes its operation.
pub const CALL_DEADLINE: Duration = Duration::from_secs(25);
/// The end of the lease of an operation that no attempt has begun: past by any clock.
pub const NO_LEASE: Timestamp = Timestamp::from_millis(0);
/// Attempts at an operation before it fails.
pub const MAX_ATTEMPTS: u32 = 3;

/// What an operation does: the operationId of the call that starts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OperationKind)]
pub enum Kind {
    /// Generates a prompt from a goal.
    GeneratePrompt,
    /// Analyzes a prompt.
    AnalyzePrompt,
    /// Makes better versions of a prompt.
    OptimizePrompt,
    /// Analyzes and optimizes a prompt in one operation.
    AnalyzeAndOptimizePrompt,
    /// Changes a prompt by feedback.
    RefinePrompt,
    /// Changes a version of an optimization by feedback.
    RefineOptimizedPrompt,
    /// Finds a prompt for an image, video frames, a text or a page.
    ReversePrompt,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 7] = [
        Kind::GeneratePrompt,
        Kind::AnalyzePrompt,
        Kind::OptimizePrompt,
        Kind::AnalyzeAndOptimizePrompt,
        Kind::RefinePrompt,
        Kind::RefineOptimizedPrompt,
        Kind::ReversePrompt,
    ];

    /// The kind's name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::GeneratePrompt => "generatePrompt",
            Kind::AnalyzePrompt => "analyzePrompt",
            Kind::OptimizePrompt => "optimizePrompt",
            Kind::AnalyzeAndOptimizePrompt => "analyzeAndOptimizePrompt",
            Kind::RefinePrompt => "refinePrompt",
            Kind::RefineOptimizedPrompt => "refineOptimizedPrompt",
            Kind::ReversePrompt => "reversePrompt",
        }
    }

    /// Credits that one operation costs.
    pub const fn credits(self) -> u32 {
        match self {
            Kind::AnalyzeAndOptimizePrompt => 2,
            _ => 1,
        }
    }

    /// Whether history keeps the results of these operations.
    pub const fn is_kept_in_history(self) -> bool {
        !matches!(self, Kind::ReversePrompt)
    }

    /// The kind with this name in the API.
    pub fn named(text: &str) -> Option<Kind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The status of an operation: `PENDING` until it starts, then `RUNNING`, then `SUCCEEDED` or
/// `FAILED`. Only a `PENDING` operation can be cancelled. The last three are final. A synchronous
/// call starts as `RUNNING`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Accepted, not started.
    Pending,
    /// Started by a call or by the processor.
    Running,
    /// Finished; its credits are spent.
    Succeeded,
    /// Failed; its credits are returned.
    Failed,
    /// Cancelled before it started; its credits are returned.
    Cancelled,
}

impl Status {
    /// Every status.
    pub const ALL: [Status; 5] =
        [Status::Pending, Status::Running, Status::Succeeded, Status::Failed, Status::Cancelled];

    /// The status's name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "PENDING",
            Status::Running => "RUNNING",
            Status::Succeeded => "SUCCEEDED",
            Status::Failed => "FAILED",
            Status::Cancelled => "CANCELLED",
        }
    }

    /// Whether the status can no longer change.
    pub const fn is_final(self) -> bool {
        matches!(self, Status::Succeeded | Status::Failed | Status::Cancelled)
    }
}

/// Why an operation failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// An error code of the API.
    pub code: String,
    /// What happened.
    pub message: String,
}

/// A failure with what only the call that waits for the operation is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What everybody who reads the operation sees.
    pub problem: Problem,
    /// What a model's answer lost of the content, if that is why.
    pub lost: Vec<Loss>,
    /// The pause before a retry, if it is known.
    pub retry_after: Option<Duration>,
}

/// A rule for results that an answer broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// JSON pointer into the answer; empty for the whole answer.
    pub path: String,
    /// What is wrong there. It may quote the user's text.
    pub message: String,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self { problem, lost: Vec::new(), retry_after: None }
    }
}

/// The record of an operation, without its input and result.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its identifier, which includes when it was created.
    pub id: OperationId,
    /// The account that it belongs to.
    pub account: AccountId,
    /// What it does.
    pub kind: Kind,
    /// Its status.
    pub status: Status,
    /// Whether the caller does not wait for the result.
    pub asynchronous: bool,
    /// How many attempts were started. Only the present attempt can settle the operation.
    pub attempt: u32,
    /// The end of the present attempt's lease; [`NO_LEASE`] before the first one.
    pub lease_until: Timestamp,
    /// When its first attempt started.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub completed_at: Option<Timestamp>,
    /// The month whose credits it holds: see [`Timestamp::month_start`].
    pub period: Timestamp,
    /// Hash of the idempotency key that started it.
    pub idempotency: String,
    /// Why it failed.
    pub problem: Option<Box<Failure>>,
    /// The uploads that it consumed; released unless it succeeds.
    pub uploads: Vec<UploadId>,
    /// The kinds of event that the account's webhook endpoints subscribed to when it was accepted.
    /// May be out of date: the settlement verifies it.
    pub subscribed_events: EventKinds,
    /// What the attempt that ended it has asked of language models, one entry for each model.
    pub model_usage: Vec<ModelUsage>,
}

impl Operation {
    /// When it was accepted.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// When its record expires.
    pub fn expires_at(&self) -> Timestamp {
        self.created_at() + RECORD_RETENTION
    }

    /// When its result expires, if it has one.
    pub fn result_expires_at(&self) -> Option<Timestamp> {
        let completed = self.completed_at?;
        (self.status == Status::Succeeded).then(|| completed + RESULT_RETENTION)
    }

    /// Credits spent: none before success.
    pub fn credits_used(&self) -> u32 {
        if self.status == Status::Succeeded { self.kind.credits() } else { 0 }
    }

    /// Whether an attempt may start at `now`: it is pending, or the lease of its attempt has ended.
    pub fn is_claimable(&self, now: Timestamp) -> bool {
        match self.status {
            Status::Pending => true,
            Status::Running => self.lease_until <= now,
            _ => false,
        }
    }
}
