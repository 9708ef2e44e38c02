//! Webhook endpoints: receivers of signed events.

mod address;
pub mod create;
pub mod delete;
mod endpoint;
pub mod list;
pub mod patch;
pub mod read;
pub mod test;

use axum::extract::FromRef;
use delivery::{Courier, SealingKey};
use edge::Edge;
use utoipa_axum::{router::OpenApiRouter, routes};

/// What the webhook operations need.
#[derive(Clone)]
pub struct Webhooks {
    /// Authority, limits, envelope and everything durable.
    pub edge: Edge,
    /// Looks at addresses, and posts test deliveries.
    pub courier: Courier,
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

    /// What secrets are sealed with.
    fn sealing_key(&self) -> SealingKey {
        SealingKey::of(self.edge.secrets().sealing_keys())
    }
}
