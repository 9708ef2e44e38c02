//! The detail of a history item, from the bodies of its operations.

use domain::{
    AccountId, HistoryId, HistoryType, OperationId, RefinementId, Timestamp, UploadId, VersionId,
};
use engine::{Generation, Mode, OptimizedVersion, OutputMode, Refinement, TargetModel, Turn};
use serde::Serialize;
use store::{
    Store, StoreError,
    history::{HistoryHead, HistoryItem, versions_of},
    uploads::files::{AttachmentKey, READ_LIFETIME},
};
use utoipa::ToSchema;

use crate::{
    generate::GeneratedPrompt,
    optimize::{AnalyzedAndOptimizedPrompt, AnalyzedPrompt, OptimizedPrompt, StoredVersion},
    refine::RefinedPrompt,
    task::{Attachment, Document, GenerateTask, PromptTask, RefineTask, Task},
};

/// An item as a list shows it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Its identifier.
    #[schema(value_type = String, pattern = "^(gen|opt|ref)_[0-9A-HJKMNP-TV-Z]{26}$", example = "opt_01JD8M3Z5Q4N7V9X2B6C8D0E1F")]
    pub id: HistoryId,
    /// The kind of the item.
    #[serde(rename = "type")]
    pub kind: HistoryType,
    /// Its title; can be changed.
    pub title: String,
    /// The beginning of its newest prompt, at most 160 characters.
    pub excerpt: String,
    /// Name of the target model of the newest result.
    pub target_model: String,
    /// Language of the newest result.
    pub language: String,
    /// Number of its versions and refinements; 0 if the prompt was only analyzed.
    pub version_count: u32,
    /// When it was created.
    pub created_at: Timestamp,
    /// When a result was last added or the title changed.
    pub updated_at: Timestamp,
}

impl From<&HistoryItem> for HistoryEntry {
    fn from(item: &HistoryItem) -> Self {
        let summary = item.summary.clone();
        Self {
            id: item.id,
            kind: item.id.kind(),
            title: summary.title,
            excerpt: summary.excerpt,
            target_model: summary.target_model,
            language: summary.language,
            version_count: item.version_count,
            created_at: item.id.created_at(),
            updated_at: item.updated_at,
        }
    }
}

/// A history item with its content.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryDetail {
    /// What a list shows of it.
    #[serde(flatten)]
    pub entry: HistoryEntry,
    /// The input that it started with.
    pub input: HistoryInput,
    /// Its versions, oldest first.
    pub versions: Vec<HistoryVersion>,
    /// The refinements of an optimization's versions, oldest first; `parentRefinementId` makes them
    /// a tree.
    pub refinements: Vec<HistoryRefinement>,
    /// The newest analysis of the prompt, null if there is none.
    #[schema(required = true)]
    pub analysis: Option<AnalyzedPrompt>,
    /// The files that were attached to its operations, oldest first.
    pub attachments: Vec<HistoryAttachment>,
}

/// A file that was attached to an operation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryAttachment {
    /// The upload that it comes from.
    pub id: UploadId,
    /// The operation that used it.
    pub operation_id: OperationId,
    /// Its filename.
    pub filename: String,
    /// Its content type.
    pub content_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// URL of the file; no credential is needed.
    pub url: String,
    /// When the URL expires. Read the item again for a new one.
    pub url_expires_at: Timestamp,
}

/// The input that an item started with; its form depends on the item's type.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum HistoryInput {
    /// Of a generation.
    Generation(GenerationInput),
    /// Of an optimization.
    Optimization(PromptTask),
    /// Of a refinement.
    Refinement(RefineTask),
}

/// The input of a generated version.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GenerationInput {
    /// Goal or instruction.
    pub message: String,
    /// Kind of work.
    pub mode: Mode,
    /// Whether the prompt is complete or has variables.
    pub output_mode: OutputMode,
    /// Model that the prompt is for.
    pub target_model: TargetModel,
    /// Language of the prompt and of the answers to it.
    pub language: String,
    /// A prompt that the message refers to.
    #[schema(required = true)]
    pub current_prompt: Option<String>,
    /// The conversation before it.
    pub conversation: Vec<Turn>,
}

impl From<GenerateTask> for GenerationInput {
    fn from(task: GenerateTask) -> Self {
        Self {
            message: task.message,
            mode: task.mode,
            output_mode: task.output_mode,
            target_model: task.target_model,
            language: task.language,
            current_prompt: task.current_prompt,
            conversation: task.conversation,
        }
    }
}

/// A version; its form depends on the item's type.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum HistoryVersion {
    /// Of a generation.
    Generated(Box<GeneratedVersion>),
    /// Of an optimization.
    Optimized(Box<OptimizedVersionRecord>),
    /// Of a refinement.
    Refined(Box<RefinedVersion>),
}

/// The origin of a version.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The version's identifier.
    pub version_id: VersionId,
    /// The version that it builds on; null if it was made from the input alone.
    #[schema(required = true)]
    pub parent_version_id: Option<VersionId>,
    /// The operation that made it.
    pub operation_id: OperationId,
    /// When that operation was accepted.
    pub created_at: Timestamp,
    /// The model that it is for.
    pub target_model: TargetModel,
}

/// A version of a generation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GeneratedVersion {
    /// Its origin.
    #[serde(flatten)]
    origin: Origin,
    /// The input that it was made from.
    input: GenerationInput,
    /// The prompt and its details.
    #[serde(flatten)]
    generation: Generation,
}

/// A version of an optimization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OptimizedVersionRecord {
    /// Its origin.
    #[serde(flatten)]
    origin: Origin,
    /// The prompt that it was made from; `changes` refers to it.
    original_prompt: String,
    /// The prompt and its details.
    #[serde(flatten)]
    version: OptimizedVersion,
}

/// A version of a refinement.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefinedVersion {
    /// Its origin.
    #[serde(flatten)]
    origin: Origin,
    /// The prompt that it was made from; `changes` refers to it.
    original_prompt: String,
    /// The requested changes.
    feedback: String,
    /// The prompt and its details.
    #[serde(flatten)]
    refinement: Refinement,
}

/// A refinement of an optimization's version.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryRefinement {
    /// Its identifier.
    refinement_id: RefinementId,
    /// The version that it belongs to.
    source_version_id: VersionId,
    /// The refinement that it builds on; null if it builds on the version.
    #[schema(required = true)]
    parent_refinement_id: Option<RefinementId>,
    /// The operation that made it.
    operation_id: OperationId,
    /// When that operation was accepted.
    created_at: Timestamp,
    /// The model that it is for.
    target_model: TargetModel,
    /// The prompt that it was made from; `changes` refers to it.
    original_prompt: String,
    /// The requested changes.
    feedback: String,
    /// The prompt and its details.
    #[serde(flatten)]
    refinement: Refinement,
}

/// Reads the detail of an item; `None` if there is none, or it was deleted meanwhile.
pub async fn detail(
    store: &Store,
    account: AccountId,
    id: HistoryId,
) -> Result<Option<HistoryDetail>, StoreError> {
    match store.history(account, id).await? {
        Some(head) => detail_of(store, account, &head).await,
        None => Ok(None),
    }
}

/// Reads the detail of the item with this head.
pub async fn detail_of(
    store: &Store,
    account: AccountId,
    head: &HistoryHead,
) -> Result<Option<HistoryDetail>, StoreError> {
    let bodies = store.bodies(account, &head.operations).await?;
    let mut collected = Collected::default();
    for (operation, body) in bodies {
        collected.add(operation, &body).map_err(|_| StoreError::Corrupt { what: "document" })?;
    }
    let mut attachments = Vec::new();
    for (operation, attachment) in collected.attachments {
        attachments.push(readable(store, account, operation, attachment).await?);
    }
    Ok(collected.input.map(|input| HistoryDetail {
        attachments,
        entry: HistoryEntry::from(&head.item),
        input,
        versions: collected.versions,
        refinements: collected.refinements,
        analysis: collected.analysis,
    }))
}

/// An attachment with a presigned URL. The URL is signed locally, without a call.
async fn readable(
    store: &Store,
    account: AccountId,
    operation: OperationId,
    attachment: Attachment,
) -> Result<HistoryAttachment, StoreError> {
    let key = AttachmentKey { account, operation, upload: attachment.id };
    let url_expires_at = store.clock().now() + READ_LIFETIME;
    let request =
        store.presign_attachment(key, &attachment.filename, &attachment.content_type).await?;
    Ok(HistoryAttachment {
        id: attachment.id,
        operation_id: operation,
        filename: attachment.filename,
        content_type: attachment.content_type,
        size: attachment.size,
        url: request.url,
        url_expires_at,
    })
}

#[derive(Default)]
struct Collected {
    attachments: Vec<(OperationId, Attachment)>,
    input: Option<HistoryInput>,
    versions: Vec<HistoryVersion>,
    refinements: Vec<HistoryRefinement>,
    analysis: Option<AnalyzedPrompt>,
}

impl Collected {
    fn add(&mut self, operation: OperationId, body: &[u8]) -> Result<(), serde_json::Error> {
        let Document { task, attachments, result, parent } = serde_json::from_slice(body)?;
        self.attachments.extend(attachments.into_iter().map(|file| (operation, file)));
        let origin = |version_id, target_model| Origin {
            version_id,
            parent_version_id: parent,
            operation_id: operation,
            created_at: operation.created_at(),
            target_model,
        };
        match task {
            Task::GeneratePrompt(task) => {
                let result: GeneratedPrompt = serde_json::from_value(result)?;
                let input = GenerationInput::from(task);
                self.versions.push(HistoryVersion::Generated(Box::new(GeneratedVersion {
                    origin: origin(result.version_id, result.target_model),
                    input: input.clone(),
                    generation: result.generation,
                })));
                self.input.get_or_insert(HistoryInput::Generation(input));
            }
            Task::AnalyzePrompt(task) => {
                self.analysis = Some(serde_json::from_value(result)?);
                self.begin_with(task);
            }
            Task::OptimizePrompt(task) => {
                let result: OptimizedPrompt = serde_json::from_value(result)?;
                self.add_versions(&task, result.versions, origin);
                self.begin_with(task);
            }
            Task::AnalyzeAndOptimizePrompt(task) => {
                let result: AnalyzedAndOptimizedPrompt = serde_json::from_value(result)?;
                self.add_versions(&task, result.versions, origin);
                self.analysis = Some(AnalyzedPrompt {
                    operation_id: result.operation_id,
                    optimization_id: result.optimization_id,
                    target_model: result.target_model,
                    analysis: result.analysis,
                });
                self.begin_with(task);
            }
            Task::RefinePrompt(task) => {
                let result: RefinedPrompt = serde_json::from_value(result)?;
                self.versions.push(HistoryVersion::Refined(Box::new(RefinedVersion {
                    origin: origin(versions_of(operation)[0], result.target_model),
                    original_prompt: task.prompt.clone(),
                    feedback: task.feedback.clone(),
                    refinement: result.refinement,
                })));
                self.input.get_or_insert(HistoryInput::Refinement(task));
            }
            Task::RefineOptimizedPrompt(task) => {
                let result: RefinedPrompt = serde_json::from_value(result)?;
                self.refinements.push(HistoryRefinement {
                    refinement_id: result.refinement_id,
                    source_version_id: task.source_version_id,
                    parent_refinement_id: task.parent_refinement_id,
                    operation_id: operation,
                    created_at: operation.created_at(),
                    target_model: result.target_model,
                    original_prompt: task.prompt,
                    feedback: task.feedback,
                    refinement: result.refinement,
                });
            }
            Task::ReversePrompt(_) => {}
        }
        Ok(())
    }

    fn begin_with(&mut self, task: PromptTask) {
        self.input.get_or_insert(HistoryInput::Optimization(task));
    }

    fn add_versions(
        &mut self,
        task: &PromptTask,
        versions: Vec<StoredVersion>,
        origin: impl Fn(VersionId, TargetModel) -> Origin,
    ) {
        for StoredVersion { version_id, version } in versions {
            self.versions.push(HistoryVersion::Optimized(Box::new(OptimizedVersionRecord {
                origin: origin(version_id, task.target_model),
                original_prompt: task.prompt.clone(),
                version,
            })));
        }
    }
}
