//! What handlers answer with; [`crate::middleware`] puts it into the envelope.

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

/// The `data` of a successful answer.
#[derive(Clone, Debug)]
pub struct Data<T> {
    /// Its status; 200 unless said otherwise.
    pub status: StatusCode,
    /// Headers of this answer in particular.
    pub headers: HeaderMap,
    /// What goes into the envelope.
    pub data: T,
}

impl<T> Data<T> {
    /// A 200.
    pub fn new(data: T) -> Self {
        Self { status: StatusCode::OK, headers: HeaderMap::new(), data }
    }

    /// The same with another status.
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }
}

/// Serialized data on its way to the envelope.
#[derive(Clone, Debug)]
pub(crate) struct Payload(pub Bytes);

/// What was asked for does not fit into an answer. What is written is bounded so that its answer fits.
fn too_large(bytes: u64) -> ApiError {
    let message = format!(
        "the answer would have {bytes} bytes as a string within JSON, more than {RESPONSE_MAX}: quotes, \
         backslashes and control characters take more than one"
    );
    ApiError::new(Code::InvalidRequest).with_details(vec![Detail::new("", message)])
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

/// The envelope of every successful JSON answer, as the OpenAPI document shows it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope<T: ToSchema> {
    /// The result.
    pub data: T,
    /// Identifier of this exchange; also in the header `X-Request-Id`.
    #[schema(example = "req_01JD8M3Z5Q4N7V9X2B6C8D0E1F")]
    pub request_id: String,
}

/// What deleting gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Deleted {
    /// Identifier of what is gone.
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
    /// What went wrong.
    pub error: ErrorBody,
    /// Identifier of this exchange; also in the header `X-Request-Id`.
    #[schema(example = "req_01JD8M3Z5Q4N7V9X2B6C8D0E1F")]
    pub request_id: String,
}

/// An error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// Which error.
    pub code: crate::Code,
    /// What it means, for people.
    pub message: String,
    /// Every problem of the request, where it has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub details: Vec<crate::Detail>,
}
