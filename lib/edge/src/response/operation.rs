//! Representations that several functions return.

use domain::{Kind, ModelUsage, Operation, OperationId, Problem, Status, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// An AI operation.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Operation)]
pub struct OperationObject {
    /// Identifier of the operation.
    pub id: OperationId,
    /// The operationId of the call that started it.
    #[schema(example = "generatePrompt")]
    pub kind: Kind,
    /// Current status.
    pub status: Status,
    /// When the operation was accepted.
    pub created_at: Timestamp,
    /// When the first attempt began; null if none has.
    #[schema(required = true)]
    pub started_at: Option<Timestamp>,
    /// When the operation ended; null until then.
    #[schema(required = true)]
    pub completed_at: Option<Timestamp>,
    /// When this record is deleted: 90 days after the operation was accepted.
    pub expires_at: Timestamp,
    /// Credits that the operation cost; 0 until it succeeds.
    pub credits_used: u32,
    /// Tokens of each language model that its last attempt asked, with or without a result. Absent if it asked none,
    /// until it has ended, and in lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub model_usage: Vec<ModelUsage>,
    /// The `data` that the synchronous call would have returned. Kept for 24 hours. Always null in
    /// lists, where `resultExpiresAt` says whether there is a result.
    #[schema(required = true, value_type = Option<Object>)]
    pub result: Option<Value>,
    /// When the result is deleted; null if there is none.
    #[schema(required = true)]
    pub result_expires_at: Option<Timestamp>,
    /// Why the operation failed; null unless it did.
    #[schema(required = true)]
    pub error: Option<Problem>,
}

impl OperationObject {
    /// The operation as it is now, with its result if that is still kept.
    pub fn new(operation: &Operation, result: Option<Value>) -> Self {
        Self {
            id: operation.id,
            kind: operation.kind,
            status: operation.status,
            created_at: operation.created_at(),
            started_at: operation.started_at,
            completed_at: operation.completed_at,
            expires_at: operation.expires_at(),
            credits_used: operation.credits_used(),
            model_usage: operation.model_usage.clone(),
            result,
            result_expires_at: operation.result_expires_at(),
            error: operation.problem.as_ref().map(|failure| failure.problem.clone()),
        }
    }

    /// The operation as lists show it: the same from the table and from its index.
    pub fn listed(operation: &Operation) -> Self {
        Self { model_usage: Vec::new(), ..Self::new(operation, None) }
    }

    /// The operation as it was accepted: every retry of its request gets this response.
    pub fn as_accepted(operation: &Operation) -> Self {
        Self::new(
            &Operation {
                status: Status::Pending,
                started_at: None,
                completed_at: None,
                problem: None,
                model_usage: Vec::new(),
                ..operation.clone()
            },
            None,
        )
    }
}
