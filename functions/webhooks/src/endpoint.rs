//! An endpoint in the API.

use domain::{
    AccountId, EndpointId, EventKind, EventKinds, Timestamp,
    webhook::{self, DisabledReason, FailureReason},
};
use edge::{ApiError, Code};
use serde::{Deserialize, Serialize};
use store::webhooks::StoredEndpoint;
use utoipa::ToSchema;

use crate::Webhooks;

/// A webhook endpoint.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookEndpoint {
    /// Identifier of the endpoint.
    pub id: EndpointId,
    /// URL that events are posted to.
    #[schema(example = "https://example.com/hooks")]
    pub url: String,
    /// The owner's description of the endpoint.
    #[schema(required = true)]
    pub description: Option<String>,
    /// Kinds of event that the endpoint subscribes to.
    pub events: Vec<EventKind>,
    /// Whether the endpoint receives events.
    pub enabled: bool,
    /// Why the service disabled the endpoint: it responded with 410 (`gone`), or no delivery
    /// succeeded for 120 hours (`failing`). Null otherwise.
    #[schema(required = true)]
    pub disabled_reason: Option<DisabledReason>,
    /// The last delivery attempt; null if there was none at this URL. While the results are alike,
    /// this is updated at most every five seconds.
    #[schema(required = true)]
    pub last_delivery: Option<LastDelivery>,
    /// When the endpoint was created.
    pub created_at: Timestamp,
    /// When the endpoint was last changed or disabled.
    pub updated_at: Timestamp,
    /// The signing secret: only in the responses to creation and rotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw==")]
    pub secret: Option<String>,
}

/// Result of a delivery attempt.
#[derive(Debug, Serialize, ToSchema)]
pub struct LastDelivery {
    /// When the attempt began.
    at: Timestamp,
    /// Status of the receiver's response; null if there was none.
    #[schema(required = true)]
    status: Option<u16>,
    /// Number of the attempt of its delivery, from 1.
    attempt: u32,
    /// Why it failed; null if it was accepted.
    #[schema(required = true)]
    reason: Option<FailureReason>,
}

impl From<webhook::LastDelivery> for LastDelivery {
    fn from(last: webhook::LastDelivery) -> Self {
        Self { at: last.at, status: last.status, attempt: last.attempt, reason: last.reason }
    }
}

impl WebhookEndpoint {
    /// The endpoint; `secret` only in the responses to creation and rotation.
    pub fn new(endpoint: domain::Endpoint, secret: Option<String>) -> Self {
        Self {
            id: endpoint.id,
            created_at: endpoint.created_at(),
            url: endpoint.url,
            description: endpoint.description,
            events: endpoint.events.iter().collect(),
            enabled: endpoint.enabled,
            disabled_reason: endpoint.disabled_reason,
            last_delivery: endpoint.last_delivery.map(LastDelivery::from),
            updated_at: endpoint.updated_at,
            secret,
        }
    }
}

/// One to seven kinds of event; one that is given twice counts twice, and is kept once.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(min_items = 1, max_items = 7, example = json!(["operation.succeeded", "operation.failed"]))]
pub struct Events(pub Vec<EventKind>);

impl From<Events> for EventKinds {
    fn from(events: Events) -> Self {
        events.0.into_iter().collect()
    }
}

impl Webhooks {
    /// The account's endpoint.
    ///
    /// # Errors
    ///
    /// The account has no such endpoint.
    pub(crate) async fn find(
        &self,
        account: AccountId,
        id: EndpointId,
    ) -> Result<StoredEndpoint, ApiError> {
        self.edge.store().endpoint(account, id).await?.ok_or_else(not_found)
    }
}

/// There is no such endpoint, or it belongs to another account.
pub fn not_found() -> ApiError {
    ApiError::new(Code::NotFound)
}
