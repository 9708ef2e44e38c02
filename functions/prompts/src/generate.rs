//! `POST /prompts/generate`

use axum::extract::State;
use domain::{AccountId, GenerationId, HistoryId, Kind, UploadScope};
use edge::{
    ApiError, Call, Sent,
    input::{Body, IdempotencyKey, Prefer},
    openapi::{Deferrable, code},
    permission::PromptsGenerate,
    response::Envelope,
};
use engine::{Mode, OutputMode, TargetModel, Turn};
use serde::Deserialize;
use utoipa::ToSchema;
use workflow::{Assignment, Task, Workflow, generate::GeneratedPrompt, task::GenerateTask};

use crate::{
    Prompts, continuation,
    fields::{AttachmentIds, Language},
    perform::{Performed, Request},
};

/// A goal to generate a prompt for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateRequest {
    /// Goal or instruction.
    #[schema(
        min_length = 1,
        max_length = 6000,
        example = "Write a cold email that offers our payroll software to dental clinics"
    )]
    message: String,
    /// Kind of work; `auto` chooses by the goal and the target model.
    #[serde(default)]
    #[schema(default = "auto")]
    mode: Mode,
    /// `ready_to_use` fills in concrete details; `reusable` keeps useful `{{variables}}`.
    #[serde(default)]
    #[schema(default = "ready_to_use")]
    output_mode: OutputMode,
    /// Model that the prompt is for: a name from `GET /models`.
    #[serde(default)]
    #[schema(default = "Universal")]
    target_model: TargetModel,
    /// Language of the prompt and of the answers to it.
    #[serde(default)]
    language: Language,
    /// A generation to continue with a new version.
    #[schema(min_length = 1, max_length = 120)]
    generation_id: Option<String>,
    /// A prompt that the message refers to.
    #[schema(max_length = 20000)]
    current_prompt: Option<String>,
    /// The conversation so far, oldest turn first.
    #[serde(default)]
    #[schema(max_items = 50, default = json!([]))]
    conversation: Vec<Turn>,
    /// Completed uploads of the scope `generation` to take into account.
    #[serde(default)]
    attachment_ids: AttachmentIds,
}

impl Request for GenerateRequest {
    const KIND: Kind = Kind::GeneratePrompt;

    fn check(_: &Workflow, sent: &Sent) -> Vec<ApiError> {
        continuation::check::<GenerationId>(&sent.content, &["/message"], "/generationId")
    }

    async fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        let named = (self.generation_id.as_deref(), "/generationId");
        let attached = (&self.attachment_ids, &[UploadScope::Generation][..]);
        let found =
            continuation::find(named, HistoryId::Generation, attached, workflow.store(), account);
        let (generation_id, attachments) = found.await?;
        let task = Task::GeneratePrompt(GenerateTask {
            message: self.message,
            mode: self.mode,
            output_mode: self.output_mode,
            target_model: self.target_model,
            language: self.language.tag(),
            current_prompt: self.current_prompt,
            conversation: self.conversation,
            generation_id,
        });
        Ok(Assignment::from(task).with_attachments(attachments))
    }
}

/// Generate a prompt from a goal.
///
/// Costs 1 credit. The result is saved to history as a new generation, or as a new version of the
/// generation in `generationId`.
#[utoipa::path(
    post, path = "/prompts/generate",
    security(("bearer" = ["prompts:generate"])),
    params(IdempotencyKey, Prefer),
    request_body = GenerateRequest,
    responses((status = 200, description = "The generated prompt.", body = Envelope<GeneratedPrompt>), Deferrable<code::SourceConflict>),
)]
pub async fn generate_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsGenerate, (IdempotencyKey, Prefer, Body<GenerateRequest>)>,
) -> Result<Performed, ApiError> {
    prompts.perform(call).await
}
