//! Fields that several requests share, with their bounds.

use domain::AccountId;
use edge::{ApiError, Code, Detail};
use serde::Deserialize;
use store::Store;
use utoipa::ToSchema;

use crate::uploads::{self, ReferencedUploads};

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
    /// Looks the uploads up.
    pub async fn find(
        &self,
        store: &Store,
        account: AccountId,
    ) -> Result<ReferencedUploads, ApiError> {
        let named = self.0.iter().enumerate();
        let named = named.map(|(position, AttachmentId(text))| {
            (format!("/attachmentIds/{position}"), text.as_str())
        });
        uploads::find(named, store, account).await
    }
}

/// The problem of a text without visible characters.
pub fn blank(text: &str, path: &str) -> Option<Detail> {
    let seen = text.chars().any(|c| !c.is_whitespace() && !c.is_control());
    (!seen).then(|| Detail::new(path, "has no visible text"))
}

/// Refuses a request with blank texts or unknown references, and lists all of them.
pub fn validate(
    invisible: impl IntoIterator<Item = Detail>,
    unknown: Vec<Detail>,
) -> Result<(), ApiError> {
    let mut details: Vec<_> = invisible.into_iter().collect();
    let code = if details.is_empty() { Code::InvalidReference } else { Code::ContentRejected };
    details.extend(unknown);
    if details.is_empty() { Ok(()) } else { Err(ApiError::new(code).with_details(details)) }
}
