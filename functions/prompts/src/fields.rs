//! Fields that several requests share, with their bounds.

use std::str::FromStr;

use edge::{ApiError, Code};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A BCP 47 tag, or a language's name, with or without a region. One that is not known stays as it is; an
/// operation's result then says that the engine does not speak it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(
    value_type = String,
    min_length = 2,
    max_length = 20,
    default = "en",
    example = "en"
)]
pub struct Language(String);

impl Language {
    /// Its BCP 47 tag, or the user's word.
    pub fn tag(&self) -> String {
        text::language::language_tag(&self.0)
    }
}

impl Default for Language {
    fn default() -> Self {
        Self("en".to_owned())
    }
}

/// Completed uploads to take into account.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(value_type = Vec<AttachmentId>, max_items = 5, default = json!([]))]
pub struct AttachmentIds(Vec<AttachmentId>);

/// Identifier of a completed upload.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 191)]
pub struct AttachmentId(pub String);

impl AttachmentIds {
    /// The identifiers with their positions in the body.
    pub fn references(&self) -> impl Iterator<Item = (String, &str)> {
        let ids = self.0.iter().enumerate();
        ids.map(|(position, AttachmentId(id))| (format!("/attachmentIds/{position}"), id.as_str()))
    }
}

/// The problem of a text at `path` that shows nothing.
pub fn blank(content: &Value, path: &str) -> Option<ApiError> {
    let said = content.pointer(path)?.as_str()?;
    let blank = || ApiError::problem(Code::ContentRejected, path, "has no visible text");
    (!text::is_visible(said)).then(blank)
}

/// The problem of an identifier at `path` that nothing can have.
pub fn malformed<T: FromStr>(content: &Value, path: &str, message: &str) -> Option<ApiError> {
    let id = content.pointer(path)?.as_str()?;
    id.parse::<T>().is_err().then(|| unknown(path, message))
}

/// The problem of a reference at `path` to something that does not exist.
pub fn unknown(path: impl Into<String>, message: &str) -> ApiError {
    ApiError::problem(Code::InvalidReference, path, message)
}
