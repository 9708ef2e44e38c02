//! The input of an operation, which the processor reads from the idempotency record.

use domain::{
    GenerationId, HistoryType, OptimizationId, RefinementId, Upload, UploadId, VersionId,
};
use engine::{Beside, Mode, OutputMode, TargetModel, Turn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The input of an operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "task", content = "input")]
pub enum Task {
    /// Generate a prompt from a goal.
    GeneratePrompt(GenerateTask),
    /// Analyze a prompt.
    AnalyzePrompt(PromptTask),
    /// Optimize a prompt.
    OptimizePrompt(PromptTask),
    /// Analyze and optimize a prompt.
    AnalyzeAndOptimizePrompt(PromptTask),
    /// Refine a prompt.
    RefinePrompt(RefineTask),
    /// Refine a version of an optimization.
    RefineOptimizedPrompt(RefineOptimizedTask),
    /// Find a prompt for existing content.
    ReversePrompt(ReverseTask),
}

impl Task {
    /// The kind of history item that it creates; `None` if it continues one or has no history.
    pub(crate) fn begins(&self) -> Option<HistoryType> {
        let (kind, is_new) = match self {
            Self::GeneratePrompt(task) => (HistoryType::Generation, task.generation_id.is_none()),
            Self::AnalyzePrompt(task)
            | Self::OptimizePrompt(task)
            | Self::AnalyzeAndOptimizePrompt(task) => {
                (HistoryType::Optimization, task.prompt_id.is_none())
            }
            Self::RefinePrompt(task) => (HistoryType::Refinement, task.refinement_id.is_none()),
            Self::RefineOptimizedPrompt(_) | Self::ReversePrompt(_) => return None,
        };
        is_new.then_some(kind)
    }
}

/// A task with its files.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assignment {
    /// The task.
    #[serde(flatten)]
    pub task: Task,
    /// The uploads that the operation consumes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Frames of a video as data URLs, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
}

impl From<Task> for Assignment {
    fn from(task: Task) -> Self {
        Self { task, attachments: Vec::new(), frames: Vec::new() }
    }
}

impl Assignment {
    /// The same with attachments.
    pub fn with_attachments(self, attachments: Vec<Attachment>) -> Self {
        Self { attachments, ..self }
    }
}

/// An upload that an operation consumes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// The upload.
    pub id: UploadId,
    /// Its filename.
    pub filename: String,
    /// Its verified type.
    pub content_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// Entity tag of the verified bytes.
    pub etag: String,
}

impl Attachment {
    /// The attachment of a verified upload; `None` if it is not verified.
    pub fn of(upload: Upload) -> Option<Self> {
        let verdict = upload.verdict.filter(|verdict| verdict.refusal.is_none())?;
        Some(Self {
            id: upload.id,
            filename: upload.filename,
            content_type: upload.content_type,
            size: upload.size,
            etag: verdict.etag,
        })
    }
}

/// The body of a successful operation: its input and result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    /// Its input, for history.
    #[serde(flatten)]
    pub task: Task,
    /// The uploads that history keeps as attachments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// The `data` of its response.
    pub result: serde_json::Value,
    /// The version that it builds on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<VersionId>,
}

/// The `data` in the stored body of an operation.
pub fn result_of(body: &[u8]) -> Option<serde_json::Value> {
    #[derive(Deserialize)]
    struct OnlyResult {
        result: serde_json::Value,
    }
    serde_json::from_slice::<OnlyResult>(body).ok().map(|document| document.result)
}

/// The input of a generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GenerateTask {
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
    /// The generation that this continues.
    pub generation_id: Option<GenerationId>,
    /// A prompt that the message refers to.
    pub current_prompt: Option<String>,
    /// The conversation so far.
    pub conversation: Vec<Turn>,
}

/// A prompt to analyze or to optimize.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptTask {
    /// The optimization that this was added to; null if it started a new one.
    #[schema(required = true)]
    pub prompt_id: Option<OptimizationId>,
    /// The prompt.
    pub prompt: String,
    /// Context that was given for the use of the prompt.
    pub context: String,
    /// Language in which the result describes the prompt.
    pub language: String,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
    /// Requested number of versions.
    pub variation_count: u8,
}

/// A prompt to refine.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefineTask {
    /// The prompt.
    pub prompt: String,
    /// The requested changes.
    pub feedback: String,
    /// The refinement that this continued; null if it started a new one.
    #[schema(required = true)]
    pub refinement_id: Option<RefinementId>,
    /// Language in which the result describes the prompt.
    pub language: String,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
}

/// A version of an optimization, or a refinement of it, to refine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RefineOptimizedTask {
    /// The optimization.
    pub optimization_id: OptimizationId,
    /// Its version.
    pub source_version_id: VersionId,
    /// The refinement of that version to build on; `None` to build on the version.
    pub parent_refinement_id: Option<RefinementId>,
    /// The prompt of the version or refinement.
    pub prompt: String,
    /// What stands beside it.
    pub beside: Beside,
    /// The requested changes.
    pub feedback: String,
    /// Language in which the result describes the prompt.
    pub language: String,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
}

/// Content to find a prompt for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReverseTask {
    /// The content.
    pub source: ReverseSource,
    /// Language of the result.
    pub language: String,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
}

/// The content, or where it comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type", content = "value")]
pub enum ReverseSource {
    /// The text itself.
    Text(String),
    /// A public page.
    Url(String),
    /// An image: the attachment.
    Image,
    /// A video, whose frames are in the assignment.
    Video {
        /// Its length in seconds.
        seconds: f64,
    },
}
