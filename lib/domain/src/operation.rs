//! The AI operation: one paid execution, from its start to its single settlement.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountId, EventKinds, OperationId, Timestamp, UploadId};

/// How long a record of an operation is kept.
pub const RECORD_RETENTION: Duration = Duration::from_secs(90 * 86_400);
/// How long the result of an operation, and the idempotency key that started it, are kept.
pub const RESULT_RETENTION: Duration = Duration::from_secs(86_400);
/// How long a synchronous call may take before the processor finishes its operation.
pub const CALL_DEADLINE: Duration = Duration::from_secs(25);
/// How many times an operation is tried before it fails.
pub const MAX_ATTEMPTS: u32 = 3;

/// What an operation does; named by the operationId of the call that starts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// A prompt from a goal.
    GeneratePrompt,
    /// An analysis of a prompt.
    AnalyzePrompt,
    /// Better versions of a prompt.
    OptimizePrompt,
    /// Analysis and versions in one operation.
    AnalyzeAndOptimizePrompt,
    /// A prompt changed by feedback.
    RefinePrompt,
    /// A version of an optimization changed by feedback.
    RefineOptimizedPrompt,
    /// A prompt recovered from an image, frames, text or a page.
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

    /// Credits that one execution costs.
    pub const fn credits(self) -> u32 {
        match self {
            Kind::AnalyzeAndOptimizePrompt => 2,
            _ => 1,
        }
    }

    /// The kind with this name in the API.
    pub fn named(text: &str) -> Option<Kind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Where an operation stands: `PENDING` until it is begun or cancelled, then `RUNNING`, then one of
/// the last three, which nothing leaves. A synchronous call starts `RUNNING`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Accepted, not begun.
    Pending,
    /// Begun by a call or by the processor.
    Running,
    /// Done; its credits are spent.
    Succeeded,
    /// Given up; its credits were returned.
    Failed,
    /// Cancelled before it began; its credits were returned.
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

    /// Whether nothing can change it any more.
    pub const fn is_final(self) -> bool {
        matches!(self, Status::Succeeded | Status::Failed | Status::Cancelled)
    }
}

/// Why an operation failed, in words for its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// A code of the API's error table.
    pub code: String,
    /// What happened.
    pub message: String,
}

/// The record of an operation, without its input and result.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its identifier, which also says when it was created.
    pub id: OperationId,
    /// Whose it is.
    pub account: AccountId,
    /// What it does.
    pub kind: Kind,
    /// Where it stands.
    pub status: Status,
    /// Whether the caller asked not to wait.
    pub asynchronous: bool,
    /// How many times it was begun. A finisher must name the attempt that it finishes.
    pub attempt: u32,
    /// Until when the present attempt may work undisturbed.
    pub lease_until: Timestamp,
    /// When it was first begun.
    pub started_at: Option<Timestamp>,
    /// When it came to its end.
    pub completed_at: Option<Timestamp>,
    /// The month whose credits it holds: see [`Timestamp::month_start`].
    pub period: Timestamp,
    /// Hash of the idempotency key that started it.
    pub idempotency: String,
    /// Why it failed.
    pub problem: Option<Problem>,
    /// The uploads that it has taken; given back unless it succeeds.
    pub uploads: Vec<UploadId>,
    /// The kinds of event that webhook endpoints of the account wanted when it was accepted: a hint,
    /// which its end verifies.
    pub awaited: EventKinds,
}

impl Operation {
    /// When it was accepted.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// When its record goes.
    pub fn expires_at(&self) -> Timestamp {
        self.created_at() + RECORD_RETENTION
    }

    /// When its result goes, if it has one.
    pub fn result_expires_at(&self) -> Option<Timestamp> {
        let completed = self.completed_at?;
        (self.status == Status::Succeeded).then(|| completed + RESULT_RETENTION)
    }

    /// Credits spent: none before success.
    pub fn credits_used(&self) -> u32 {
        if self.status == Status::Succeeded { self.kind.credits() } else { 0 }
    }

    /// Whether someone may begin it at `now`: it waits, or whoever ran it has been silent too long.
    pub fn is_claimable(&self, now: Timestamp) -> bool {
        match self.status {
            Status::Pending => true,
            Status::Running => self.lease_until <= now,
            _ => false,
        }
    }
}
