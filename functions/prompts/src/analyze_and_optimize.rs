//! `POST /prompts/analyze-and-optimize`

use axum::extract::State;
use domain::Kind;
use edge::input::{Body, IdempotencyKey, Prefer};
use edge::{
    ApiError, Call,
    openapi::{Deferrable, code},
    permission::{PromptsAnalyze, PromptsOptimize},
    response::Envelope,
};
use workflow::{Task, optimize::AnalyzedAndOptimizedPrompt};

use crate::{Prompts, perform::Performed, prompt::PromptRequest};

/// Analyze and optimize a prompt.
///
/// Costs 2 credits. The versions resolve findings: the result lists which are resolved and which
/// are open. It is saved to history as an optimization, whose versions can be refined.
#[utoipa::path(
    post, path = "/prompts/analyze-and-optimize",
    security(("bearer" = ["prompts:analyze", "prompts:optimize"])),
    params(IdempotencyKey, Prefer),
    request_body = PromptRequest,
    responses(
        (status = 200, description = "The analysis and the optimized versions.", body = Envelope<AnalyzedAndOptimizedPrompt>),
        Deferrable<code::SourceConflict>,
    ),
)]
pub async fn analyze_and_optimize_prompt(
    State(prompts): State<Prompts>,
    call: Call<(PromptsAnalyze, PromptsOptimize), (IdempotencyKey, Prefer, Body<PromptRequest>)>,
) -> Result<Performed, ApiError> {
    prompts
        .perform_on_prompt(call, Kind::AnalyzeAndOptimizePrompt, Task::AnalyzeAndOptimizePrompt)
        .await
}
