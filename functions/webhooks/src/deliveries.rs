//! `GET /webhook-endpoints/{id}/deliveries`

use axum::extract::State;
use domain::{
    AccountId, DeliveryId, EndpointId, EventId, EventKind, Timestamp,
    webhook::{DeliveryStatus, FailureReason},
};
use edge::{
    ApiError, Call, Data,
    input::{
        PathId, Query,
        cursor::{self, Binding},
    },
    openapi::{Errors, code},
    permission::WebhooksManage,
    response::Envelope,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::webhooks::{deliveries::DeliveryRecord, queue};
use utoipa::{IntoParams, ToSchema};

use crate::Webhooks;

/// Which deliveries to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Maximum number of deliveries in the page.
    #[serde(default = "default_limit")]
    #[param(minimum = 1, maximum = 100, default = 25)]
    limit: u32,
    /// The `nextCursor` of the previous page.
    cursor: Option<String>,
}

fn default_limit() -> u32 {
    25
}

/// A page of deliveries, those of the newest events first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveryPage {
    /// The deliveries.
    #[schema(max_items = 100)]
    items: Vec<WebhookDelivery>,
    /// The `cursor` of the next page; null on the last one.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// A delivery of an event to an endpoint, with its last attempt.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Identifier of the delivery, the same in all attempts: their `webhook-id`.
    id: DeliveryId,
    /// The event, as it is posted.
    event: WebhookEvent,
    /// `pending` while another attempt follows, `succeeded` once the receiver has accepted it,
    /// `failed` when it was given up.
    status: DeliveryStatus,
    /// Number of the last attempt; 0 if there was none, or none yet since it was sent again.
    attempt: u32,
    /// When the last attempt began.
    #[schema(required = true)]
    attempted_at: Option<Timestamp>,
    /// Status of the receiver's response to it; null if there was none.
    #[schema(required = true)]
    response_status: Option<u16>,
    /// Why the last attempt failed, or why the delivery was given up; null if it was accepted, or not attempted yet since
    /// it was sent again.
    #[schema(required = true)]
    reason: Option<FailureReason>,
    /// When the next attempt is due, at the earliest: an endpoint that is busy gets it later. Null if there is none.
    #[schema(required = true)]
    next_attempt_at: Option<Timestamp>,
}

/// An event, as it is posted to endpoints.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEvent {
    /// Identifier of the event, the same for all endpoints.
    id: EventId,
    /// What happened.
    #[serde(rename = "type")]
    kind: EventKind,
    /// When it happened.
    timestamp: Timestamp,
    /// Identifiers and figures of what it happened to.
    #[schema(value_type = Object)]
    data: Value,
}

impl From<queue::Event> for WebhookEvent {
    fn from(event: queue::Event) -> Self {
        let queue::Event { id, kind, timestamp, data } = event;
        Self { id, kind, timestamp, data }
    }
}

impl From<DeliveryRecord> for WebhookDelivery {
    fn from(record: DeliveryRecord) -> Self {
        Self {
            id: record.id,
            event: record.event.into(),
            status: record.status,
            attempt: record.last.map_or(0, |last| last.attempt),
            attempted_at: record.last.map(|last| last.at),
            response_status: record.last.and_then(|last| last.status),
            reason: record.reason,
            next_attempt_at: record.next_attempt_at,
        }
    }
}

/// List the deliveries to a webhook endpoint.
///
/// Events of the last seven days that were attempted or given up, newest first, each with its last
/// attempt. Test deliveries are not among them.
#[utoipa::path(
    get, path = "/webhook-endpoints/{id}/deliveries",
    security(("bearer" = ["webhooks:manage"])),
    params(PathId<EndpointId>, ListQuery),
    responses(
        (status = 200, description = "A page of deliveries.", body = Envelope<WebhookDeliveryPage>),
        Errors<code::NotFound>,
    ),
)]
pub async fn list_webhook_deliveries(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, (PathId<EndpointId>, Query<ListQuery>)>,
) -> Result<Data<WebhookDeliveryPage>, ApiError> {
    let webhooks = &webhooks;
    let find = |account, (PathId(id), Query(query))| page(webhooks, account, id, query);
    let call = call.check(|sent| {
        let list = list_of(sent.id.parse().ok()?);
        let binding = Binding { account: sent.account, list: &list };
        position(webhooks, binding, sent.content["cursor"].as_str()).err()
    });
    let (_, page) = call.admit_with(find).await?;
    Ok(Data::new(page))
}

async fn page(
    webhooks: &Webhooks,
    account: AccountId,
    id: EndpointId,
    query: ListQuery,
) -> Result<WebhookDeliveryPage, ApiError> {
    let (store, secrets) = (webhooks.edge.store(), webhooks.edge.secrets());
    let list = list_of(id);
    let binding = Binding { account, list: &list };
    let before = position(webhooks, binding, query.cursor.as_deref())?;
    let (endpoint, found) = tokio::join!(
        webhooks.find(account, id),
        store.deliveries(account, id, before.as_deref(), query.limit)
    );
    endpoint?;
    let found = found?;
    let next = found.next.as_deref();
    Ok(WebhookDeliveryPage {
        items: found.deliveries.into_iter().map(WebhookDelivery::from).collect(),
        next_cursor: next.map(|next| cursor::encode(secrets, binding, next.as_bytes())),
    })
}

/// What a cursor of this list is bound to.
fn list_of(id: EndpointId) -> String {
    format!("deliveries {id}")
}

fn position(
    webhooks: &Webhooks,
    binding: Binding<'_>,
    cursor: Option<&str>,
) -> Result<Option<String>, ApiError> {
    let Some(cursor) = cursor else { return Ok(None) };
    let position = cursor::decode(webhooks.edge.secrets(), binding, cursor)?;
    String::from_utf8(position).map(Some).map_err(|_| cursor::foreign())
}
