//! The models that prompts are written for. They are data: `models.json` has one entry a model.

use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::tokens::tokenizer::Tokenizer;

/// A model that prompts can be written for.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// Exact name, as used in `targetModel`.
    #[schema(example = "Universal")]
    pub name: String,
    /// Stands for the model in what is stored: below 64, and never another model's, so a model that goes
    /// takes its number with it.
    #[serde(skip_serializing)]
    #[schema(ignore)]
    pub number: u32,
    /// What the model makes.
    pub kind: ModelKind,
    /// Who makes the model.
    pub vendor: String,
    /// How its vendor advises to prompt it.
    pub guidance: String,
    /// Models of one family are prompted alike.
    #[serde(skip_serializing)]
    #[schema(ignore)]
    pub family: String,
    /// Longest prompt that the model takes, in characters.
    #[serde(skip_serializing)]
    #[schema(ignore)]
    pub max_prompt_chars: usize,
    /// Whether there is a field for standing instructions.
    #[serde(skip_serializing)]
    #[schema(ignore)]
    pub system_prompt: bool,
    /// Whether there is a field for what must not be shown.
    #[serde(skip_serializing)]
    #[schema(ignore)]
    pub negative_prompt: bool,
    /// How its tokens are counted.
    #[serde(skip_serializing)]
    #[schema(ignore)]
    pub tokenizer: Tokenizer,
    /// Settings to start from.
    #[serde(skip_serializing)]
    #[schema(ignore)]
    pub parameters: Map<String, Value>,
}

/// What a model makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// Any model: prompts without vendor syntax.
    Universal,
    /// Text.
    Text,
    /// Images.
    Image,
    /// Videos.
    Video,
}

static MODELS: LazyLock<Vec<Model>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../models.json")).expect("models.json is compiled in")
});

/// All models, the default one first.
pub fn catalogue() -> &'static [Model] {
    &MODELS
}

/// The number of the model with this name.
pub fn number_of(name: &str) -> Option<u32> {
    catalogue().iter().find(|model| model.name == name).map(|model| model.number)
}

/// A name out of the catalogue. The default is `Universal`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TargetModel(usize);

impl TargetModel {
    /// The exact name.
    pub fn as_str(self) -> &'static str {
        &self.model().name
    }

    /// The catalogue's entry.
    pub fn model(self) -> &'static Model {
        &catalogue()[self.0]
    }
}

impl TryFrom<&str> for TargetModel {
    type Error = String;

    fn try_from(name: &str) -> Result<Self, String> {
        catalogue()
            .iter()
            .position(|model| model.name == name)
            .map(Self)
            .ok_or_else(|| format!("there is no target model named {name:?}"))
    }
}

impl Serialize for TargetModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for TargetModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::try_from(name.as_str()).map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for TargetModel {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Name of the model that the prompt is for."))
            .enum_values(Some(catalogue().iter().map(|model| model.name.as_str())))
            .into()
    }
}

impl ToSchema for TargetModel {}
