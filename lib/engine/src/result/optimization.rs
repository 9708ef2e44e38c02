//! What optimizing gives back.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{
    Analysis, Beside, Change, EngineIdentity, Integrity, Technique, TokenEstimate, Variable,
};

/// Better versions of a prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Optimization {
    /// The prompt as it was sent.
    pub original_prompt: String,
    /// Its versions: as many as were asked for, but one where two would not differ.
    #[schema(min_items = 1, max_items = 2)]
    pub versions: Vec<OptimizedVersion>,
    /// How to put them to use.
    pub implementation_advice: Vec<String>,
    /// The language that the result was asked for in: its tag, or the word that was sent. If the engine does not speak
    /// it, the result says so.
    pub language: String,
    /// What made this result.
    pub engine: EngineIdentity,
}

/// An analysis and the versions that answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalyzedOptimization {
    /// What was found.
    pub analysis: Analysis,
    /// The better versions.
    pub versions: Vec<OptimizedVersion>,
    /// Findings that every version resolves.
    pub resolved_finding_ids: Vec<String>,
    /// Findings that at least one version leaves open, most often because only its author can answer them.
    pub open_finding_ids: Vec<String>,
    /// What made this result.
    pub engine: EngineIdentity,
}

/// A better version of a prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OptimizedVersion {
    /// How far it goes.
    pub label: VersionLabel,
    /// The prompt to paste into the target model.
    pub prompt: String,
    /// Standing instructions for the model's system field, null when the prompt needs none.
    #[schema(required = true)]
    pub system_prompt: Option<String>,
    /// What an image or video should not show, null where the target model has no field for it.
    #[schema(required = true)]
    pub negative_prompt: Option<String>,
    /// Settings of the target model that go with the prompt.
    #[schema(value_type = Object, additional_properties = true)]
    pub parameters: Map<String, Value>,
    /// The edits that lead from the original to it.
    pub changes: Vec<Change>,
    /// Prompting techniques that it uses.
    pub techniques: Vec<Technique>,
    /// Why it is as it is.
    pub rationale: String,
    /// What it should change in the answers.
    pub expected_impact: String,
    /// When to prefer it.
    pub best_for: String,
    /// Overall score of the original.
    #[schema(minimum = 0, maximum = 100)]
    pub score_before: u8,
    /// Overall score of this version, by the same rules.
    #[schema(minimum = 0, maximum = 100)]
    pub score_after: u8,
    /// Whether anything was lost.
    pub integrity: Integrity,
    /// Findings that it leaves open, where there is an analysis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_finding_ids: Option<Vec<String>>,
    /// Variables that occur in it.
    pub variables: Vec<Variable>,
    /// Its size.
    pub token_estimate: TokenEstimate,
}

impl OptimizedVersion {
    /// What stands beside its prompt.
    pub fn beside(&self) -> Beside {
        Beside {
            system_prompt: self.system_prompt.clone(),
            negative_prompt: self.negative_prompt.clone(),
            parameters: self.parameters.clone(),
        }
    }
}

/// How far a version goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VersionLabel {
    /// Only what is wrong is touched; wording and order stay.
    Conservative,
    /// Laid out anew as the target model reads best.
    Restructured,
}
