//! What an operation is to do: its input, as the queue's receiver finds it beside the record.

use serde::{Deserialize, Serialize};

use domain::VersionId;

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

/// The body that a finished operation leaves: what it was given and what it gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    /// Its input, for history.
    #[serde(flatten)]
    pub task: Task,
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
