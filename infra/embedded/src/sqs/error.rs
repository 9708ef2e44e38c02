//! Errors as on AWS: a type in the body, and the older code of the query protocol, by which SDKs
//! recognise them, in the header `x-amzn-query-error`.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde_json::json;

use crate::sigv4::Refusal;

/// The result of an SQS operation.
pub(crate) type Result<T> = std::result::Result<T, SqsError>;

/// A rejected or failed request.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct SqsError {
    status: StatusCode,
    /// The name of the shape, with its namespace.
    shape: &'static str,
    /// The code of the query protocol.
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl SqsError {
    fn sender(shape: &'static str, code: &'static str, message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, shape, code, message: message.into() }
    }

    /// Whether the client is at fault.
    pub(crate) fn is_sender_fault(&self) -> bool {
        self.status.is_client_error()
    }

    /// See
    /// [common errors](https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/CommonErrors.html).
    pub(crate) fn not_authentic(refusal: Refusal) -> Self {
        let (shape, code) = match refusal {
            Refusal::Missing => (
                "com.amazon.coral.service#MissingAuthenticationTokenException",
                "MissingAuthenticationToken",
            ),
            Refusal::Malformed => {
                ("com.amazon.coral.service#IncompleteSignatureException", "IncompleteSignature")
            }
            Refusal::UnknownKey => {
                ("com.amazon.coral.service#UnrecognizedClientException", "InvalidClientTokenId")
            }
            Refusal::Signature | Refusal::Skewed | Refusal::Expired => {
                ("com.amazon.coral.service#InvalidSignatureException", "SignatureDoesNotMatch")
            }
        };
        let status = StatusCode::FORBIDDEN;
        Self { status, ..Self::sender(shape, code, refusal.to_string()) }
    }

    pub(crate) fn queue_does_not_exist() -> Self {
        Self::sender(
            "com.amazonaws.sqs#QueueDoesNotExist",
            "AWS.SimpleQueueService.NonExistentQueue",
            "The specified queue does not exist.",
        )
    }

    pub(crate) fn queue_name_exists() -> Self {
        Self::sender(
            "com.amazonaws.sqs#QueueNameExists",
            "QueueAlreadyExists",
            "A queue already exists with the same name and a different value for an attribute.",
        )
    }

    pub(crate) fn invalid_attribute_name(name: &str) -> Self {
        let message = format!("Unknown Attribute {name}.");
        Self::sender("com.amazonaws.sqs#InvalidAttributeName", "InvalidAttributeName", message)
    }

    pub(crate) fn invalid_attribute_value(name: &str) -> Self {
        let message = format!("Invalid value for the parameter {name}.");
        Self::sender("com.amazonaws.sqs#InvalidAttributeValue", "InvalidAttributeValue", message)
    }

    pub(crate) fn invalid_parameter(parameter: &str, reason: &str) -> Self {
        Self::sender(
            "com.amazon.coral.service#InvalidParameterValueException",
            "InvalidParameterValue",
            format!("Value for parameter {parameter} is invalid. Reason: {reason}"),
        )
    }

    pub(crate) fn missing_parameter(parameter: &str) -> Self {
        Self::sender(
            "com.amazon.coral.service#MissingRequiredParameterException",
            "MissingParameter",
            format!("The request must contain the parameter {parameter}."),
        )
    }

    pub(crate) fn invalid_message_contents() -> Self {
        Self::sender(
            "com.amazonaws.sqs#InvalidMessageContents",
            "InvalidMessageContents",
            "The message contains characters outside the allowed set.",
        )
    }

    pub(crate) fn invalid_receipt_handle() -> Self {
        Self::sender(
            "com.amazonaws.sqs#ReceiptHandleIsInvalid",
            "ReceiptHandleIsInvalid",
            "The input receipt handle is invalid.",
        )
    }

    pub(crate) fn message_not_inflight() -> Self {
        Self::sender(
            "com.amazonaws.sqs#MessageNotInflight",
            "AWS.SimpleQueueService.MessageNotInflight",
            "The message is not in flight.",
        )
    }

    pub(crate) fn empty_batch() -> Self {
        Self::sender(
            "com.amazonaws.sqs#EmptyBatchRequest",
            "AWS.SimpleQueueService.EmptyBatchRequest",
            "There should be at least one entry in the request.",
        )
    }

    pub(crate) fn too_many_entries() -> Self {
        Self::sender(
            "com.amazonaws.sqs#TooManyEntriesInBatchRequest",
            "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
            "Maximum number of entries per request are 10.",
        )
    }

    pub(crate) fn batch_ids_not_distinct() -> Self {
        Self::sender(
            "com.amazonaws.sqs#BatchEntryIdsNotDistinct",
            "AWS.SimpleQueueService.BatchEntryIdsNotDistinct",
            "Two or more batch entries in the request have the same Id.",
        )
    }

    pub(crate) fn invalid_batch_id() -> Self {
        Self::sender(
            "com.amazonaws.sqs#InvalidBatchEntryId",
            "AWS.SimpleQueueService.InvalidBatchEntryId",
            "A batch entry id can only contain alphanumeric characters, hyphens and underscores. \
             It can be at most 80 letters long.",
        )
    }

    pub(crate) fn batch_too_long(limit: usize) -> Self {
        Self::sender(
            "com.amazonaws.sqs#BatchRequestTooLong",
            "AWS.SimpleQueueService.BatchRequestTooLong",
            format!("Batch requests cannot be longer than {limit} bytes."),
        )
    }

    pub(crate) fn resource_not_found(message: &str) -> Self {
        Self::sender(
            "com.amazonaws.sqs#ResourceNotFoundException",
            "ResourceNotFoundException",
            message,
        )
    }

    pub(crate) fn malformed(reason: &serde_json::Error) -> Self {
        let message = format!("The request cannot be parsed: {reason}.");
        Self::sender("com.amazon.coral.service#SerializationException", "MalformedInput", message)
    }

    pub(crate) fn unknown_operation() -> Self {
        Self::sender(
            "com.amazon.coral.service#UnknownOperationException",
            "InvalidAction",
            "The operation is unknown or not implemented.",
        )
    }
}

impl From<rusqlite::Error> for SqsError {
    fn from(error: rusqlite::Error) -> Self {
        tracing::error!(%error, "SQS storage failed");
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            shape: "com.amazon.coral.service#InternalFailure",
            code: "InternalFailure",
            message: "The storage failed.".into(),
        }
    }
}

impl IntoResponse for SqsError {
    fn into_response(self) -> Response {
        let fault = if self.is_sender_fault() { "Sender" } else { "Receiver" };
        let headers = [("x-amzn-query-error", format!("{};{fault}", self.code))];
        let body = Json(json!({"__type": self.shape, "message": self.message}));
        (self.status, headers, body).into_response()
    }
}
