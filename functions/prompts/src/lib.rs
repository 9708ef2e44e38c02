//! AI operations on prompts.

pub mod analyze;
pub mod analyze_and_optimize;
mod continuation;
mod fields;
pub mod generate;
pub mod optimize;
mod perform;
mod prompt;
pub mod refine;
pub mod refine_optimized;
pub mod reverse;
pub mod token_estimate;
mod uploads;

use axum::extract::FromRef;
use edge::{Code, Edge, openapi::tagged, router::unavailable_as};
use utoipa_axum::{router::OpenApiRouter, routes};
use workflow::Workflow;

/// State of the prompt operations.
#[derive(Clone)]
pub struct Prompts {
    /// Authentication, limits and envelope.
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
        let routes = OpenApiRouter::new()
            .routes(routes!(generate::generate_prompt))
            .routes(routes!(analyze::analyze_prompt))
            .routes(routes!(optimize::optimize_prompt))
            .routes(routes!(analyze_and_optimize::analyze_and_optimize_prompt))
            .routes(routes!(refine::refine_prompt))
            .routes(routes!(refine_optimized::refine_optimized_prompt))
            .routes(routes!(reverse::reverse_prompt));
        let routes = unavailable_as(Code::ProviderTimeout, routes)
            .routes(routes!(token_estimate::estimate_prompt_tokens))
            .with_state(self);
        tagged("Prompts", routes)
    }
}
