//! A preset in the API.

use std::borrow::Cow;

use domain::{
    PresetId, Timestamp,
    preset::{self, NAME_MAX, VALUE_MAX, VALUES_BYTES_MAX, VALUES_MAX},
    response_size::escaped_len,
};
use edge::{ApiError, Code, Detail};
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

/// Values of variables, by name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Values(pub preset::Values);

impl Values {
    /// The values, if they fit into a response.
    ///
    /// # Errors
    ///
    /// They are too large together.
    pub fn fitting(self) -> Result<preset::Values, ApiError> {
        let bytes = serde_json::to_vec(&self.0).map_or(u64::MAX, |json| escaped_len(&json));
        if bytes <= VALUES_BYTES_MAX {
            return Ok(self.0);
        }
        let message = format!(
            "take {bytes} bytes as a string within JSON, more than {VALUES_BYTES_MAX}: quotes, backslashes and \
             control characters take more than one"
        );
        Err(ApiError::new(Code::ContentTooLarge)
            .with_details(vec![Detail::new("/values", message)]))
    }
}

impl PartialSchema for Values {
    fn schema() -> RefOr<Schema> {
        let text = |most| ObjectBuilder::new().schema_type(Type::String).max_length(Some(most));
        let (name, value) = (text(NAME_MAX), text(VALUE_MAX));
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some(format!(
                "Values of variables, by name. As a string within JSON they have at most \
                 {VALUES_BYTES_MAX} bytes together."
            )))
            .property_names(Some(Schema::from(name)))
            .additional_properties(Some(Schema::from(value)))
            .max_properties(Some(VALUES_MAX))
            .examples([serde_json::json!({"city": "Lisbon"})])
            .into()
    }
}

impl ToSchema for Values {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("PresetValues")
    }
}

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
