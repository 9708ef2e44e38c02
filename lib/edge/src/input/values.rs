//! Values of variables in a body.

use std::borrow::Cow;

use domain::{
    preset::{self, NAME_MAX, VALUE_MAX, VALUES_BYTES_MAX, VALUES_MAX},
    response_size::escaped_len,
};
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::{ApiError, Code, Sent};

/// Values of variables, by name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Values(pub preset::Values);

impl Values {
    /// The problem of `values` in a body that do not fit into a response.
    pub fn check(sent: &Sent) -> Option<ApiError> {
        Self::deserialize(&sent.content["values"]).ok()?.fitting().err()
    }

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
        Err(ApiError::problem(Code::ContentTooLarge, "/values", message))
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
