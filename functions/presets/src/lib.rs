//! Presets: prompts with variables and saved values.

pub mod create;
pub mod delete;
pub mod list;
pub mod patch;
mod preset;
pub mod read;
pub mod render;

use axum::extract::FromRef;
use edge::{
    Edge, routes,
    routes::{Function, Registry},
};

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

impl Function for Presets {
    const TAG: &'static str = "Presets";

    fn operations<R: Registry<Self>>(registry: R) -> R {
        registry
            .add(routes!(list::list_presets, create::create_preset))
            .add(routes!(read::get_preset, patch::update_preset, delete::delete_preset))
            .add(routes!(render::render_preset))
    }
}
