//! Change logs of the library's listings: what has changed in each, in order.
//!
//! The transaction of a change also writes its log entries. An entry says only which item changed
//! and its version then; the content is in the item's record. [Snapshots](SnapshotPointer) include
//! log entries. Entries that both the snapshot and the one before it include are removed.
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
    keys::{self, SK},
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

fn item(listing: Listing, logged: LogEntry) -> Attributes {
    let (id, attribute, value) = match logged.change {
        ListingChange::Item { id, version } => (id, "v", version),
        ListingChange::Votes { id, votes } => (id, "n", votes),
    };
    let mut item = keys::change_log_entry(listing, logged.position);
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
        let item = item(listing, LogEntry { position, change });
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
        let mut begin = None;
        loop {
            let answer = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.names.table)
                .consistent_read(true)
                .key_condition_expression("pk = :pk AND sk >= :from")
                .expression_attribute_values(":pk", text(keys::listing(listing)))
                .expression_attribute_values(":from", text(keys::change_log_from(from)))
                .set_exclusive_start_key(begin)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            for item in answer.items.unwrap_or_default() {
                if ItemReader(&item).text(SK)? == keys::SNAPSHOT_POINTER {
                    pointer = SnapshotPointer::read(&item);
                } else {
                    changes.push(read(&item)?);
                }
            }
            begin = answer.last_evaluated_key;
            if begin.is_none() {
                return Ok((changes, pointer));
            }
        }
    }
}
