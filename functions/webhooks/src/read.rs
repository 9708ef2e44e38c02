//! `GET /webhook-endpoints/{id}`

use axum::extract::State;
use domain::EndpointId;
use edge::{
    ApiError, Call, Data,
    input::PathId,
    openapi::{Errors, code},
    permission::WebhooksManage,
    response::Envelope,
};

use crate::{Webhooks, endpoint::WebhookEndpoint};

/// Read a webhook endpoint.
#[utoipa::path(
    get, path = "/webhook-endpoints/{id}",
    security(("bearer" = ["webhooks:manage"])),
    params(PathId<EndpointId>),
    responses((status = 200, description = "The endpoint.", body = Envelope<WebhookEndpoint>), Errors<code::NotFound>),
)]
pub async fn get_webhook_endpoint(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, PathId<EndpointId>>,
) -> Result<Data<WebhookEndpoint>, ApiError> {
    let (_, stored) = call.admit_with(|account, PathId(id)| webhooks.find(account, id)).await?;
    Ok(Data::new(WebhookEndpoint::new(stored.endpoint, None)))
}
