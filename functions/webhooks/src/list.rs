//! `GET /webhook-endpoints`

use axum::extract::State;
use domain::AccountId;
use edge::{ApiError, Call, Data, permission::WebhooksManage, response::Envelope};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{Webhooks, endpoint::WebhookEndpoint};

/// All webhook endpoints of the account, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEndpointList {
    /// The endpoints.
    #[schema(max_items = 10)]
    items: Vec<WebhookEndpoint>,
}

/// List webhook endpoints.
#[utoipa::path(
    get, path = "/webhook-endpoints",
    security(("bearer" = ["webhooks:manage"])),
    responses(
        (status = 200, description = "The endpoints, newest first.", body = Envelope<WebhookEndpointList>),
    ),
)]
pub async fn list_webhook_endpoints(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, ()>,
) -> Result<Data<WebhookEndpointList>, ApiError> {
    let store = webhooks.edge.store();
    let find = |account: AccountId, ()| async move { Ok(store.endpoints(account).await?) };
    let (_, found) = call.admit_with(find).await?;
    let items = found.into_iter().map(|stored| WebhookEndpoint::new(stored.endpoint, None));
    Ok(Data::new(WebhookEndpointList { items: items.collect() }))
}
