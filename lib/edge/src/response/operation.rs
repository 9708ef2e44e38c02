//! Representations that several functions answer with.

use domain::{Operation, OperationId, Problem, Status, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// An AI operation.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Operation)]
pub struct OperationObject {
    /// Its identifier.
    pub id: OperationId,
    /// What it does: the operationId of the call that started it.
    #[schema(example = "generatePrompt")]
    pub kind: String,
    /// Where it stands.
    pub status: Status,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When work on it first began.
    #[schema(required = true)]
    pub started_at: Option<Timestamp>,
    /// When it came to its end.
    #[schema(required = true)]
    pub completed_at: Option<Timestamp>,
    /// When this record goes: 90 days after it was accepted.
    pub expires_at: Timestamp,
    /// Credits that it cost; 0 until it succeeds.
    pub credits_used: u32,
    /// What the synchronous call would have answered as `data`. Kept 24 hours; always null in
    /// lists, where `resultExpiresAt` tells whether there is one.
    #[schema(required = true, value_type = Option<Object>)]
    pub result: Option<Value>,
    /// When the result goes; null if there is none.
    #[schema(required = true)]
    pub result_expires_at: Option<Timestamp>,
    /// Why it failed.
    #[schema(required = true)]
    pub error: Option<Problem>,
}

impl OperationObject {
    /// An operation as it stands, with its result if that is still kept.
    pub fn new(operation: &Operation, result: Option<Value>) -> Self {
        Self {
            id: operation.id,
            kind: operation.kind.as_str().to_owned(),
            status: operation.status,
            created_at: operation.created_at(),
            started_at: operation.started_at,
            completed_at: operation.completed_at,
            expires_at: operation.expires_at(),
            credits_used: operation.credits_used(),
            result,
            result_expires_at: operation.result_expires_at(),
            error: operation.problem.clone(),
        }
    }

    /// An operation as it was when it was accepted: what every retry of its request is answered.
    pub fn as_accepted(operation: &Operation) -> Self {
        Self::new(
            &Operation {
                status: Status::Pending,
                started_at: None,
                completed_at: None,
                problem: None,
                ..operation.clone()
            },
            None,
        )
    }
}
