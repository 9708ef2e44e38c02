//! An endpoint as the API shows it.

use axum::http::{HeaderValue, header::CACHE_CONTROL};
use domain::{
    EndpointId, EventKind, EventKinds, Timestamp,
    webhook::{self, DisabledReason},
};
use edge::{ApiError, Code, Data};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A receiver of events.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookEndpoint {
    /// Its identifier.
    pub id: EndpointId,
    /// Where events are posted to.
    #[schema(example = "https://example.com/hooks")]
    pub url: String,
    /// What its owner says about it.
    #[schema(required = true)]
    pub description: Option<String>,
    /// What it is told of.
    pub events: Vec<EventKind>,
    /// Whether it is told anything.
    pub enabled: bool,
    /// Why it was disabled without its owner: it answered with 410 (`gone`), or had no success for 120
    /// hours (`failing`).
    #[schema(required = true)]
    pub disabled_reason: Option<DisabledReason>,
    /// The last attempt of a delivery. As long as a receiver answers alike, it is noted every five seconds.
    #[schema(required = true)]
    pub last_delivery: Option<LastDelivery>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed or disabled.
    pub updated_at: Timestamp,
    /// What its deliveries are signed with: only in the answers to creation and rotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw==")]
    pub secret: Option<String>,
}

/// What became of an attempt.
#[derive(Debug, Serialize, ToSchema)]
pub struct LastDelivery {
    /// When it began.
    at: Timestamp,
    /// Status of the receiver's answer; null if none came.
    #[schema(required = true)]
    status: Option<u16>,
    /// Which attempt of its delivery it was; the first is 1.
    attempt: u32,
}

impl From<webhook::LastDelivery> for LastDelivery {
    fn from(last: webhook::LastDelivery) -> Self {
        Self { at: last.at, status: last.status, attempt: last.attempt }
    }
}

impl WebhookEndpoint {
    /// An endpoint, with its secret if this is the moment to tell it.
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

/// An endpoint as an answer. One that has its secret is to be kept by nobody on the way (RFC 9111, section
/// 5.2.2.5).
pub fn answer(endpoint: domain::Endpoint, secret: Option<String>) -> Data<WebhookEndpoint> {
    let tells_secret = secret.is_some();
    let mut data = Data::new(WebhookEndpoint::new(endpoint, secret));
    if tells_secret {
        data.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    data
}

/// Kinds of event, one to seven of them; one that is named twice counts once.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(min_items = 1, max_items = 7, example = json!(["operation.succeeded", "operation.failed"]))]
pub struct Events(pub Vec<EventKind>);

impl From<Events> for EventKinds {
    fn from(events: Events) -> Self {
        events.0.into_iter().collect()
    }
}

/// There is no such endpoint, or it is another account's.
pub fn not_found() -> ApiError {
    ApiError::new(Code::NotFound)
}
