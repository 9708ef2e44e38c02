//! `POST /prompts/analyze-and-optimize`

use axum::extract::State;
use domain::{AccountId, Kind};
use edge::{
    ApiError, Call,
    input::{Body, IdempotencyKey, Prefer},
    openapi::{Accepted, Conflict, ServiceUnavailable},
    permission::{PromptsAnalyze, PromptsOptimize},
    response::Envelope,
};
use serde::Deserialize;
use utoipa::ToSchema;
use workflow::{Assignment, Task, Workflow, optimize::AnalyzedAndOptimizedPrompt};

use crate::{
    Prompts,
    perform::{Performed, Request},
    prompt::PromptRequest,
};

/// A prompt to analyze and to optimize.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct AnalyzeAndOptimizeRequest(PromptRequest);

impl Request for AnalyzeAndOptimizeRequest {
    const KIND: Kind = Kind::AnalyzeAndOptimizePrompt;

    async fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        self.0.into_assignment(workflow.store(), account, Task::AnalyzeAndOptimizePrompt).await
    }
}

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
        Accepted, Conflict, ServiceUnavailable,
    ),
)]
pub async fn analyze_and_optimize_prompt(
    State(prompts): State<Prompts>,
    call: Call<
        (PromptsAnalyze, PromptsOptimize),
        (IdempotencyKey, Prefer, Body<AnalyzeAndOptimizeRequest>),
    >,
) -> Result<Performed, ApiError> {
    prompts.perform(call).await
}
