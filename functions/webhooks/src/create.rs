//! `POST /webhook-endpoints`

use axum::extract::State;
use delivery::SigningSecret;
use domain::{AccountId, Endpoint, EndpointId};
use edge::{
    Call, Code, Data, Failure,
    input::Body,
    openapi::{Conflicting, Dependent, Refused},
    permission::WebhooksManage,
    reply::Envelope,
};
use serde::Deserialize;
use store::webhooks::{Created, StoredEndpoint};
use utoipa::ToSchema;

use crate::{
    Webhooks,
    address::refused,
    endpoint::{Events, WebhookEndpoint, answer},
};

/// A receiver of events.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateWebhookEndpoint {
    /// Where to post events: `https` on a public host.
    #[schema(max_length = 2048, format = "uri", example = "https://example.com/hooks")]
    url: String,
    /// What you say about it.
    #[schema(nullable = false, max_length = 300)]
    description: Option<String>,
    /// What it is to be told of.
    events: Events,
}

impl Webhooks {
    fn new_endpoint(
        &self,
        account: AccountId,
        body: CreateWebhookEndpoint,
        secret: &SigningSecret,
    ) -> StoredEndpoint {
        let random = &**self.edge.store().random();
        let id = EndpointId::new(self.edge.clock(), random);
        StoredEndpoint {
            account,
            sealed_secret: self.sealing_key().seal(secret, (account, id), random),
            endpoint: Endpoint {
                id,
                url: body.url,
                description: body.description,
                events: body.events.into(),
                enabled: true,
                disabled_reason: None,
                last_delivery: None,
                updated_at: id.created_at(),
            },
            revision: 1,
            failing_since: None,
            places: Vec::new(),
        }
    }
}

/// Create a webhook endpoint.
///
/// Its signing secret is in the answer, and in no other one. An account has ten endpoints at most.
#[utoipa::path(
    post,
    path = "/webhook-endpoints",
    operation_id = "createWebhookEndpoint",
    tag = "Webhooks",
    security(("bearer" = ["webhooks:manage"])),
    request_body = CreateWebhookEndpoint,
    responses(
        (status = 200, description = "The endpoint with its secret.", body = Envelope<WebhookEndpoint>),
        Refused, Conflicting, Dependent,
    ),
)]
pub async fn create_endpoint(
    State(webhooks): State<Webhooks>,
    call: Call<WebhooksManage, Body<CreateWebhookEndpoint>>,
) -> Result<Data<WebhookEndpoint>, Failure> {
    let (caller, body) = call.admit().await?;
    webhooks.courier.check(&body.value.url).await.map_err(refused)?;
    let store = webhooks.edge.store();
    let secret = SigningSecret::new(&**store.random());
    let new = webhooks.new_endpoint(caller.account(), body.value, &secret);
    match store.create_endpoint(&new).await? {
        Created::Done => Ok(answer(new.endpoint, Some(secret.text()))),
        Created::LimitReached => Err(Failure::new(Code::EndpointLimitReached)),
    }
}
