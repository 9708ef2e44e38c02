//! What can go wrong with durable things.

use std::error::Error;

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
    /// A stored item does not have the form that this version writes.
    #[error("stored {what} cannot be read")]
    Corrupt {
        /// Which attribute or item.
        what: &'static str,
    },
}

impl StoreError {
    pub(crate) fn unavailable<E>(service: &'static str, error: E) -> Self
    where
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        Self::Unavailable { service, source: error.into() }
    }

    /// Whether the queue could not be reached.
    pub fn is_queue_away(&self) -> bool {
        matches!(self, Self::Unavailable { service: "queue", .. })
    }

    pub(crate) fn corrupt(what: &'static str) -> Self {
        Self::Corrupt { what }
    }
}
