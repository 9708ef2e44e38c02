//! Deleting a history item: the queue is told first, so that no crash leaves half of it.

use std::time::Duration;

use domain::{AccountId, HistoryId};
use futures::future::try_join;
use store::{Store, StoreError, directory::List, queue::DeletionMessage};

/// When the processor looks whether something was left: long after the deletion's own attempt.
const SECOND_LOOK: Duration = Duration::from_secs(60);

/// Deletes an item with everything that belongs to it; `false` if there is no such item.
///
/// # Errors
///
/// Storage failed before the item was taken out of history: nothing is deleted.
pub async fn delete(store: &Store, account: AccountId, id: HistoryId) -> Result<bool, StoreError> {
    let list = List::history(account, id.kind());
    let (head, directory) = try_join(store.history(account, id), store.directory(list)).await?;
    if head.is_none() {
        return Ok(false);
    }
    let message = DeletionMessage { account_id: account, history_id: id };
    store.announce(message, SECOND_LOOK).await?;
    if !store.bury_history(account, id, directory).await? {
        return Ok(false);
    }
    // From here on the item is deleted for its owner, and the message sees to the rest.
    if let Err(error) = store.empty_history(account, id).await {
        tracing::warn!(history = %id, %error, "the processor will remove what is left");
    }
    Ok(true)
}
