//! Generating a prompt from a goal.

use domain::{AccountId, GenerationId, Operation, OperationId, VersionId};
use engine::{GenerateBrief, Generation, Mode, OutputMode, PreviousVersion, TargetModel, Turn};
use serde::{Deserialize, Serialize};
use store::generations::{GenerationWrite, Summary, version_of};
use utoipa::ToSchema;

use crate::{
    Workflow,
    run::{Abort, Outcome},
    task::{Document, Task},
};

/// Characters of a prompt that a list shows.
const EXCERPT: usize = 160;

/// A goal, and what the prompt for it is to be like.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GenerateTask {
    /// Goal or instruction.
    pub message: String,
    /// Kind of work.
    pub mode: Mode,
    /// Whether the prompt is complete or keeps variables.
    pub output_mode: OutputMode,
    /// Model that the prompt is for.
    pub target_model: TargetModel,
    /// Language of the prompt and its answers.
    pub language: String,
    /// The generation that this continues.
    pub generation_id: Option<GenerationId>,
    /// A prompt that the message is about.
    pub current_prompt: Option<String>,
    /// What was said before.
    pub conversation: Vec<Turn>,
}

/// A generated prompt.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GeneratedPrompt {
    /// The operation that made it.
    pub operation_id: OperationId,
    /// The history item that it belongs to; send it as `generationId` to continue.
    pub generation_id: GenerationId,
    /// Its version in that item.
    pub version_id: VersionId,
    /// The model that it is for.
    pub target_model: TargetModel,
    /// The prompt and all that comes with it.
    #[serde(flatten)]
    pub generation: Generation,
}

impl Workflow {
    pub(crate) async fn generate(
        &self,
        operation: &Operation,
        task: &GenerateTask,
    ) -> Result<Outcome, Abort> {
        let previous = self.previous_version(operation.account, task.generation_id).await?;
        let brief = GenerateBrief {
            message: task.message.clone(),
            mode: task.mode,
            output_mode: task.output_mode,
            target_model: task.target_model,
            language: task.language.clone(),
            current_prompt: task.current_prompt.clone(),
            conversation: task.conversation.clone(),
            previous,
        };
        let generation = self.engine.generate(&brief).await?;
        let id = task.generation_id.unwrap_or_else(|| GenerationId::from_bits(operation.id.bits()));
        let summary = Summary {
            title: generation.title.clone(),
            excerpt: excerpt(&generation.prompt),
            target_model: task.target_model.as_str().to_owned(),
            language: generation.language.clone(),
        };
        let result = GeneratedPrompt {
            operation_id: operation.id,
            generation_id: id,
            version_id: version_of(operation.id),
            target_model: task.target_model,
            generation,
        };
        let history = GenerationWrite { id, is_new: task.generation_id.is_none(), summary };
        let document = Document {
            task: Task::GeneratePrompt(task.clone()),
            result: serde_json::to_value(result).map_err(|_| Abort::Malformed)?,
        };
        Ok(Outcome { document, history: Some(history) })
    }

    async fn previous_version(
        &self,
        account: AccountId,
        generation: Option<GenerationId>,
    ) -> Result<Option<PreviousVersion>, Abort> {
        let Some(id) = generation else { return Ok(None) };
        let generation = self.store.generation(account, id).await?.ok_or(Abort::SourceGone)?;
        let newest = *generation.versions.last().ok_or(Abort::SourceGone)?;
        let body = self.store.version(account, newest).await?.ok_or(Abort::SourceGone)?;
        let document: Document = serde_json::from_slice(&body).map_err(|_| Abort::Malformed)?;
        let Task::GeneratePrompt(task) = document.task;
        let result: GeneratedPrompt =
            serde_json::from_value(document.result).map_err(|_| Abort::Malformed)?;
        Ok(Some(PreviousVersion {
            message: task.message,
            prompt: result.generation.prompt,
            title: generation.summary.title,
        }))
    }
}

/// The beginning of a prompt on one line.
fn excerpt(prompt: &str) -> String {
    let line = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(EXCERPT).collect()
}
