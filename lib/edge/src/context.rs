//! Facts about a request that its response and its log entry need.

use std::sync::OnceLock;

use domain::{AccountId, OperationId, RequestId, Timestamp};
use store::admission::Rate;
use tokio::sync::watch;

/// One request and its response.
#[derive(Debug)]
pub(crate) struct RequestContext {
    pub id: RequestId,
    /// When the request arrived.
    pub started_at: Timestamp,
    pub rate: OnceLock<Rate>,
    pub account: OnceLock<AccountId>,
    /// The AI operation that the request started, if any.
    pub operation: watch::Sender<Option<OperationId>>,
    /// Path below the API's address of the protected resource; the API itself if not set.
    pub resource: OnceLock<&'static str>,
}
