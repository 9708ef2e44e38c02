//! The service itself: its information, health, capabilities and the account's usage.

pub mod capabilities;
pub mod docs;
pub mod health;
pub mod info;
pub mod models;
pub mod openapi;
mod page;
pub mod usage;
pub mod workbench;

use axum::{extract::FromRef, routing::get};
use domain::prices::Prices;
use edge::{
    Edge, routes,
    routes::{Function, Registry},
};
use engine::EngineIdentity;

/// State of the system operations.
#[derive(Clone)]
pub struct System {
    /// Admission, limits, envelope and storage.
    pub edge: Edge,
    /// The engine of AI operations.
    pub engine: EngineIdentity,
    /// Prices of language models; a model without one has no cost.
    pub prices: Prices,
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
    pub fn new(edge: Edge, engine: EngineIdentity, prices: Prices) -> Self {
        let documentation = docs::url(&edge);
        Self { edge, engine, prices, documentation }
    }
}

impl Function for System {
    const TAG: &'static str = "System";

    fn operations<R: Registry<Self>>(registry: R) -> R {
        registry
            .add(routes!(info::get_api_info))
            .add(routes!(health::get_health))
            .add(routes!(capabilities::get_capabilities))
            .add(routes!(models::list_models))
            .add(routes!(usage::get_usage))
            // The document describes neither itself nor pages.
            .undescribed(docs::router().route("/openapi.json", get(openapi::document)))
            .undescribed(workbench::router())
    }
}
