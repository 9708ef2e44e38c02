//! `POST /prompts/optimize`

use axum::extract::State;
use domain::Kind;
use edge::input::{Body, IdempotencyKey, Prefer};
use edge::{
    ApiError, Call,
    openapi::{Deferrable, code},
    permission::PromptsOptimize,
    response::Envelope,
};
use workflow::{Task, optimize::OptimizedPrompt};

use crate::{Prompts, perform::Performed, prompt::PromptRequest};

/// Optimize a prompt.
///
/// Costs 1 credit. Returns one or two optimized versions, each with its changes and proof that
/// nothing was lost. The result is saved to history as an optimization, whose versions can be
/// refined.
#[utoipa::path(
    post, path = "/prompts/optimize",
    security(("bearer" = ["prompts:optimize"])),
    params(IdempotencyKey, Prefer),
    request_body = PromptRequest,
    responses((status = 200, description = "The optimized versions.", body = Envelope<OptimizedPrompt>), Deferrable<code::SourceConflict>),
)]
pub async fn optimize_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsOptimize, (IdempotencyKey, Prefer, Body<PromptRequest>)>,
) -> Result<Performed, ApiError> {
    prompts.perform_on_prompt(call, Kind::OptimizePrompt, Task::OptimizePrompt).await
}
