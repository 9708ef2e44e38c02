//! AI operations on prompts.

pub mod analyze;
pub mod analyze_and_optimize;
pub mod checks;
mod continuation;
mod fields;
pub mod generate;
pub mod optimize;
mod perform;
mod prompt;
pub mod refine;
pub mod refine_optimized;
pub mod reverse;
pub mod run_checks;
pub mod token_estimate;
mod uploads;

use axum::extract::FromRef;
use edge::{
    Code, Edge, routes,
    routes::{EXTENSIONS, Function, Registry},
};
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

impl Function for Prompts {
    const TAG: &'static str = "Prompts";

    fn operations<R: Registry<Self>>(registry: R) -> R {
        let unavailable = Code::ProviderTimeout;
        registry
            .add(routes!(generate::generate_prompt).unavailable_as(unavailable))
            .add(routes!(analyze::analyze_prompt).unavailable_as(unavailable))
            .add(routes!(optimize::optimize_prompt).unavailable_as(unavailable))
            .add(
                routes!(analyze_and_optimize::analyze_and_optimize_prompt)
                    .unavailable_as(unavailable),
            )
            .add(routes!(refine::refine_prompt).unavailable_as(unavailable))
            .add(routes!(refine_optimized::refine_optimized_prompt).unavailable_as(unavailable))
            .add(routes!(reverse::reverse_prompt).unavailable_as(unavailable))
            .add(routes!(token_estimate::estimate_prompt_tokens))
            .add(routes!(checks::read_prompt_checks).tagged(EXTENSIONS))
            .add(routes!(run_checks::run_prompt_checks).tagged(EXTENSIONS))
    }
}
