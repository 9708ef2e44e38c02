//! Webhook endpoints: receivers of signed events.

pub mod create;
pub mod delete;
pub mod deliveries;
mod endpoint;
mod events;
pub mod list;
pub mod patch;
pub mod read;
pub mod recover;
pub mod test;
mod url;

use axum::extract::FromRef;
use edge::{Code, Edge, openapi::tagged, router::unavailable_as};
use utoipa_axum::{router::OpenApiRouter, routes};
use webhook_delivery::{EncryptionKey, WebhookSender};

/// State of the webhook operations.
#[derive(Clone)]
pub struct Webhooks {
    /// Admission, limits, envelope and storage.
    pub edge: Edge,
    /// Checks URLs and sends test deliveries.
    pub sender: WebhookSender,
}

impl FromRef<Webhooks> for Edge {
    fn from_ref(webhooks: &Webhooks) -> Edge {
        webhooks.edge.clone()
    }
}

impl Webhooks {
    /// The operations of this function.
    pub fn router(self) -> OpenApiRouter {
        let routes = OpenApiRouter::new()
            .routes(routes!(create::create_webhook_endpoint))
            .routes(routes!(test::test_webhook_endpoint, patch::update_webhook_endpoint));
        let routes = unavailable_as(Code::QueueUnavailable, routes)
            .routes(routes!(list::list_webhook_endpoints))
            .routes(routes!(read::get_webhook_endpoint, delete::delete_webhook_endpoint));
        let extensions = OpenApiRouter::new().routes(routes!(recover::recover_webhook_endpoint));
        let extensions = unavailable_as(Code::QueueUnavailable, extensions)
            .routes(routes!(deliveries::list_webhook_deliveries));
        let mut routes =
            tagged("Webhooks", routes).merge(tagged("Extensions", extensions)).with_state(self);
        events::describe(routes.get_openapi_mut());
        routes
    }

    /// The key that encrypts signing secrets.
    fn encryption_key(&self) -> EncryptionKey {
        EncryptionKey::of(self.edge.secrets().encryption_keys())
    }
}
