//! Finding the prompt that a refinement of an optimization builds on.

use domain::{AccountId, HistoryId, OperationId, OptimizationId, RefinementId, VersionId};
use engine::{Beside, TargetModel};
use store::{
    Store, StoreError,
    history::{HistoryHead, makers_of},
};

use crate::{
    Workflow,
    optimize::{AnalyzedAndOptimizedPrompt, OptimizedPrompt},
    refine::RefinedPrompt,
    run::Abort,
    task::{Document, Task},
};

/// A prompt to build on.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The prompt.
    pub prompt: String,
    /// What stands beside it.
    pub beside: Beside,
    /// The model that it is for.
    pub target_model: TargetModel,
}

/// Why there is no prompt to build on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceError {
    /// The account has no such optimization.
    Optimization,
    /// The optimization is full.
    Full,
    /// The optimization has no such version.
    Version,
    /// The optimization has no such refinement.
    Refinement,
    /// The refinement belongs to another version.
    OtherVersion,
}

impl Workflow {
    /// The newest operation of a history item, and what it left.
    pub(crate) async fn newest(
        &self,
        account: AccountId,
        id: HistoryId,
    ) -> Result<(HistoryHead, OperationId, Document), Abort> {
        let head = self.store.history(account, id).await?.ok_or(Abort::SourceGone)?;
        let newest = *head.operations.last().ok_or(Abort::SourceGone)?;
        let bodies = self.store.bodies(account, &[newest]).await?;
        let (_, body) = bodies.first().ok_or(Abort::SourceGone)?;
        compute::received(body.len());
        let document = serde_json::from_slice(body).map_err(|_| Abort::Malformed)?;
        Ok((head, newest, document))
    }
}

/// Reads the prompt of a version, or of a refinement of it; or says everything that is in the way.
pub async fn find(
    store: &Store,
    account: AccountId,
    optimization: OptimizationId,
    version: VersionId,
    refinement: Option<RefinementId>,
) -> Result<Result<Source, Vec<SourceError>>, StoreError> {
    let Some(head) = store.history(account, HistoryId::Optimization(optimization)).await? else {
        return Ok(Err(vec![SourceError::Optimization]));
    };
    let maker = makers_of(version).into_iter().find(|maker| head.operations.contains(maker));
    // A refinement has its identifier from its operation; the version's own operation made none.
    let child = refinement.map(|id| OperationId::from_bits(id.bits()));
    let child =
        child.map(|id| Some(id).filter(|_| maker != Some(id) && head.operations.contains(&id)));
    let wanted: Vec<_> = maker.into_iter().chain(child.flatten()).collect();
    let bodies = store.bodies(account, &wanted).await?;
    let document = |id: OperationId| {
        let body = bodies.iter().find(|(operation, _)| *operation == id);
        body.and_then(|(_, body)| serde_json::from_slice::<Document>(body).ok())
    };
    let source = maker.and_then(document).and_then(|document| version_in(document, version));
    let parent = child.map(|child| match child.and_then(document) {
        Some(Document { task: Task::RefineOptimizedPrompt(task), result, .. }) => {
            Ok((task, result))
        }
        _ => Err(SourceError::Refinement),
    });
    let parent = parent.transpose();
    let (source, parent) = match (source, parent) {
        (Some(source), Ok(parent)) => (source, parent),
        (source, parent) => {
            let version = source.is_none().then_some(SourceError::Version);
            return Ok(Err(version.into_iter().chain(parent.err()).collect()));
        }
    };
    if head.is_full() {
        return Ok(Err(vec![SourceError::Full]));
    }
    let Some((task, result)) = parent else { return Ok(Ok(source)) };
    if task.source_version_id != version {
        return Ok(Err(vec![SourceError::OtherVersion]));
    }
    let refined: RefinedPrompt =
        serde_json::from_value(result).map_err(|_| StoreError::Corrupt { what: "document" })?;
    let RefinedPrompt { target_model, refinement, .. } = refined;
    Ok(Ok(Source { prompt: refinement.prompt, beside: refinement.beside, target_model }))
}

fn version_in(document: Document, wanted: VersionId) -> Option<Source> {
    let (versions, target_model) = match document.task {
        Task::OptimizePrompt(_) => {
            let made: OptimizedPrompt = serde_json::from_value(document.result).ok()?;
            (made.versions, made.target_model)
        }
        Task::AnalyzeAndOptimizePrompt(_) => {
            let made: AnalyzedAndOptimizedPrompt = serde_json::from_value(document.result).ok()?;
            (made.versions, made.target_model)
        }
        _ => return None,
    };
    let found = versions.into_iter().find(|stored| stored.version_id == wanted)?;
    let beside = found.version.beside();
    Some(Source { prompt: found.version.prompt, beside, target_model })
}
