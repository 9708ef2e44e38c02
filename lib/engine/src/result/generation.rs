//! What generating gives back.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{EngineIdentity, Mode, OutputMode, Technique, TokenEstimate, Variable};

/// A generated prompt with everything that is needed to use and judge it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Generation {
    /// Short name of the prompt, at most 80 characters.
    #[schema(max_length = 80)]
    pub title: String,
    /// The mode that was used; never `auto`.
    pub mode: Mode,
    /// Whether the prompt is finished or a template.
    pub output_mode: OutputMode,
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
    /// Parts of the prompt; each text occurs in the prompt (or in the system prompt).
    pub sections: Vec<Section>,
    /// Variables that occur in the prompt.
    pub variables: Vec<Variable>,
    /// What was filled in because the goal did not say it.
    pub assumptions: Vec<String>,
    /// Questions whose answers would improve the prompt, at most 4.
    #[schema(max_items = 4)]
    pub clarifying_questions: Vec<String>,
    /// Prompting techniques that the prompt uses.
    pub techniques: Vec<Technique>,
    /// How to use the prompt, step by step.
    #[schema(min_items = 2, max_items = 5)]
    pub usage_guide: Vec<String>,
    /// Size of the prompt.
    pub token_estimate: TokenEstimate,
    /// The language of the answers that the prompt asks for: its tag, or the word that was sent. If the engine does not
    /// speak it, the result says so.
    pub language: String,
    /// What made this result.
    pub engine: EngineIdentity,
}

/// A part of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// What the part is.
    pub heading: String,
    /// Its text, exactly as in the prompt.
    pub text: String,
}
