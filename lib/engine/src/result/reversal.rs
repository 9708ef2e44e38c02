//! What reverse-engineering gives back.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{EngineIdentity, TokenEstimate};

/// A prompt that would produce something like what was sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reversal {
    /// What was sent.
    #[serde(rename = "type")]
    pub kind: ReverseKind,
    /// How the prompt was come by.
    pub recovery: Recovery,
    /// How sure the result is.
    #[schema(minimum = 0, maximum = 1)]
    pub confidence: f64,
    /// The prompt to paste into the target model.
    pub prompt: String,
    /// What an image or video should not show, null where there is none.
    #[schema(required = true)]
    pub negative_prompt: Option<String>,
    /// Settings that go with the prompt. Where a ComfyUI graph joins several prompts, `prompts` lists each with
    /// its `text`, `side`, `node` and `sampler`, and with how it joins the one before (`join`); `samplers` lists
    /// the settings of each sampler.
    #[schema(value_type = Object, additional_properties = true)]
    pub parameters: Map<String, Value>,
    /// Where an exact prompt was found, null when it was inferred.
    #[schema(required = true)]
    pub provenance: Option<Provenance>,
    /// What was sent, in words.
    pub description: String,
    /// What makes it what it is, the surest first.
    pub key_elements: Vec<KeyElement>,
    /// How it looks, null for text and pages.
    #[schema(required = true)]
    pub style: Option<Style>,
    /// Its shots in order, null unless it is a video.
    #[schema(required = true)]
    pub shots: Option<Vec<Shot>>,
    /// How it is built, null for images and videos.
    #[schema(required = true)]
    pub structure: Option<TextStructure>,
    /// What the result cannot know.
    pub limitations: Vec<String>,
    /// Size of the prompt.
    pub token_estimate: TokenEstimate,
    /// The language that the result was asked for in: its tag, or the word that was sent. If the engine does not speak
    /// it, the result says so.
    pub language: String,
    /// What made this result.
    pub engine: EngineIdentity,
}

/// What was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReverseKind {
    /// A picture.
    Image,
    /// Frames of a clip.
    Video,
    /// A text.
    Text,
    /// A public page.
    Url,
}

/// How a prompt was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// It was written in the file.
    Exact,
    /// It follows from what the content says.
    Inferred,
    /// It follows from measurements only.
    Statistical,
}

/// Where an exact prompt was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// The program that wrote it.
    pub tool: String,
    /// Format of the file.
    pub container: String,
    /// The field in it.
    pub field: String,
}

/// Something that makes the content what it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyElement {
    /// What it is about.
    #[schema(example = "tone")]
    pub category: String,
    /// What it is.
    pub value: String,
    /// How sure that is.
    #[schema(minimum = 0, maximum = 1)]
    pub confidence: f64,
}

/// How a picture or clip looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Style {
    /// Its main colours, the largest share first.
    pub palette: Vec<Swatch>,
    /// Width to height in whole numbers.
    #[schema(example = "16:9")]
    pub aspect_ratio: String,
    /// How bright it is and where the light is.
    pub lighting: String,
    /// How its parts are placed.
    pub composition: String,
}

/// A colour and how much of it there is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Swatch {
    /// The colour.
    #[schema(example = "#1f6feb")]
    pub hex: String,
    /// Its share of the area.
    #[schema(minimum = 0, maximum = 1)]
    pub share: f64,
}

/// A shot of a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shot {
    /// When it begins, in seconds.
    pub starts_at_seconds: f64,
    /// When it ends, in seconds.
    pub ends_at_seconds: f64,
    /// What can be said about it.
    pub description: String,
}

/// How a text or page is built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextStructure {
    /// What kind of text it is.
    #[schema(example = "how_to_guide")]
    pub format: String,
    /// Number of words; of characters in languages that write none apart.
    pub words: u32,
    /// Number of sentences.
    pub sentences: u32,
    /// Number of paragraphs.
    pub paragraphs: u32,
    /// Number of list items.
    pub list_items: u32,
    /// Its headings in order, at most 40.
    #[schema(max_items = 40)]
    pub headings: Vec<Heading>,
    /// What it is made of, in order, at most 40 parts.
    #[schema(max_items = 40)]
    pub outline: Vec<String>,
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Heading {
    /// 1 for the highest, at most 6.
    #[schema(minimum = 1, maximum = 6)]
    pub level: u8,
    /// Its text.
    pub text: String,
}
