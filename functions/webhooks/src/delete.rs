//! `DELETE /webhook-endpoints/{id}`

use axum::extract::State;
use domain::EndpointId;
use edge::{
    ApiError, Call, Data,
    input::PathId,
    openapi::NotFound,
    permission::WebhooksManage,
    response::{Deleted, Envelope},
};

use crate::{Webhooks, endpoint::not_found};

/// Delete a webhook endpoint.
///
/// Its outstanding deliveries are dropped.
#[utoipa::path(
    delete, path = "/webhook-endpoints/{id}",
    security(("bearer" = ["webhooks:manage"])),
    params(PathId<EndpointId>),
    responses((status = 200, description = "The endpoint is deleted.", body = Envelope<Deleted>), NotFound),
)]
pub async fn delete_webhook_endpoint(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, PathId<EndpointId>>,
) -> Result<Data<Deleted>, ApiError> {
    let (caller, PathId(id)) = call.admit().await?;
    if webhooks.edge.store().delete_endpoint(caller.account(), id).await? {
        Ok(Data::new(Deleted::of(id)))
    } else {
        Err(not_found())
    }
}
