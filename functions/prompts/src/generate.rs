//! `POST /prompts/generate`

use axum::extract::State;
use domain::{AccountId, GenerationId, Kind};
use edge::{
    Call, Code, Detail, Failure,
    input::{Body, IdempotencyKey, Prefer},
    openapi::{Conflicting, Dependent, Refused},
    permission::PromptsGenerate,
    reply::Envelope,
    resource::OperationObject,
};
use engine::{Mode, OutputMode, TargetModel, Turn};
use serde::Deserialize;
use store::{Store, generations::VERSIONS_LIMIT};
use utoipa::ToSchema;
use workflow::{
    Task,
    generate::{GenerateTask, GeneratedPrompt},
};

use crate::{
    Prompts,
    perform::{Performed, Request},
};

/// A goal to make a prompt for.
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
    /// Kind of work; `auto` decides by the goal and the target model.
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
    /// Language of the prompt and of the answers to it, as a BCP 47 tag.
    #[serde(default = "english")]
    #[schema(
        min_length = 2,
        max_length = 20,
        pattern = r"^[\p{L}\p{N}]+([-_ ][\p{L}\p{N}]+)*$",
        default = "en"
    )]
    language: String,
    /// A generation that this continues with a new version.
    #[schema(min_length = 1, max_length = 120)]
    generation_id: Option<String>,
    /// A prompt that the message is about.
    #[schema(max_length = 20000)]
    current_prompt: Option<String>,
    /// What was said before, oldest first.
    #[serde(default)]
    #[schema(max_items = 50, default = json!([]))]
    conversation: Vec<Turn>,
    /// Completed uploads of the scope `generation` to take into account.
    #[serde(default)]
    #[schema(max_items = 5, default = json!([]))]
    attachment_ids: Vec<AttachmentId>,
}

/// Identifier of a completed upload.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 191)]
pub struct AttachmentId(#[allow(dead_code, reason = "there is none that it could name")] String);

fn english() -> String {
    "en".to_owned()
}

impl Request for GenerateRequest {
    const KIND: Kind = Kind::GeneratePrompt;

    async fn into_task(self, store: &Store, account: AccountId) -> Result<Task, Failure> {
        if !self.message.chars().any(|c| !c.is_whitespace() && !c.is_control()) {
            let detail = Detail::new("/message", "has no visible text");
            return Err(Failure::new(Code::ContentRejected).with_details(vec![detail]));
        }
        let mut unknown: Vec<_> = (0..self.attachment_ids.len())
            .map(|position| {
                Detail::new(format!("/attachmentIds/{position}"), "is not one of your uploads")
            })
            .collect();
        let generation_id = match &self.generation_id {
            None => None,
            Some(text) => match own_generation(text, store, account).await? {
                Some(id) => Some(id),
                None => {
                    let detail = Detail::new("/generationId", "is not one of your generations");
                    unknown.insert(0, detail);
                    None
                }
            },
        };
        if !unknown.is_empty() {
            return Err(Failure::new(Code::InvalidReference).with_details(unknown));
        }
        Ok(Task::GeneratePrompt(GenerateTask {
            message: self.message,
            mode: self.mode,
            output_mode: self.output_mode,
            target_model: self.target_model,
            language: self.language,
            generation_id,
            current_prompt: self.current_prompt,
            conversation: self.conversation,
        }))
    }
}

/// The generation that `text` names, if the account has it and it takes another version.
async fn own_generation(
    text: &str,
    store: &Store,
    account: AccountId,
) -> Result<Option<GenerationId>, Failure> {
    let Ok(id) = text.parse() else { return Ok(None) };
    let Some(generation) = store.generation(account, id).await? else { return Ok(None) };
    if generation.versions.len() >= VERSIONS_LIMIT as usize {
        let message = format!("The generation has {VERSIONS_LIMIT} versions; begin a new one.");
        return Err(Failure::new(Code::SourceConflict).saying(message));
    }
    Ok(Some(id))
}

/// Generate a prompt from a goal.
///
/// Costs 1 credit. The result is saved to history as a new generation, or as a new version of the
/// one that `generationId` names.
#[utoipa::path(
    post,
    path = "/prompts/generate",
    operation_id = "generatePrompt",
    tag = "Prompts",
    security(("bearer" = ["prompts:generate"])),
    params(IdempotencyKey, Prefer),
    request_body = GenerateRequest,
    responses(
        (status = 200, description = "The generated prompt.", body = Envelope<GeneratedPrompt>, headers(
            ("Idempotent-Replayed" = String, description = "`true` when an earlier request with this key gave the result."),
        )),
        (status = 202, description = "Accepted; poll the operation. A retry with the same key is answered the same, whatever became of the operation.", body = Envelope<OperationObject>, headers(
            ("Location" = String, description = "Address of the operation."),
            ("Preference-Applied" = String, description = "`respond-async`."),
            ("Idempotent-Replayed" = String, description = "`true` when an earlier request with this key was accepted; the body is the operation as it was then."),
        )),
        Refused, Conflicting, Dependent,
    ),
)]
pub async fn generate_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsGenerate, (IdempotencyKey, Prefer, Body<GenerateRequest>)>,
) -> Result<Performed, Failure> {
    prompts.perform(call).await
}
