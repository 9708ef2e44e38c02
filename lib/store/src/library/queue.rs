//! The queue that carries the upkeep of the library.

use std::time::Duration;

use domain::{LibraryId, library::Listing};
use serde::{Deserialize, Serialize};

use crate::{Store, StoreError};

/// When a vote is counted after it was announced: when it is committed or never will be.
pub const COUNT_VOTES_DELAY: Duration = Duration::from_secs(20);

/// When the counters of a deleted item are looked for after that was announced: when nobody who still saw the
/// item can raise them any more.
pub const DELETE_COUNTERS_DELAY: Duration = Duration::from_secs(120);

/// When an object is looked at after it was announced: when whoever announced it has recorded it or never
/// will, and nobody is about to read it. The longest delay that a queue knows.
pub const DISCARD_SNAPSHOT_DELAY: Duration = Duration::from_secs(900);

/// What the queue carries: where to look, never what to believe.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LibraryJob {
    /// The votes for an item may have changed: they are counted and told to its listings.
    #[serde(rename = "tally")]
    CountVotes {
        /// Which item.
        item_id: LibraryId,
    },
    /// An item may have been deleted: then its counters go as well.
    #[serde(rename = "forget")]
    DeleteCounters {
        /// Which item.
        item_id: LibraryId,
    },
    /// Much may have changed on a listing since its snapshot.
    #[serde(rename = "rebuild")]
    Compact {
        /// Which listing.
        #[serde(rename = "shelf")]
        listing: Listing,
    },
    /// An object may be nobody's: unless the listing has it for its snapshot, it shall go.
    #[serde(rename = "object")]
    DiscardSnapshot {
        /// Which listing.
        #[serde(rename = "shelf")]
        listing: Listing,
        /// Name of the object.
        name: String,
    },
}

impl Store {
    /// Asks for upkeep of the library after `delay` (at most 15 minutes). Returns once the queue has the
    /// message.
    pub async fn enqueue_library_job(
        &self,
        message: &LibraryJob,
        delay: Duration,
    ) -> Result<(), StoreError> {
        let body = serde_json::to_string(message).map_err(|_| StoreError::corrupt("message"))?;
        self.send(&self.names.library_queue_url, body, delay).await
    }

    /// Hides a received message for `delay`, after which the queue hands it out again.
    pub async fn postpone_library_job(
        &self,
        receipt_handle: &str,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.change_visibility(&self.names.library_queue_url, receipt_handle, delay).await
    }
}
