//! A preset in the API.

use domain::{PresetId, Timestamp, preset};
use edge::{ApiError, Code, input::Values};
use serde::Serialize;
use utoipa::ToSchema;

/// A preset.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// Its identifier.
    pub id: PresetId,
    /// Its name.
    pub name: String,
    /// Title of the template that it was made from.
    #[schema(required = true)]
    pub template_title: Option<String>,
    /// The prompt, with `{{variable}}` markers.
    #[schema(example = "Plan three days in {{city}}.")]
    pub prompt_text: String,
    /// Saved values.
    pub values: Values,
    /// Variables of the prompt, in order of first use.
    #[schema(example = json!(["city"]))]
    pub variables: Vec<String>,
    /// The generation that the prompt comes from, as given.
    #[schema(required = true)]
    pub generation_id: Option<String>,
    /// The version that the prompt comes from, as given.
    #[schema(required = true)]
    pub generated_version_id: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its name or its values were last changed.
    pub updated_at: Timestamp,
}

impl From<domain::Preset> for Preset {
    fn from(preset: domain::Preset) -> Self {
        let variables = preset::variables(&preset.content.prompt_text);
        Self {
            variables: variables.into_iter().map(ToOwned::to_owned).collect(),
            id: preset.id,
            created_at: preset.created_at(),
            updated_at: preset.updated_at,
            name: preset.name,
            template_title: preset.content.template_title,
            prompt_text: preset.content.prompt_text,
            values: Values(preset.content.values),
            generation_id: preset.content.generation_id,
            generated_version_id: preset.content.generated_version_id,
        }
    }
}

/// There is no such preset, or it is another account's.
pub fn not_found() -> ApiError {
    ApiError::new(Code::NotFound)
}
