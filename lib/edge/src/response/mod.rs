//! Responses of handlers; [`crate::middleware`] puts them into the envelope.

pub mod error;
mod operation;

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use domain::response_size::{RESPONSE_MAX, escaped_len};
use http::{HeaderMap, StatusCode};
pub use operation::OperationObject;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiError, Code, Detail};

/// The `data` of a successful response.
#[derive(Clone, Debug)]
pub struct Data<T> {
    /// HTTP status; 200 by default.
    pub status: StatusCode,
    /// Headers of this response only.
    pub headers: HeaderMap,
    /// The content of the envelope.
    pub data: T,
}

impl<T> Data<T> {
    /// A response with status 200.
    pub fn new(data: T) -> Self {
        Self { status: StatusCode::OK, headers: HeaderMap::new(), data }
    }

    /// Sets another status.
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }
}

/// Serialized data, not yet in the envelope.
#[derive(Clone, Debug)]
pub(crate) struct Payload(pub Bytes);

/// The response exceeds what fits. Writes are bounded so that each resource fits by itself.
fn too_large(bytes: u64) -> ApiError {
    let message = format!(
        "the answer would have {bytes} bytes as a string within JSON, more than {RESPONSE_MAX}: quotes, \
         backslashes and control characters take more than one"
    );
    ApiError::new(Code::ContentTooLarge).with_details(vec![Detail::new("", message)])
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.data) {
            Ok(json) if escaped_len(&json) > RESPONSE_MAX => {
                too_large(escaped_len(&json)).into_response()
            }
            Ok(json) => {
                let mut response = (self.status, self.headers).into_response();
                response.extensions_mut().insert(Payload(json.into()));
                response
            }
            Err(error) => ApiError::new(Code::InternalError).caused_by(error).into_response(),
        }
    }
}

/// The envelope of every successful JSON response.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope<T: ToSchema> {
    /// The result.
    pub data: T,
    /// Identifier of this request; also in the header `X-Request-Id`.
    #[schema(example = "req_01JD8M3Z5Q4N7V9X2B6C8D0E1F")]
    pub request_id: String,
}

/// Confirmation of a deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Deleted {
    /// Identifier of the deleted resource.
    pub id: String,
    /// Always true.
    pub deleted: bool,
}

impl Deleted {
    /// The deletion of `id`.
    pub fn of(id: impl std::fmt::Display) -> Self {
        Self { id: id.to_string(), deleted: true }
    }
}

/// The envelope of every error.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorEnvelope {
    /// The error.
    pub error: ErrorBody,
    /// Identifier of this request; also in the header `X-Request-Id`.
    #[schema(example = "req_01JD8M3Z5Q4N7V9X2B6C8D0E1F")]
    pub request_id: String,
}

/// An error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// Error code, for programs.
    pub code: crate::Code,
    /// Explanation, for people.
    pub message: String,
    /// Every problem of the request, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub details: Vec<crate::Detail>,
}
