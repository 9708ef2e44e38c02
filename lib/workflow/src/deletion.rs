//! Deletion of a history item: its message is enqueued first, so that no crash leaves a part of it.

use std::time::Duration;

use domain::{AccountId, HistoryId};
use futures::future::try_join;
use store::{Store, StoreError, list::offset_index::List, operations::queue::DeletionMessage};

/// Delay before the processor removes what is left: long after the deletion's own attempt.
const CLEANUP_DELAY: Duration = Duration::from_secs(60);

/// Deletes an item with everything that belongs to it; `false` if there is no such item.
///
/// # Errors
///
/// Storage failed before the item was removed from history: nothing is deleted.
pub async fn delete(store: &Store, account: AccountId, id: HistoryId) -> Result<bool, StoreError> {
    let list = List::history(account, id.kind());
    let (head, offset_index) =
        try_join(store.history(account, id), store.offset_index(list)).await?;
    let Some(head) = head else { return Ok(false) };
    let message = DeletionMessage { account_id: account, history_id: id };
    store.enqueue(message, CLEANUP_DELAY).await?;
    if !store.tombstone_history(account, head, offset_index).await? {
        return Ok(false);
    }
    // From here on the item is deleted for its owner, and the processor removes the rest.
    if let Err(error) = store.delete_history_bodies(account, id).await {
        tracing::warn!(history = %id, %error, "the processor will delete the rest");
    }
    Ok(true)
}
