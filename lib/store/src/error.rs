//! What can go wrong with durable things.

use std::error::Error;

use aws_sdk_dynamodb::error::{BuildError, ErrorMetadata};

/// Codes with which the data services refuse what no time will mend: it is not permitted, or wrong in itself
/// (DynamoDB and SQS API references, "Common errors").
const HOPELESS: [&str; 6] = [
    "AccessDenied",
    "AccessDeniedException",
    "InvalidParameterValue",
    "MissingParameter",
    "SerializationException",
    "ValidationException",
];

/// A failure of storage that is nobody's fault who called. Expected outcomes, such as a condition
/// that did not hold, are variants of each function's own result instead.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A data service did not answer, or refused for a reason that may pass.
    #[error("{service} is unavailable")]
    Unavailable {
        /// Which one: `table`, `bucket` or `queue`.
        service: &'static str,
        /// What the SDK said.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A data service refused what it was asked, and will refuse it again: it is not permitted, or no good.
    #[error("{service} refuses what it is asked")]
    Refused {
        /// Which one: `table`, `bucket` or `queue`.
        service: &'static str,
        /// What the SDK said.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A stored item does not have the form that this version writes.
    #[error("stored {what} cannot be read")]
    Corrupt {
        /// Which attribute or item.
        what: &'static str,
    },
}

impl StoreError {
    /// A call that failed: for the time being, or for good where its cause says so.
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

    /// Whether another try may go better.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }

    /// Whether the queue could not be reached.
    pub fn is_queue_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable { service: "queue", .. })
    }

    pub(crate) fn corrupt(what: &'static str) -> Self {
        Self::Corrupt { what }
    }
}

/// Whether an error's chain of causes has one that no time mends. The SDK's error types differ from call to call,
/// but what a service says with a code that is not modelled, and what could not be sent at all, ends their chains.
fn is_permanent(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |cause| (*cause).source()).any(|cause| {
        let code = cause.downcast_ref::<ErrorMetadata>().and_then(ErrorMetadata::code);
        code.is_some_and(|code| HOPELESS.contains(&code)) || cause.is::<BuildError>()
    })
}
