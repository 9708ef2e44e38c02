//! AI operations on prompts.

pub mod generate;
mod perform;

use axum::extract::FromRef;
use edge::Edge;
use utoipa_axum::{router::OpenApiRouter, routes};
use workflow::Workflow;

/// What the prompt operations need.
#[derive(Clone)]
pub struct Prompts {
    /// Authority, limits and envelope.
    pub edge: Edge,
    /// Starts and runs operations.
    pub workflow: Workflow,
}

impl FromRef<Prompts> for Edge {
    fn from_ref(prompts: &Prompts) -> Edge {
        prompts.edge.clone()
    }
}

impl Prompts {
    /// The operations of this function.
    pub fn router(self) -> OpenApiRouter {
        OpenApiRouter::new().routes(routes!(generate::generate_prompt)).with_state(self)
    }
}
