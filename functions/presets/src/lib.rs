//! Presets: prompts with variables and saved values.

pub mod create;
pub mod delete;
pub mod list;
pub mod patch;
mod preset;
pub mod read;
pub mod render;

use axum::extract::FromRef;
use edge::Edge;
use utoipa_axum::{router::OpenApiRouter, routes};

/// What the preset operations need.
#[derive(Clone)]
pub struct Presets {
    /// Authority, limits, envelope and everything durable.
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
        OpenApiRouter::new()
            .routes(routes!(list::list_presets, create::create_preset))
            .routes(routes!(read::get_preset, patch::update_preset, delete::delete_preset))
            .routes(routes!(render::render_preset))
            .with_state(self)
    }
}
