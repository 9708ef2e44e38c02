//! Fields that several requests have, with their bounds.

use edge::{Code, Detail, Failure};
use serde::Deserialize;
use utoipa::ToSchema;

/// A language as a BCP 47 tag or by its name.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(
    value_type = String,
    min_length = 2,
    max_length = 20,
    pattern = r"^[\p{L}\p{N}]+([-_ ][\p{L}\p{N}]+)*$",
    default = "en",
    example = "en"
)]
pub struct Language(pub String);

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
pub struct AttachmentId(#[allow(dead_code, reason = "there is none that it could name")] String);

impl AttachmentIds {
    /// A problem for each that is not an upload of the account.
    pub fn unknown(&self) -> Vec<Detail> {
        (0..self.0.len())
            .map(|position| {
                Detail::new(format!("/attachmentIds/{position}"), "is not one of your uploads")
            })
            .collect()
    }
}

/// Refuses text in which nothing can be seen.
pub fn visible(text: &str, path: &str) -> Result<(), Failure> {
    if text.chars().any(|c| !c.is_whitespace() && !c.is_control()) {
        return Ok(());
    }
    let detail = Detail::new(path, "has no visible text");
    Err(Failure::new(Code::ContentRejected).with_details(vec![detail]))
}

/// Refuses a request that refers to what there is not.
pub fn known(unknown: Vec<Detail>) -> Result<(), Failure> {
    if unknown.is_empty() { Ok(()) } else { Err(unknown_references(unknown)) }
}

/// The refusal of a request that refers to these things, which there are not.
pub fn unknown_references(unknown: Vec<Detail>) -> Failure {
    Failure::new(Code::InvalidReference).with_details(unknown)
}
