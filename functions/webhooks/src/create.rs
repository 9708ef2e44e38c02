//! `POST /webhook-endpoints`

use axum::extract::State;
use domain::{AccountId, Endpoint, EndpointId};
use edge::{
    ApiError, Call, Code, Data,
    input::Body,
    openapi::{Errors, code},
    permission::WebhooksManage,
    response::Envelope,
};
use serde::Deserialize;
use store::webhooks::{Address, Created, StoredEndpoint};
use utoipa::ToSchema;
use webhook_delivery::SigningSecret;

use crate::{
    Webhooks,
    endpoint::{Events, WebhookEndpoint},
    url::url_error,
};

/// A new webhook endpoint.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateWebhookEndpoint {
    /// URL that events are posted to: `https` on a public host.
    #[schema(max_length = 2048, format = "uri", example = "https://example.com/hooks")]
    url: String,
    /// Your description of the endpoint.
    #[schema(max_length = 300)]
    description: Option<String>,
    /// Kinds of event that the endpoint subscribes to.
    events: Events,
}

impl Webhooks {
    fn new_endpoint(
        &self,
        account: AccountId,
        (address, body): (Address, CreateWebhookEndpoint),
        secret: &SigningSecret,
    ) -> StoredEndpoint {
        let random = &**self.edge.store().random();
        let id = EndpointId::new(self.edge.clock(), random);
        let endpoint = Endpoint {
            id,
            url: address.url,
            description: body.description,
            events: body.events.into(),
            enabled: true,
            disabled_reason: None,
            last_delivery: None,
            updated_at: id.created_at(),
        };
        let encrypted = self.encryption_key().encrypt(secret, (account, id), random);
        StoredEndpoint::new(account, endpoint, encrypted, Some(address.host))
    }
}

/// Create a webhook endpoint.
///
/// Only this response has its signing secret. An account can have ten endpoints.
#[utoipa::path(
    post, path = "/webhook-endpoints",
    security(("bearer" = ["webhooks:manage"])),
    request_body = CreateWebhookEndpoint,
    responses(
        (status = 200, description = "The endpoint with its signing secret.", body = Envelope<WebhookEndpoint>),
        Errors<(code::UnsafeUrl, code::UrlUnreachable, code::EndpointLimitReached, code::DnsUnavailable, code::QueueUnavailable)>,
    ),
)]
pub async fn create_webhook_endpoint(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, Body<CreateWebhookEndpoint>>,
) -> Result<Data<WebhookEndpoint>, ApiError> {
    let call = call.check(|sent| webhooks.check_url(sent));
    let (caller, body) = call.admit().await?;
    let mut body = body.value;
    let url = std::mem::take(&mut body.url);
    let address = webhooks.sender.address(url).await.map_err(url_error)?;
    let store = webhooks.edge.store();
    let secret = SigningSecret::new(&**store.random());
    let new = webhooks.new_endpoint(caller.account(), (address, body), &secret);
    match store.create_endpoint(&new).await? {
        Created::Done => Ok(Data::new(WebhookEndpoint::new(new.endpoint, Some(secret.text())))),
        Created::LimitReached => Err(ApiError::new(Code::EndpointLimitReached)),
    }
}
