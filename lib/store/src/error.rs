//! Failures of storage.

use std::error::Error;

use aws_sdk_dynamodb::error::{BuildError, ErrorMetadata};

/// Error codes of requests that fail again however often they are sent: not permitted, or malformed
/// (DynamoDB and SQS API references, "Common errors").
const HOPELESS: [&str; 6] = [
    "AccessDenied",
    "AccessDeniedException",
    "InvalidParameterValue",
    "MissingParameter",
    "SerializationException",
    "ValidationException",
];

/// A failure of storage that the caller did not cause. Expected outcomes, such as a failed
/// condition, are variants of each function's result instead.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A data service did not respond, or refused for a transient reason.
    #[error("{service} is unavailable")]
    Unavailable {
        /// Which one: `table`, `bucket` or `queue`.
        service: &'static str,
        /// The SDK's error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A data service refused a request that is not permitted or malformed. A retry fails as well.
    #[error("{service} refuses the request; check its permissions and parameters")]
    Refused {
        /// Which one: `table`, `bucket` or `queue`.
        service: &'static str,
        /// The SDK's error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A stored item has another form than this version writes.
    #[error("stored {what} cannot be read")]
    Corrupt {
        /// Which attribute or item.
        what: &'static str,
    },
}

impl StoreError {
    /// A failed call: permanent if its cause says so, otherwise transient.
    pub(crate) fn unavailable<E>(service: &'static str, error: E) -> Self
    where
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        let source = error.into();
        match is_permanent(&*source) {
            true => Self::Refused { service, source },
            false => Self::Unavailable { service, source },
        }
    }

    /// Whether a retry may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }

    pub(crate) fn corrupt(what: &'static str) -> Self {
        Self::Corrupt { what }
    }
}

/// Whether a permanent error is in an error's chain of causes. The SDK's error types differ from
/// call to call, but unmodelled service codes and requests that could not be built are at the end
/// of their chains.
fn is_permanent(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |cause| (*cause).source()).any(|cause| {
        let code = cause.downcast_ref::<ErrorMetadata>().and_then(ErrorMetadata::code);
        code.is_some_and(|code| HOPELESS.contains(&code)) || cause.is::<BuildError>()
    })
}
