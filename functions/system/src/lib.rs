//! The service itself: its information, health, capabilities and the account's usage.

pub mod capabilities;
pub mod docs;
pub mod health;
pub mod info;
pub mod models;
pub mod openapi;
pub mod usage;

use axum::{extract::FromRef, routing::get};
use edge::{Edge, openapi::tagged};
use engine::EngineIdentity;
use utoipa_axum::{router::OpenApiRouter, routes};

/// State of the system operations.
#[derive(Clone)]
pub struct System {
    /// Admission, limits, envelope and storage.
    pub edge: Edge,
    /// The engine of AI operations.
    pub engine: EngineIdentity,
    /// URL of the documentation.
    pub documentation: String,
}

impl FromRef<System> for Edge {
    fn from_ref(system: &System) -> Edge {
        system.edge.clone()
    }
}

impl System {
    /// Uses its own page as the documentation.
    pub fn new(edge: Edge, engine: EngineIdentity) -> Self {
        let documentation = docs::url(&edge);
        Self { edge, engine, documentation }
    }

    /// The operations of this function.
    pub fn router(self) -> OpenApiRouter {
        let routes = OpenApiRouter::new()
            .routes(routes!(info::get_api_info))
            .routes(routes!(health::get_health))
            .routes(routes!(capabilities::get_capabilities))
            .routes(routes!(models::list_models))
            .routes(routes!(usage::get_usage))
            .with_state(self)
            // The document describes neither itself nor its page.
            .merge(docs::router().route("/openapi.json", get(openapi::document)).into());
        tagged("System", routes)
    }
}
