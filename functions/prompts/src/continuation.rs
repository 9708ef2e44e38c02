//! What a request refers to: the history item that it continues, and its uploads.

use std::str::FromStr;

use domain::{AccountId, HistoryId, UploadScope};
use edge::{ApiError, Code};
use serde_json::Value;
use store::Store;
use workflow::Attachment;

use crate::{
    fields::{self, AttachmentIds},
    uploads,
};

const NOT_IN_HISTORY: &str = "is not in your history";

/// What is wrong with a body, as far as nothing has to be looked up: `texts` that show nothing, and references that
/// nothing can have, one of them at `item`.
pub fn check<T: FromStr>(content: &Value, texts: &[&str], item: &str) -> Vec<ApiError> {
    let blank = texts.iter().filter_map(|path| fields::blank(content, path));
    let item = fields::malformed::<T>(content, item, NOT_IN_HISTORY);
    blank.chain(item).chain(uploads::malformed(content)).collect()
}

/// The history item with the identifier `text`, which the body has at `path`, and the uploads with one of `scopes`.
///
/// # Errors
///
/// The item is unknown or full, or an upload is unknown, not ready or of another scope: all problems.
pub async fn find<T: FromStr + Copy>(
    (text, path): (Option<&str>, &'static str),
    as_item: impl Fn(T) -> HistoryId,
    (attachments, scopes): (&AttachmentIds, &[UploadScope]),
    store: &Store,
    account: AccountId,
) -> Result<(Option<T>, Vec<Attachment>), ApiError> {
    let item = continued(text, path, as_item, store, account);
    let uploads = uploads::find(attachments.references(), scopes, store, account);
    let (item, uploads) = tokio::join!(item, uploads);
    ApiError::both(item, uploads)
}

/// The item with the identifier `text`, if it can have one.
async fn continued<T: FromStr + Copy>(
    text: Option<&str>,
    path: &'static str,
    as_item: impl Fn(T) -> HistoryId,
    store: &Store,
    account: AccountId,
) -> Result<Option<T>, ApiError> {
    let Some(id) = text.and_then(|text| text.parse::<T>().ok()) else { return Ok(None) };
    match store.history(account, as_item(id)).await? {
        None => Err(fields::unknown(path, NOT_IN_HISTORY)),
        Some(head) if head.is_full() => Err(full(path)),
        Some(_) => Ok(Some(id)),
    }
}

/// The history item that `path` names is full.
pub fn full(path: &str) -> ApiError {
    ApiError::problem(Code::SourceConflict, path, "is full")
        .with_message("The history item is full; start a new one.")
}
