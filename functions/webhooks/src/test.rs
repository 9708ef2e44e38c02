//! `POST /webhook-endpoints/{id}`

use axum::extract::State;
use domain::{DeliveryId, EndpointId, EventId, Timestamp, webhook::HOST_DELIVERIES_PER_SECOND};
use edge::{
    ApiError, Call, Code, Data,
    input::PathId,
    openapi::{Errors, code},
    permission::WebhooksManage,
    response::Envelope,
};
use outbound::{FetchError, Unreachable};
use serde::Serialize;
use store::webhooks::HostBudget;
use utoipa::ToSchema;
use webhook_delivery::events;

use crate::Webhooks;

/// Result of a test delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestDelivery {
    /// Identifier of the event.
    event_id: EventId,
    /// Identifier of the delivery, as in its headers.
    delivery_id: DeliveryId,
    /// Whether the receiver accepted the event.
    delivered: bool,
    /// Status of the receiver's response; null if there was none.
    #[schema(required = true)]
    response_status: Option<u16>,
    /// Duration of the attempt in milliseconds.
    duration_ms: u64,
    /// Why it was not delivered; null if it was.
    #[schema(required = true, example = "the host answered with status 500")]
    error: Option<String>,
}

/// Send a test delivery.
///
/// Posts a `webhook.test` event at once, even if the endpoint does not subscribe to it or is
/// disabled. It is not retried. If the receiver accepts it, other deliveries need no longer wait
/// for the first one that it accepts.
#[utoipa::path(
    post, path = "/webhook-endpoints/{id}",
    security(("bearer" = ["webhooks:manage"])),
    params(PathId<EndpointId>),
    responses(
        (status = 200, description = "The result of the delivery.", body = Envelope<TestDelivery>),
        Errors<(code::NotFound, code::DnsUnavailable, code::QueueUnavailable)>,
    ),
)]
pub async fn test_webhook_endpoint(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, PathId<EndpointId>>,
) -> Result<Data<TestDelivery>, ApiError> {
    let (_, stored) = call.admit_with(|account, PathId(id)| webhooks.find(account, id)).await?;
    let (store, id) = (webhooks.edge.store(), stored.endpoint.id);
    if let Some(host) = stored.host
        && !store.count_delivery_to_host(stored.account, host, HostBudget::Endpoints).await?
    {
        let next = Timestamp::from_millis((store.clock().now().seconds() + 1) * 1_000);
        let message = format!(
            "At most {HOST_DELIVERIES_PER_SECOND} deliveries a second go to a host; the next second begins at {next}."
        );
        return Err(ApiError::new(Code::RateLimited).with_message(message).with_retry_after(1));
    }
    let secret = webhooks
        .encryption_key()
        .decrypt_and_re_encrypt(store, &stored)
        .await
        .map_err(|error| ApiError::new(Code::InternalError).caused_by(error))?;
    let clock = store.clock();
    let began = clock.now();
    let event = events::of_test(EventId::new(&**clock, &**store.random()), id, began);
    let delivery_id = DeliveryId::of(event.id, id);
    let answered = webhooks.sender.post(&stored.endpoint.url, &secret, delivery_id, &event).await;
    let duration_ms = u64::try_from(clock.now().since(began).as_millis()).unwrap_or(u64::MAX);
    let (response_status, error) = match answered {
        Ok(status) => {
            if let Err(error) = store.record_proof(&stored).await {
                tracing::warn!(endpoint = %id, %error, "a proof was not recorded");
            }
            (Some(status), None)
        }
        Err(failure) if failure.reason == FetchError::Unreachable(Unreachable::Resolver) => {
            return Err(ApiError::new(Code::DnsUnavailable).caused_by(failure.reason));
        }
        Err(failure) => (failure.status, Some(failure.reason.to_string())),
    };
    Ok(Data::new(TestDelivery {
        event_id: event.id,
        delivery_id,
        delivered: error.is_none(),
        response_status,
        duration_ms,
        error,
    }))
}
