//! `POST /prompts/refine`

use axum::extract::State;
use domain::{AccountId, HistoryId, Kind, RefinementId, UploadScope};
use edge::{
    ApiError, Call, Sent,
    input::{Body, IdempotencyKey, Prefer},
    openapi::{Deferrable, code},
    permission::PromptsRefine,
    response::Envelope,
};
use engine::TargetModel;
use serde::Deserialize;
use utoipa::ToSchema;
use workflow::{Assignment, Task, Workflow, refine::RefinedPrompt, task::RefineTask};

use crate::{
    Prompts, continuation,
    fields::{AttachmentIds, Language},
    perform::{Performed, Request},
};

/// The scopes of uploads that a refinement accepts.
pub(crate) const SCOPES: [UploadScope; 2] = [UploadScope::Refinement, UploadScope::Feedback];

/// A prompt and the requested changes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RefineRequest {
    /// The prompt.
    #[schema(
        min_length = 1,
        max_length = 50000,
        example = "Write a product description for {{product}}."
    )]
    prompt: String,
    /// The requested changes, in any number of sentences or list items.
    #[schema(
        min_length = 1,
        max_length = 10000,
        example = "At most 120 words, for parents, and end with a question"
    )]
    feedback: String,
    /// A standalone refinement in your history to continue; without it a new one is created.
    refinement_id: Option<String>,
    /// Language in which the result describes the prompt; the prompt keeps its own language.
    #[serde(default)]
    language: Language,
    /// Completed uploads of the scopes `refinement` or `feedback` to take into account.
    #[serde(default)]
    attachment_ids: AttachmentIds,
    /// Model that the prompt is for: a name from `GET /models`.
    #[serde(default)]
    #[schema(default = "Universal")]
    target_model: TargetModel,
}

impl Request for RefineRequest {
    const KIND: Kind = Kind::RefinePrompt;

    fn check(_: &Workflow, sent: &Sent) -> Vec<ApiError> {
        continuation::check::<RefinementId>(
            &sent.content,
            &["/prompt", "/feedback"],
            "/refinementId",
        )
    }

    async fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        let named = (self.refinement_id.as_deref(), "/refinementId");
        let attached = (&self.attachment_ids, &SCOPES[..]);
        let found =
            continuation::find(named, HistoryId::Refinement, attached, workflow.store(), account);
        let (refinement_id, attachments) = found.await?;
        let task = Task::RefinePrompt(RefineTask {
            prompt: self.prompt,
            feedback: self.feedback,
            refinement_id,
            language: self.language.tag(),
            target_model: self.target_model,
        });
        Ok(Assignment::from(task).with_attachments(attachments))
    }
}

/// Refine a prompt.
///
/// Costs 1 credit. The result reports on every item of the feedback. It is saved to history as a
/// standalone refinement, or added to the one in `refinementId`.
#[utoipa::path(
    post, path = "/prompts/refine",
    security(("bearer" = ["prompts:refine"])),
    params(IdempotencyKey, Prefer),
    request_body = RefineRequest,
    responses((status = 200, description = "The refined prompt.", body = Envelope<RefinedPrompt>), Deferrable<code::SourceConflict>),
)]
pub async fn refine_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsRefine, (IdempotencyKey, Prefer, Body<RefineRequest>)>,
) -> Result<Performed, ApiError> {
    prompts.perform(call).await
}
