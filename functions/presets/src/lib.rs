//! Presets: prompts with variables and saved values.

pub mod create;
pub mod delete;
pub mod list;
pub mod patch;
mod preset;
pub mod read;
pub mod render;

use axum::extract::FromRef;
use edge::{Edge, openapi::tagged};
use utoipa_axum::{router::OpenApiRouter, routes};

/// State of the preset operations.
#[derive(Clone)]
pub struct Presets {
    /// Authentication, limits, envelope and the store.
    pub edge: Edge,
}

impl FromRef<Presets> for Edge {
    fn from_ref(presets: &Presets) -> Edge {
        presets.edge.clone()
    }
}

impl Presets {
    /// The operations of this function.
    pub fn router(self) -> OpenApiRouter {
        let routes = OpenApiRouter::new()
            .routes(routes!(list::list_presets, create::create_preset))
            .routes(routes!(read::get_preset, patch::update_preset, delete::delete_preset))
            .routes(routes!(render::render_preset))
            .with_state(self);
        tagged("Presets", routes)
    }
}
