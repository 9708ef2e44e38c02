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
use edge::{
    Code, Edge, routes,
    routes::{EXTENSIONS, Function, Registry},
};
use utoipa::openapi::OpenApi;
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

impl Function for Webhooks {
    const TAG: &'static str = "Webhooks";

    fn operations<R: Registry<Self>>(registry: R) -> R {
        let unavailable = Code::QueueUnavailable;
        registry
            .add(routes!(list::list_webhook_endpoints))
            .add(routes!(create::create_webhook_endpoint).unavailable_as(unavailable))
            .add(routes!(read::get_webhook_endpoint, delete::delete_webhook_endpoint))
            .add(routes!(patch::update_webhook_endpoint).unavailable_as(unavailable))
            .add(routes!(test::test_webhook_endpoint).unavailable_as(unavailable))
            .add(routes!(deliveries::list_webhook_deliveries).tagged(EXTENSIONS))
            .add(
                routes!(recover::recover_webhook_endpoint)
                    .tagged(EXTENSIONS)
                    .unavailable_as(unavailable),
            )
    }

    fn describe_others(document: &mut OpenApi) {
        events::describe(document);
    }
}

impl Webhooks {
    /// The key that encrypts signing secrets.
    fn encryption_key(&self) -> EncryptionKey {
        EncryptionKey::of(self.edge.secrets().encryption_keys())
    }
}
