//! `POST /prompts/analyze`

use axum::extract::State;
use domain::{AccountId, Kind};
use edge::{
    ApiError, Call,
    input::{Body, IdempotencyKey, Prefer},
    openapi::{Accepted, Conflict, ServiceUnavailable},
    permission::PromptsAnalyze,
    response::Envelope,
};
use serde::Deserialize;
use utoipa::ToSchema;
use workflow::{Assignment, Task, Workflow, optimize::AnalyzedPrompt};

use crate::{
    Prompts,
    perform::{Performed, Request},
    prompt::PromptRequest,
};

/// A prompt to analyze.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct AnalyzeRequest(PromptRequest);

impl Request for AnalyzeRequest {
    const KIND: Kind = Kind::AnalyzePrompt;

    async fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        self.0.into_assignment(workflow.store(), account, Task::AnalyzePrompt).await
    }
}

/// Analyze a prompt.
///
/// Costs 1 credit. Every finding has its rule and its exact position. Scores are computed from
/// findings, so the same prompt always has the same scores. The result is saved to history as an
/// optimization.
#[utoipa::path(
    post, path = "/prompts/analyze",
    security(("bearer" = ["prompts:analyze"])),
    params(IdempotencyKey, Prefer),
    request_body = PromptRequest,
    responses(
        (status = 200, description = "The analysis.", body = Envelope<AnalyzedPrompt>),
        Accepted, Conflict, ServiceUnavailable,
    ),
)]
pub async fn analyze_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsAnalyze, (IdempotencyKey, Prefer, Body<AnalyzeRequest>)>,
) -> Result<Performed, ApiError> {
    prompts.perform(call).await
}
