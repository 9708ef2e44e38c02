//! What an engine is asked.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{TargetModel, page::Page};

/// A request for a prompt. Bounds are the caller's to check; the engine accepts any length.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GenerateBrief {
    /// The goal, or an instruction about `current_prompt` or `previous`.
    pub message: String,
    /// Kind of prompt wanted.
    pub mode: Mode,
    /// Whether variables may stay in the prompt.
    pub output_mode: OutputMode,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
    /// Language tag of the answers that the prompt should bring about.
    pub language: String,
    /// A prompt that the user already has and that `message` wants changed.
    pub current_prompt: Option<String>,
    /// Earlier turns, oldest first.
    pub conversation: Vec<Turn>,
    /// Newest version of the generation that is being continued.
    pub previous: Option<PreviousVersion>,
    /// Pictures that go with the goal.
    #[serde(skip)]
    pub images: Vec<Image>,
}

/// The version that a continued generation starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviousVersion {
    /// The goal it was made for.
    pub message: String,
    /// Its prompt.
    pub prompt: String,
    /// Its title.
    pub title: String,
    /// What stands beside its prompt.
    pub beside: Beside,
}

/// What stands beside a prompt, in other fields of its target model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Beside {
    /// Standing instructions for the model's system field, if any.
    #[schema(required = true)]
    pub system_prompt: Option<String>,
    /// What must not be shown, if the model has a field for it.
    #[schema(required = true)]
    pub negative_prompt: Option<String>,
    /// Settings of the target model.
    #[schema(value_type = Object, additional_properties = true)]
    pub parameters: Map<String, Value>,
}

impl Beside {
    /// All of it as a text, a line for each.
    pub fn text(&self) -> String {
        let texts = [&self.system_prompt, &self.negative_prompt].into_iter().flatten().cloned();
        let settings = self.parameters.iter().map(|(name, value)| match value {
            Value::String(value) => format!("{name} {value}"),
            value => format!("{name} {value}"),
        });
        texts.chain(settings).collect::<Vec<_>>().join("\n")
    }
}

/// One turn of the conversation before a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Turn {
    /// Who spoke.
    pub role: Role,
    /// What was said.
    #[schema(max_length = 4000)]
    pub content: String,
}

/// Speaker of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person who wants a prompt.
    User,
    /// The service.
    Assistant,
}

/// A prompt to analyze or to optimize.
#[derive(Clone, Debug)]
pub struct PromptBrief {
    /// The prompt.
    pub prompt: String,
    /// What the caller says about its use; empty for none.
    pub context: String,
    /// Language tag of what the result says; the prompt keeps its own.
    pub language: String,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
    /// How many versions are wanted, 1 or 2; analyzing ignores it.
    pub variations: u8,
    /// Pictures that go with the prompt.
    pub images: Vec<Image>,
}

/// A prompt to change as feedback asks.
#[derive(Clone, Debug)]
pub struct RefineBrief {
    /// The prompt.
    pub prompt: String,
    /// What stands beside it.
    pub beside: Beside,
    /// What is to be different.
    pub feedback: String,
    /// Language tag of what the result says; the prompt keeps its own.
    pub language: String,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
    /// Pictures that go with the feedback.
    pub images: Vec<Image>,
}

/// Something that a prompt could have produced.
#[derive(Clone, Debug)]
pub struct ReverseBrief {
    /// What it is.
    pub material: Material,
    /// Language tag of the result and of the answers that its prompt asks for.
    pub language: String,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
}

/// What a prompt is to be found for.
#[derive(Clone, Debug)]
pub enum Material {
    /// A text.
    Text(String),
    /// What a visitor of a page sees.
    Page(Page),
    /// A picture.
    Image(Image),
    /// Frames of a clip.
    Video {
        /// The frames in order, taken to lie evenly over the clip.
        frames: Vec<Image>,
        /// Length of the clip.
        seconds: f64,
    },
}

/// A picture as it was uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its media type, `image/…`.
    pub media_type: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Kind of prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Decided from the goal and the target model.
    #[default]
    Auto,
    /// No particular shape.
    General,
    /// Sources, uncertainty and comparison criteria.
    Research,
    /// A text for readers.
    Writing,
    /// Milestones, dependencies and risks.
    Planning,
    /// Instructions that an assistant or agent works under.
    Agent,
    /// A picture.
    Image,
    /// A clip.
    Video,
    /// A program.
    Code,
    /// A workflow that runs without a person.
    Automation,
}

/// Whether a prompt is finished or a template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputMode {
    /// Concrete details, no placeholders.
    #[default]
    ReadyToUse,
    /// Useful variables stay in the prompt as `{{markers}}`.
    Reusable,
}
