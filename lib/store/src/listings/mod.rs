//! Logs of the library's listings: what has changed in each, and the votes for its items, in order.
//!
//! The transaction of a change also writes its log entries. An entry says only which item changed
//! and its version then; the content is in the item's record. [Snapshots](SnapshotPointer) include
//! log entries. Entries that both the snapshot and the one before it include are removed.
//!
//! Votes have a log of their own. Every search reads the changes, but votes only once a second: they are many, and
//! nothing but an order depends on them.
//!
//! | attribute of a log entry | holds |
//! |---|---|
//! | `id` | which item |
//! | `v` or `n` | its version, or how many votes it has |

mod snapshots;
mod vote_counts;

use aws_sdk_dynamodb::types::{Put, TransactWriteItem};
use domain::{ChangeId, LibraryId, Timestamp, library::Listing};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, number, text},
    keys::{self, Key, SK},
};

pub(crate) use snapshots::folder;
pub use snapshots::{ABANDONED_AFTER, SNAPSHOTS_PREFIX, SnapshotObject, SnapshotPointer};

/// A change that a listing logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListingChange {
    /// An item was written for the `version`th time, or deleted: then `version` is one more than
    /// its last.
    Item {
        /// Which item.
        id: LibraryId,
        /// How often it was written.
        version: u32,
    },
    /// The votes of an item were counted.
    Votes {
        /// Which item.
        id: LibraryId,
        /// Accounts that had voted for it when they were counted.
        votes: u32,
    },
}

/// An entry of a listing's change log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Its position in the log, by the instant at which its writing began.
    pub position: ChangeId,
    /// What changed.
    pub change: ListingChange,
}

fn item(key: Key, change: ListingChange) -> Attributes {
    let (id, attribute, value) = match change {
        ListingChange::Item { id, version } => (id, "v", version),
        ListingChange::Votes { id, votes } => (id, "n", votes),
    };
    let mut item = key;
    item.insert("id".to_owned(), text(id.unique()));
    item.insert(attribute.to_owned(), number(value));
    item
}

fn read(item: &Attributes) -> Result<LogEntry, StoreError> {
    let reader = ItemReader(item);
    let position = ChangeId::from_unique(reader.text(SK)?).map_err(|_| StoreError::corrupt(SK))?;
    let id = LibraryId::from_unique(reader.text("id")?).map_err(|_| StoreError::corrupt("id"))?;
    let change = match reader.optional_number("n") {
        Some(_) => ListingChange::Votes { id, votes: reader.count("n") },
        None => ListingChange::Item { id, version: reader.count("v") },
    };
    Ok(LogEntry { position, change })
}

impl Store {
    /// The write of a log entry, to be part of the transaction that makes the change.
    pub(crate) fn log_change(&self, listing: Listing, change: ListingChange) -> TransactWriteItem {
        let position = ChangeId::new(&*self.clock, &*self.random);
        let item = item(keys::change_log_entry(listing, position), change);
        let put = Put::builder().table_name(&self.names.table).set_item(Some(item)).build();
        TransactWriteItem::builder().set_put(put.ok()).build()
    }

    /// The log entries of a listing whose writing began at `from` or later, in order, with
    /// consistent reads, and the snapshot pointer as of the end of the read.
    ///
    /// An entry becomes visible when it is committed, so it may still appear between entries that
    /// were read.
    pub async fn read_change_log(
        &self,
        listing: Listing,
        from: Timestamp,
    ) -> Result<(Vec<LogEntry>, SnapshotPointer), StoreError> {
        let mut changes = Vec::new();
        let mut pointer = SnapshotPointer::default();
        for item in Box::pin(self.read_log(keys::listing(listing), from, true)).await? {
            if ItemReader(&item).text(SK)? == keys::SNAPSHOT_POINTER {
                pointer = SnapshotPointer::read(&item);
            } else {
                changes.push(read(&item)?);
            }
        }
        Ok((changes, pointer))
    }

    /// The entries of a listing's vote log whose writing began at `from` or later, in order.
    ///
    /// An entry may still appear between entries that were read.
    pub async fn read_vote_log(
        &self,
        listing: Listing,
        from: Timestamp,
        is_consistent: bool,
    ) -> Result<Vec<LogEntry>, StoreError> {
        let log = self.read_log(keys::vote_log(listing), from, is_consistent);
        let items = Box::pin(log).await?;
        items.iter().map(read).collect()
    }

    /// Callers box it: a call's future is large, and two of them run beside each other.
    async fn read_log(
        &self,
        partition: String,
        from: Timestamp,
        is_consistent: bool,
    ) -> Result<Vec<Attributes>, StoreError> {
        let mut items = Vec::new();
        let mut begin = None;
        loop {
            let answer = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.names.table)
                .consistent_read(is_consistent)
                .key_condition_expression("pk = :pk AND sk >= :from")
                .expression_attribute_values(":pk", text(&partition))
                .expression_attribute_values(":from", text(keys::change_log_from(from)))
                .set_exclusive_start_key(begin)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            items.extend(answer.items.unwrap_or_default());
            begin = answer.last_evaluated_key;
            if begin.is_none() {
                return Ok(items);
            }
        }
    }
}
