//! `PATCH /webhook-endpoints/{id}`

use axum::extract::State;
use domain::{EndpointId, EventKinds};
use edge::{
    ApiError, Call, Data,
    input::{Body, PathId, nullable},
    openapi::{Errors, code},
    permission::WebhooksManage,
    response::Envelope,
};
use serde::Deserialize;
use store::webhooks::EndpointPatch;
use utoipa::ToSchema;
use webhook_delivery::SigningSecret;

use crate::{
    Webhooks,
    endpoint::{Events, WebhookEndpoint, not_found},
    url::url_error,
};

/// The properties to change; others are kept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateWebhookEndpoint {
    /// New URL: `https` on a public host.
    #[schema(
        nullable = false,
        max_length = 2048,
        format = "uri",
        example = "https://example.com/hooks"
    )]
    url: Option<String>,
    /// New description; null removes it.
    #[serde(default, deserialize_with = "nullable")]
    #[schema(value_type = Option<String>, required = false, max_length = 300)]
    description: Option<Option<String>>,
    /// Kinds of event, which replace all current ones.
    #[schema(nullable = false)]
    events: Option<Events>,
    /// Whether the endpoint receives events. Events that occur while it is disabled are never
    /// delivered.
    #[schema(nullable = false)]
    enabled: Option<bool>,
    /// Whether to create a new signing secret. The current one stops working at once.
    #[schema(nullable = false)]
    rotate_secret: Option<bool>,
}

/// Change a webhook endpoint.
///
/// Properties that the request does not name keep their values. With `rotateSecret`, the response
/// has the new signing secret, which signs every later attempt.
#[utoipa::path(
    patch, path = "/webhook-endpoints/{id}",
    security(("bearer" = ["webhooks:manage"])),
    params(PathId<EndpointId>),
    request_body = UpdateWebhookEndpoint,
    responses(
        (status = 200, description = "The changed endpoint.", body = Envelope<WebhookEndpoint>),
        Errors<(code::UnsafeUrl, code::UrlUnreachable, code::NotFound, code::DnsUnavailable, code::QueueUnavailable)>,
    ),
)]
pub async fn update_webhook_endpoint(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, (PathId<EndpointId>, Body<UpdateWebhookEndpoint>)>,
) -> Result<Data<WebhookEndpoint>, ApiError> {
    let (webhooks, store) = (&webhooks, webhooks.edge.store());
    let find = |account, (PathId(id), body): (PathId<EndpointId>, Body<UpdateWebhookEndpoint>)| async move {
        Ok((webhooks.find(account, id).await?.endpoint.id, body.value))
    };
    let call = call.check(|sent| webhooks.check_url(sent));
    let (caller, (id, body)) = call.admit_with(find).await?;
    let address = match body.url {
        Some(url) => Some(webhooks.sender.address(url).await.map_err(url_error)?),
        None => None,
    };
    let account = caller.account();
    let secret = (body.rotate_secret == Some(true)).then(|| SigningSecret::new(&**store.random()));
    let encrypt =
        |secret| webhooks.encryption_key().encrypt(secret, (account, id), &**store.random());
    let patch = EndpointPatch {
        encrypted_secret: secret.as_ref().map(encrypt),
        address,
        description: body.description,
        events: body.events.map(EventKinds::from),
        enabled: body.enabled,
    };
    let patched = store.patch_endpoint(account, id, &patch).await?.ok_or_else(not_found)?;
    let secret = secret.map(|secret| secret.text());
    Ok(Data::new(WebhookEndpoint::new(patched.endpoint, secret)))
}
