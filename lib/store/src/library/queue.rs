//! Messages about the library: the queue of its background jobs, and reviews, which ask a language model and so
//! take the queue of operations.

use std::time::Duration;

use domain::{AccountId, LibraryId, library::Listing};
use serde::{Deserialize, Serialize};

use crate::{Store, StoreError, listings::ABANDONED_AFTER};

/// Delay between enqueueing a vote count and counting: by then the vote is committed or never will
/// be.
pub const COUNT_VOTES_DELAY: Duration = Duration::from_secs(20);

/// Delay between the deletion of an item and that of its counters: by then no request that still
/// saw the item can raise them.
pub const DELETE_COUNTERS_DELAY: Duration = Duration::from_secs(120);

/// Delay between the beginning of a snapshot and the removal of others: by then its writer has made
/// it current or never will, and no reader is about to read the one before. The longest delay of
/// SQS.
pub const DISCARD_SNAPSHOTS_DELAY: Duration = Duration::from_secs(900);
const _: () = assert!(ABANDONED_AFTER.as_secs() < DISCARD_SNAPSHOTS_DELAY.as_secs());

/// A job. It says only where to look; the records say what is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LibraryJob {
    /// The votes for an item may have changed: count them and log the result in its listings.
    #[serde(rename = "tally")]
    CountVotes {
        /// Which item.
        item_id: LibraryId,
    },
    /// An item may have been deleted: if so, delete its counters.
    #[serde(rename = "forget")]
    DeleteCounters {
        /// Which item.
        item_id: LibraryId,
    },
    /// A listing may have many changes since its snapshot.
    #[serde(rename = "rebuild")]
    Compact {
        /// Which listing.
        #[serde(rename = "shelf")]
        listing: Listing,
    },
    /// A listing may have snapshots that are not current: delete them.
    #[serde(rename = "object")]
    DiscardSnapshots {
        /// Which listing.
        #[serde(rename = "shelf")]
        listing: Listing,
    },
}

/// An item that may be pending: if so, it is to be judged again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewMessage {
    /// Whose item.
    pub account_id: AccountId,
    /// Which item.
    pub library_id: LibraryId,
    /// The version that became pending.
    pub version: u32,
}

impl Store {
    /// Enqueues a review that the processor receives after `delay` (at most 15 minutes). Returns once the queue has
    /// the message.
    pub async fn enqueue_review(
        &self,
        message: &ReviewMessage,
        delay: Duration,
    ) -> Result<(), StoreError> {
        let body = serde_json::to_string(message).map_err(|_| StoreError::corrupt("message"))?;
        let account = Some(message.account_id);
        self.send(&self.names.operations_queue_url, body, delay, account).await
    }

    /// Enqueues a job that is received after `delay` (at most 15 minutes). Returns once the queue
    /// has the message.
    pub async fn enqueue_library_job(
        &self,
        message: &LibraryJob,
        delay: Duration,
    ) -> Result<(), StoreError> {
        let body = serde_json::to_string(message).map_err(|_| StoreError::corrupt("message"))?;
        self.send(&self.names.library_queue_url, body, delay, None).await
    }

    /// Sets the visibility timeout of a received message: it is received again after `delay`.
    pub async fn postpone_library_job(
        &self,
        receipt_handle: &str,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.change_visibility(&self.names.library_queue_url, receipt_handle, delay).await
    }
}
