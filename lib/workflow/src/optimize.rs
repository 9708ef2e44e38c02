//! Analyzing a prompt, optimizing it, or both.

use domain::{HistoryId, Operation, OperationId, OptimizationId, Timestamp, VersionId};
use engine::{Analysis, EngineIdentity, Image, OptimizedVersion, PromptBrief, TargetModel};
use rules::title_of;
use serde::{Deserialize, Serialize};
use store::history::{HistoryWrite, versions_of};
use utoipa::ToSchema;

use crate::{
    Workflow,
    run::{Abort, Outcome},
    summary::summary,
    task::{PromptTask, Task},
};

/// An analyzed prompt.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalyzedPrompt {
    /// The operation that made it.
    pub operation_id: OperationId,
    /// The history item that it belongs to; send it as `promptId` to add to it.
    pub optimization_id: OptimizationId,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
    /// The analysis.
    #[serde(flatten)]
    pub analysis: Analysis,
}

/// An optimized prompt.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OptimizedPrompt {
    /// The operation that made it.
    pub operation_id: OperationId,
    /// The history item that it belongs to; its versions can be refined there.
    pub optimization_id: OptimizationId,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
    /// The prompt as it was sent.
    pub original_prompt: String,
    /// The optimized versions: as many as requested, or one if two would be the same.
    #[schema(min_items = 1, max_items = 2)]
    pub versions: Vec<StoredVersion>,
    /// Advice for using them.
    pub implementation_advice: Vec<String>,
    /// Language tag of the descriptions in the result; the prompts keep their own language.
    pub language: String,
    /// The engine that made this result.
    pub engine: EngineIdentity,
}

/// A prompt that was analyzed and optimized together.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalyzedAndOptimizedPrompt {
    /// The operation that made it.
    pub operation_id: OperationId,
    /// The history item that it belongs to; its versions can be refined there.
    pub optimization_id: OptimizationId,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
    /// The analysis.
    pub analysis: Analysis,
    /// The optimized versions: as many as requested, or one if two would be the same.
    #[schema(min_items = 1, max_items = 2)]
    pub versions: Vec<StoredVersion>,
    /// Identifiers of findings that every version resolves.
    pub resolved_finding_ids: Vec<String>,
    /// Identifiers of findings that at least one version leaves open, usually because only the
    /// author of the prompt can resolve them.
    pub open_finding_ids: Vec<String>,
    /// Language tag of the descriptions in the result; the prompts keep their own language.
    pub language: String,
    /// The engine that made this result.
    pub engine: EngineIdentity,
}

/// An optimized version of a prompt, as history keeps it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredVersion {
    /// Its identifier; send it as `sourceVersionId` to refine it.
    pub version_id: VersionId,
    /// The prompt and its details.
    #[serde(flatten)]
    pub version: OptimizedVersion,
}

fn stored(operation: OperationId, versions: Vec<OptimizedVersion>) -> Vec<StoredVersion> {
    let ids = versions_of(operation);
    ids.into_iter()
        .zip(versions)
        .map(|(version_id, version)| StoredVersion { version_id, version })
        .collect()
}

impl PromptTask {
    fn brief(&self, images: Vec<Image>) -> PromptBrief {
        PromptBrief {
            prompt: self.prompt.clone(),
            context: self.context.clone(),
            language: self.language.clone(),
            target_model: self.target_model,
            variations: self.variation_count,
            images,
        }
    }

    fn optimization(&self, operation: &Operation) -> OptimizationId {
        self.prompt_id.unwrap_or_else(|| OptimizationId::from_bits(operation.id.bits()))
    }

    fn history(&self, operation: &Operation, language: &str, versions: usize) -> HistoryWrite {
        HistoryWrite {
            id: HistoryId::Optimization(self.optimization(operation)),
            is_new: self.prompt_id.is_none(),
            summary: summary(title_of(&self.prompt), &self.prompt, self.target_model, language),
            versions: u32::try_from(versions).unwrap_or(u32::MAX),
        }
    }
}

impl Workflow {
    pub(crate) async fn analyze(
        &self,
        operation: &Operation,
        task: &PromptTask,
        images: Vec<Image>,
        until: Timestamp,
    ) -> Result<Outcome, Abort> {
        let analysis = self.engine.analyze(&task.brief(images), until).await?;
        let history = task.history(operation, &analysis.language, 0);
        let result = AnalyzedPrompt {
            operation_id: operation.id,
            optimization_id: task.optimization(operation),
            target_model: task.target_model,
            analysis,
        };
        Outcome::new(Task::AnalyzePrompt(task.clone()), &result, Some(history), None)
    }

    pub(crate) async fn optimize(
        &self,
        operation: &Operation,
        task: &PromptTask,
        images: Vec<Image>,
        until: Timestamp,
    ) -> Result<Outcome, Abort> {
        let made = self.engine.optimize(&task.brief(images), until).await?;
        let history = task.history(operation, &made.language, made.versions.len());
        let result = OptimizedPrompt {
            operation_id: operation.id,
            optimization_id: task.optimization(operation),
            target_model: task.target_model,
            original_prompt: made.original_prompt,
            versions: stored(operation.id, made.versions),
            implementation_advice: made.implementation_advice,
            language: made.language,
            engine: made.engine,
        };
        Outcome::new(Task::OptimizePrompt(task.clone()), &result, Some(history), None)
    }

    pub(crate) async fn analyze_and_optimize(
        &self,
        operation: &Operation,
        task: &PromptTask,
        images: Vec<Image>,
        until: Timestamp,
    ) -> Result<Outcome, Abort> {
        let made = self.engine.analyze_and_optimize(&task.brief(images), until).await?;
        let history = task.history(operation, &made.analysis.language, made.versions.len());
        let result = AnalyzedAndOptimizedPrompt {
            operation_id: operation.id,
            optimization_id: task.optimization(operation),
            target_model: task.target_model,
            language: made.analysis.language.clone(),
            analysis: made.analysis,
            versions: stored(operation.id, made.versions),
            resolved_finding_ids: made.resolved_finding_ids,
            open_finding_ids: made.open_finding_ids,
            engine: made.engine,
        };
        Outcome::new(Task::AnalyzeAndOptimizePrompt(task.clone()), &result, Some(history), None)
    }
}
