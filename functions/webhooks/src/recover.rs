//! `POST /webhook-endpoints/{id}/recover`

use std::time::Duration;

use axum::extract::State;
use domain::{EndpointId, Timestamp, webhook::LIFETIME};
use edge::{
    ApiError, Call, Code, Data,
    input::{Body, PathId},
    openapi::{Errors, code},
    permission::WebhooksManage,
    response::Envelope,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use webhook_delivery::recovery::{Recovered, recover};

use crate::Webhooks;

/// How much longer ago than a week an instant may be, so that a caller can name the instant a week
/// ago. Nothing of that time is left.
const GRACE: Duration = Duration::from_secs(60);

/// Which failed deliveries to send again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoverWebhookEndpoint {
    /// Events that happened at or after this instant, at most seven days ago: RFC 3339, with any
    /// offset.
    #[schema(max_length = 64, format = "date-time", example = "2026-03-01T09:30:00Z")]
    since: String,
}

/// What is sent again.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookRecovery {
    /// How many deliveries were queued.
    #[schema(maximum = 100)]
    queued: u32,
    /// Whether more deliveries have failed since then: repeat the request. If none was queued, repeat it after a second.
    has_more: bool,
}

/// The instant in a request.
fn since(text: &str, now: Timestamp) -> Result<Timestamp, ApiError> {
    let refused = |message| ApiError::problem(Code::InvalidRequest, "/since", message);
    let since: Timestamp =
        text.parse().map_err(|_| refused("must be a date and time of RFC 3339"))?;
    if now.since(since) > LIFETIME + GRACE {
        return Err(refused("must be at most seven days ago"));
    }
    Ok(since)
}

/// Send failed deliveries again.
///
/// Queues the deliveries that were given up, those of the oldest events first, at most 100 in a
/// request. Each has the identifiers and the body that it had, whatever the endpoint subscribes to by
/// now, and a new schedule of retries. At most five a second go to a host, and one at a time to an
/// endpoint that has accepted none yet. A disabled endpoint is 409 `endpoint_disabled`.
#[utoipa::path(
    post, path = "/webhook-endpoints/{id}/recover",
    security(("bearer" = ["webhooks:manage"])),
    params(PathId<EndpointId>),
    request_body = RecoverWebhookEndpoint,
    responses(
        (status = 200, description = "How many deliveries were queued.", body = Envelope<WebhookRecovery>),
        Errors<(code::NotFound, code::EndpointDisabled, code::QueueUnavailable)>,
    ),
)]
pub async fn recover_webhook_endpoint(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, (PathId<EndpointId>, Body<RecoverWebhookEndpoint>)>,
) -> Result<Data<WebhookRecovery>, ApiError> {
    let webhooks = &webhooks;
    let find = |account, (PathId(id), body): (_, Body<RecoverWebhookEndpoint>)| async move {
        let since = since(&body.value.since, webhooks.edge.clock().now())?;
        let stored = webhooks.find(account, id).await?;
        match stored.endpoint.enabled {
            true => Ok((stored, since)),
            false => Err(ApiError::new(Code::EndpointDisabled)),
        }
    };
    let call = call
        .check(|sent| since(sent.content["since"].as_str()?, webhooks.edge.clock().now()).err());
    let (_, (stored, since)) = call.admit_with(find).await?;
    let Recovered { queued, has_more } = recover(webhooks.edge.store(), &stored, since).await?;
    Ok(Data::new(WebhookRecovery { queued, has_more }))
}
