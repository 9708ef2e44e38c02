//! `DELETE /webhook-endpoints/{id}`

use axum::extract::State;
use domain::EndpointId;
use edge::{
    ApiError, Call, Data,
    input::PathId,
    openapi::{Errors, code},
    permission::WebhooksManage,
    response::Deleted,
    response::Envelope,
};

use crate::{Webhooks, endpoint::not_found};

/// Delete a webhook endpoint.
///
/// Its outstanding deliveries are dropped.
#[utoipa::path(
    delete, path = "/webhook-endpoints/{id}",
    security(("bearer" = ["webhooks:manage"])),
    params(PathId<EndpointId>),
    responses((status = 200, description = "The endpoint is deleted.", body = Envelope<Deleted>), Errors<code::NotFound>),
)]
pub async fn delete_webhook_endpoint(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, PathId<EndpointId>>,
) -> Result<Data<Deleted>, ApiError> {
    let (caller, PathId(id)) = call.admit().await?;
    let existed = webhooks.edge.store().delete_endpoint(caller.account(), id).await?;
    existed.then(|| Data::new(Deleted::of(id))).ok_or_else(not_found)
}
