//! The history item that a request continues.

use std::str::FromStr;

use domain::{AccountId, HistoryId};
use edge::{ApiError, Code, Detail};
use store::Store;

/// The item with the identifier `text`, if it belongs to the account; otherwise a problem at
/// `path`.
///
/// # Errors
///
/// The item is full.
pub async fn continued<T: FromStr + Copy>(
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
