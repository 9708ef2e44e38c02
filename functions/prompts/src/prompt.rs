//! The request that analyzing, optimizing and both together share.

use domain::{AccountId, HistoryId, Kind, OptimizationId, UploadScope};
use edge::{
    ApiError, Call, Sent,
    input::{Body, IdempotencyKey, Prefer},
    permission::Permission,
};
use engine::TargetModel;
use serde::Deserialize;
use store::Store;
use utoipa::ToSchema;
use workflow::{Assignment, Task, task::PromptTask};

use crate::{
    Prompts, continuation,
    fields::{AttachmentIds, Language},
    perform::Performed,
};

/// A prompt to work on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromptRequest {
    /// An optimization in your history to add the result to; without it a new one is created.
    prompt_id: Option<String>,
    /// The prompt.
    #[schema(
        min_length = 1,
        max_length = 50000,
        example = "Write something about our new running shoes, make it good and not too long."
    )]
    prompt: String,
    /// Language in which the result describes the prompt; the prompt keeps its own language.
    #[serde(default)]
    language: Language,
    /// What the prompt is used for, by whom, and what its answers must be like.
    #[serde(default)]
    #[schema(max_length = 20000, default = "")]
    context: String,
    /// Completed uploads of the scope `analysis` to take into account.
    #[serde(default)]
    attachment_ids: AttachmentIds,
    /// Model that the prompt is for: a name from `GET /models`.
    #[serde(default)]
    #[schema(default = "Universal")]
    target_model: TargetModel,
    /// Number of optimized versions: with 2, a conservative and a restructured one. Ignored when
    /// only analyzing.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 2, default = 1)]
    variation_count: u8,
}

fn one() -> u8 {
    1
}

impl Prompts {
    /// Performs an operation on the prompt of the request.
    pub(crate) async fn perform_on_prompt<S: Permission>(
        &self,
        call: Call<S, (IdempotencyKey, Prefer, Body<PromptRequest>)>,
        kind: Kind,
        as_task: fn(PromptTask) -> Task,
    ) -> Result<Performed, ApiError> {
        let store = self.workflow.store();
        let check = |sent: &Sent| {
            continuation::check::<OptimizationId>(&sent.content, &["/prompt"], "/promptId")
        };
        let into_task =
            |request: PromptRequest, account| request.into_assignment(store, account, as_task);
        self.perform_as(call, kind, check, into_task).await
    }
}

impl PromptRequest {
    async fn into_assignment(
        self,
        store: &Store,
        account: AccountId,
        as_task: impl FnOnce(PromptTask) -> Task,
    ) -> Result<Assignment, ApiError> {
        let named = (self.prompt_id.as_deref(), "/promptId");
        let attached = (&self.attachment_ids, &[UploadScope::Analysis][..]);
        let found = continuation::find(named, HistoryId::Optimization, attached, store, account);
        let (prompt_id, attachments) = found.await?;
        let task = as_task(PromptTask {
            prompt_id,
            prompt: self.prompt,
            context: self.context,
            language: self.language.tag(),
            target_model: self.target_model,
            variation_count: self.variation_count,
        });
        Ok(Assignment::from(task).with_attachments(attachments))
    }
}
