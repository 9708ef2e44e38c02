//! Refining a standalone prompt, or a version of an optimization.

use domain::{
    AccountId, HistoryId, Operation, OperationId, OptimizationId, RefinementId, Timestamp,
    VersionId,
};
use engine::{Beside, Image, RefineBrief, Refinement, TargetModel};
use rules::title_of;
use serde::{Deserialize, Serialize};
use store::history::{HistoryWrite, versions_of};
use utoipa::ToSchema;

use crate::{
    Workflow,
    run::{Abort, Outcome},
    summary::summary,
    task::{RefineOptimizedTask, RefineTask, Task},
};

/// A refined prompt.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefinedPrompt {
    /// The operation that made it.
    pub operation_id: OperationId,
    /// For a standalone refinement, the history item that it belongs to; send it as `refinementId`
    /// to continue. In an optimization, this refinement; send it as `parentRefinementId` to build
    /// on it.
    pub refinement_id: RefinementId,
    /// The optimization that it belongs to; null for a standalone refinement.
    #[schema(required = true)]
    pub optimization_id: Option<OptimizationId>,
    /// The version that it was made from; null for the first version of a standalone refinement.
    #[schema(required = true)]
    pub source_version_id: Option<VersionId>,
    /// The refinement that it builds on; null if it builds on the version.
    #[schema(required = true)]
    pub parent_refinement_id: Option<RefinementId>,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
    /// The prompt and its details.
    #[serde(flatten)]
    pub refinement: Refinement,
}

impl Workflow {
    pub(crate) async fn refine(
        &self,
        operation: &Operation,
        task: &RefineTask,
        images: Vec<Image>,
        until: Timestamp,
    ) -> Result<Outcome, Abort> {
        let (parent, beside) = match task.refinement_id {
            Some(id) => self.newest_refinement(operation.account, id).await?,
            None => (None, Beside::default()),
        };
        let brief = RefineBrief {
            beside,
            prompt: task.prompt.clone(),
            feedback: task.feedback.clone(),
            language: task.language.clone(),
            target_model: task.target_model,
            images,
        };
        let refinement = self.engine.refine(&brief, until).await?;
        let id = task.refinement_id.unwrap_or_else(|| RefinementId::from_bits(operation.id.bits()));
        let history = HistoryWrite {
            id: HistoryId::Refinement(id),
            is_new: task.refinement_id.is_none(),
            summary: summary(
                title_of(&task.prompt),
                &refinement.prompt,
                task.target_model,
                &refinement.language,
            ),
            versions: 1,
        };
        let result = RefinedPrompt {
            operation_id: operation.id,
            refinement_id: id,
            optimization_id: None,
            source_version_id: parent,
            parent_refinement_id: None,
            target_model: task.target_model,
            refinement,
        };
        Outcome::new(Task::RefinePrompt(task.clone()), &result, Some(history), parent)
    }

    /// The newest version of a refinement, and what stands beside its prompt.
    async fn newest_refinement(
        &self,
        account: AccountId,
        id: RefinementId,
    ) -> Result<(Option<VersionId>, Beside), Abort> {
        let (_, newest, document) = self.newest(account, HistoryId::Refinement(id)).await?;
        let result: RefinedPrompt =
            serde_json::from_value(document.result).map_err(|_| Abort::Malformed)?;
        Ok((Some(versions_of(newest)[0]), result.refinement.beside))
    }

    pub(crate) async fn refine_optimized(
        &self,
        operation: &Operation,
        task: &RefineOptimizedTask,
        images: Vec<Image>,
        until: Timestamp,
    ) -> Result<Outcome, Abort> {
        let brief = RefineBrief {
            beside: task.beside.clone(),
            prompt: task.prompt.clone(),
            feedback: task.feedback.clone(),
            language: task.language.clone(),
            target_model: task.target_model,
            images,
        };
        let refinement = self.engine.refine(&brief, until).await?;
        let history = HistoryWrite {
            id: HistoryId::Optimization(task.optimization_id),
            is_new: false,
            summary: summary(
                title_of(&task.prompt),
                &refinement.prompt,
                task.target_model,
                &refinement.language,
            ),
            versions: 1,
        };
        let result = RefinedPrompt {
            operation_id: operation.id,
            refinement_id: RefinementId::from_bits(operation.id.bits()),
            optimization_id: Some(task.optimization_id),
            source_version_id: Some(task.source_version_id),
            parent_refinement_id: task.parent_refinement_id,
            target_model: task.target_model,
            refinement,
        };
        let parent = Some(task.source_version_id);
        Outcome::new(Task::RefineOptimizedPrompt(task.clone()), &result, Some(history), parent)
    }
}
