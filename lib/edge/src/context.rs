//! What is learned about a request on its way, for its answer and its log line.

use std::sync::OnceLock;

use domain::{AccountId, OperationId, RequestId, Timestamp};
use store::admission::Rate;
use tokio::sync::watch;

/// One request and its response.
#[derive(Debug)]
pub(crate) struct RequestContext {
    pub id: RequestId,
    /// When it began.
    pub started_at: Timestamp,
    pub rate: OnceLock<Rate>,
    pub account: OnceLock<AccountId>,
    /// The AI operation that it has begun, if it has.
    pub operation: watch::Sender<Option<OperationId>>,
    /// Path, behind the API's address, of the resource that it is about; the API itself if not set.
    pub resource: OnceLock<&'static str>,
}
