//! `POST /prompts/analyze`

use axum::extract::State;
use domain::Kind;
use edge::input::{Body, IdempotencyKey, Prefer};
use edge::{
    ApiError, Call,
    openapi::{Deferrable, code},
    permission::PromptsAnalyze,
    response::Envelope,
};
use workflow::{Task, optimize::AnalyzedPrompt};

use crate::{Prompts, perform::Performed, prompt::PromptRequest};

/// Analyze a prompt.
///
/// Costs 1 credit. Every finding has its rule and its exact position. Scores are computed from
/// findings, so the same prompt always has the same scores. Constraints are what answers to the prompt can
/// be checked against. The result is saved to history as an optimization.
#[utoipa::path(
    post, path = "/prompts/analyze",
    security(("bearer" = ["prompts:analyze"])),
    params(IdempotencyKey, Prefer),
    request_body = PromptRequest,
    responses((status = 200, description = "The analysis.", body = Envelope<AnalyzedPrompt>), Deferrable<code::SourceConflict>),
)]
pub async fn analyze_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsAnalyze, (IdempotencyKey, Prefer, Body<PromptRequest>)>,
) -> Result<Performed, ApiError> {
    prompts.perform_on_prompt(call, Kind::AnalyzePrompt, Task::AnalyzePrompt).await
}
