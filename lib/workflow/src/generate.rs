//! Generating a prompt from a goal.

use domain::{AccountId, GenerationId, HistoryId, Operation, OperationId, Timestamp, VersionId};
use engine::{Beside, GenerateBrief, Generation, Image, PreviousVersion, TargetModel};
use serde::{Deserialize, Serialize};
use store::history::{HistoryWrite, versions_of};
use utoipa::ToSchema;

use crate::{
    Workflow,
    run::{Abort, Outcome},
    summary::summary,
    task::{GenerateTask, Task},
};

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
    /// The prompt and its details.
    #[serde(flatten)]
    pub generation: Generation,
}

impl Workflow {
    pub(crate) async fn generate(
        &self,
        operation: &Operation,
        task: &GenerateTask,
        images: Vec<Image>,
        until: Timestamp,
    ) -> Result<Outcome, Abort> {
        let (parent, previous) = match task.generation_id {
            Some(id) => self.newest_version(operation.account, id).await?,
            None => (None, None),
        };
        let brief = GenerateBrief {
            message: task.message.clone(),
            mode: task.mode,
            output_mode: task.output_mode,
            target_model: task.target_model,
            language: task.language.clone(),
            current_prompt: task.current_prompt.clone(),
            conversation: task.conversation.clone(),
            previous,
            images,
        };
        let generation = self.engine.generate(&brief, until).await?;
        let id = task.generation_id.unwrap_or_else(|| GenerationId::from_bits(operation.id.bits()));
        let history = HistoryWrite {
            id: HistoryId::Generation(id),
            is_new: task.generation_id.is_none(),
            summary: summary(
                generation.title.clone(),
                &generation.prompt,
                task.target_model,
                &generation.language,
            ),
            versions: 1,
        };
        let result = GeneratedPrompt {
            operation_id: operation.id,
            generation_id: id,
            version_id: versions_of(operation.id)[0],
            target_model: task.target_model,
            generation,
        };
        Outcome::new(Task::GeneratePrompt(task.clone()), &result, Some(history), parent)
    }

    /// The newest version of a generation, as context for the next one.
    async fn newest_version(
        &self,
        account: AccountId,
        id: GenerationId,
    ) -> Result<(Option<VersionId>, Option<PreviousVersion>), Abort> {
        let (head, _, document) = self.newest(account, HistoryId::Generation(id)).await?;
        let Task::GeneratePrompt(task) = document.task else { return Err(Abort::Malformed) };
        let result: GeneratedPrompt =
            serde_json::from_value(document.result).map_err(|_| Abort::Malformed)?;
        let previous = PreviousVersion {
            message: task.message,
            prompt: result.generation.prompt,
            title: head.item.summary.title,
            beside: Beside {
                system_prompt: result.generation.system_prompt,
                negative_prompt: result.generation.negative_prompt,
                parameters: result.generation.parameters,
            },
        };
        Ok((Some(result.version_id), Some(previous)))
    }
}
