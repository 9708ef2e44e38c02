//! `POST /prompts/optimize`

use axum::extract::State;
use domain::{AccountId, Kind};
use edge::{
    ApiError, Call,
    input::{Body, IdempotencyKey, Prefer},
    openapi::{Accepted, Conflict, ServiceUnavailable},
    permission::PromptsOptimize,
    response::Envelope,
};
use serde::Deserialize;
use utoipa::ToSchema;
use workflow::{Assignment, Task, Workflow, optimize::OptimizedPrompt};

use crate::{
    Prompts,
    perform::{Performed, Request},
    prompt::PromptRequest,
};

/// A prompt to optimize.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct OptimizeRequest(PromptRequest);

impl Request for OptimizeRequest {
    const KIND: Kind = Kind::OptimizePrompt;

    async fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        self.0.into_assignment(workflow.store(), account, Task::OptimizePrompt).await
    }
}

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
    responses(
        (status = 200, description = "The optimized versions.", body = Envelope<OptimizedPrompt>),
        Accepted, Conflict, ServiceUnavailable,
    ),
)]
pub async fn optimize_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsOptimize, (IdempotencyKey, Prefer, Body<OptimizeRequest>)>,
) -> Result<Performed, ApiError> {
    prompts.perform(call).await
}
