//! What a request refers to: the history item that it continues, and its uploads.

use std::str::FromStr;

use domain::{AccountId, HistoryId, UploadScope};
use edge::{ApiError, Code, Detail};
use store::Store;
use workflow::Attachment;

use crate::{
    fields::{self, AttachmentIds},
    uploads::ReferencedUploads,
};

/// A history item that a request continues, and its uploads, as they were found.
#[derive(Debug)]
pub struct References<T> {
    item: Result<Option<T>, Detail>,
    uploads: ReferencedUploads,
}

impl<T: FromStr + Copy> References<T> {
    /// Looks up the item with the identifier `text`, which the body has at `path`, and the uploads.
    ///
    /// # Errors
    ///
    /// The item is full.
    pub async fn find(
        (text, path): (Option<&str>, &'static str),
        as_item: impl Fn(T) -> HistoryId,
        attachments: &AttachmentIds,
        store: &Store,
        account: AccountId,
    ) -> Result<Self, ApiError> {
        let item = continued(text, path, as_item, store, account);
        let (item, uploads) = tokio::try_join!(item, attachments.find(store, account))?;
        Ok(Self { item, uploads })
    }

    /// The item and the attachments.
    ///
    /// # Errors
    ///
    /// A text of the request is `invisible`, a reference is unknown, or an upload is not ready or
    /// has none of `scopes`.
    pub fn require(
        self,
        invisible: impl IntoIterator<Item = Detail>,
        scopes: &[UploadScope],
    ) -> Result<(Option<T>, Vec<Attachment>), ApiError> {
        let mut unknown: Vec<_> = self.item.as_ref().err().cloned().into_iter().collect();
        unknown.extend(self.uploads.unknown());
        fields::validate(invisible, unknown)?;
        let attachments = self.uploads.require_ready(scopes)?;
        Ok((self.item.unwrap_or_default(), attachments))
    }
}

/// The item with the identifier `text`, if it belongs to the account; otherwise a problem at
/// `path`.
///
/// # Errors
///
/// The item is full.
async fn continued<T: FromStr + Copy>(
    text: Option<&str>,
    path: &'static str,
    as_item: impl Fn(T) -> HistoryId,
    store: &Store,
    account: AccountId,
) -> Result<Result<Option<T>, Detail>, ApiError> {
    let Some(text) = text else { return Ok(Ok(None)) };
    let unknown = || Ok(Err(Detail::new(path, "is not in your history")));
    let Ok(id) = text.parse::<T>() else { return unknown() };
    let Some(head) = store.history(account, as_item(id)).await? else { return unknown() };
    if head.is_full() {
        return Err(full());
    }
    Ok(Ok(Some(id)))
}

/// The history item is full.
pub fn full() -> ApiError {
    let message = "The history item is full; start a new one.";
    ApiError::new(Code::SourceConflict).with_message(message)
}
