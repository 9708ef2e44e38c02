//! What an operation is to do: its input, as the queue's receiver finds it beside the record.

use domain::{HistoryType, Upload, UploadId, VersionId};
use serde::{Deserialize, Serialize};

use crate::{
    generate::GenerateTask,
    optimize::PromptTask,
    refine::{RefineOptimizedTask, RefineTask},
    reverse::ReverseTask,
};

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
    /// Find a prompt for something that is there.
    ReversePrompt(ReverseTask),
}

impl Task {
    /// The kind of history item that it begins; `None` if it continues one or leaves none.
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

/// What an operation is to do, with the files that go with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assignment {
    /// What to do.
    #[serde(flatten)]
    pub task: Task,
    /// The uploads that the operation has taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Frames of a video as data URLs, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
}

impl From<Task> for Assignment {
    fn from(task: Task) -> Self {
        Self { task, attachments: Vec::new(), frames: Vec::new() }
    }
}

impl Assignment {
    /// The same with uploads.
    pub fn with_attachments(self, attachments: Vec<Attachment>) -> Self {
        Self { attachments, ..self }
    }
}

/// An upload as an operation has taken it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// The upload.
    pub id: UploadId,
    /// What its owner calls it.
    pub filename: String,
    /// Its verified type.
    pub content_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// Entity tag of the bytes that were verified.
    pub etag: String,
}

impl Attachment {
    /// A verified upload; `None` if it never was.
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

/// The body that a finished operation leaves: what it was given and what it gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    /// Its input, for history.
    #[serde(flatten)]
    pub task: Task,
    /// The uploads that became part of its history.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// The `data` of its answer.
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
