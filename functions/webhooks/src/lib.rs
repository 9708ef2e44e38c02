//! Webhook endpoints: receivers of signed events.

pub mod create;
pub mod delete;
mod endpoint;
pub mod list;
pub mod patch;
pub mod read;
pub mod test;
mod url;

use axum::extract::FromRef;
use edge::Edge;
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
        OpenApiRouter::new()
            .routes(routes!(list::list_endpoints, create::create_endpoint))
            .routes(routes!(
                read::get_endpoint,
                test::test_endpoint,
                patch::update_endpoint,
                delete::delete_endpoint
            ))
            .with_state(self)
    }

    /// The key that encrypts signing secrets.
    fn encryption_key(&self) -> EncryptionKey {
        EncryptionKey::of(self.edge.secrets().encryption_keys())
    }
}
