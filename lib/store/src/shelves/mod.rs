//! Shelves of the library: what has changed on them, in the order of the changes.
//!
//! A change is told to its shelves in the transaction that makes it. It says only that an item changed and
//! which version the item had then; what the item is, its record tells. [Snapshots](ShelfPointer) take
//! changes in, and what a snapshot and the one before it have taken in is removed.
//!
//! | attribute of a change | holds |
//! |---|---|
//! | `id` | which item |
//! | `v` or `n` | the version that it was written as, or how many votes it has |

mod snapshots;
mod tallies;

use aws_sdk_dynamodb::types::{Put, TransactWriteItem};
use domain::{ChangeId, LibraryId, Timestamp, library::Shelf};

use crate::{
    Store, StoreError,
    item::{Attributes, Reader, number, text},
    keys::{self, SK},
};

pub use snapshots::{SNAPSHOTS_PREFIX, ShelfPointer, ShelfSnapshot};

/// What a shelf is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShelfChange {
    /// An item was written for the `version`th time, or deleted after its last one: then `version` is the
    /// one that it never had.
    Item {
        /// Which item.
        id: LibraryId,
        /// How often it was written.
        version: u32,
    },
    /// An item has so many votes.
    Votes {
        /// Which item.
        id: LibraryId,
        /// Accounts whose vote it had when they were counted.
        votes: u32,
    },
}

/// A change as a shelf was told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its place among the changes, by the instant at which its making began.
    pub place: ChangeId,
    /// What changed.
    pub change: ShelfChange,
}

fn item(shelf: Shelf, told: Told) -> Attributes {
    let (id, attribute, value) = match told.change {
        ShelfChange::Item { id, version } => (id, "v", version),
        ShelfChange::Votes { id, votes } => (id, "n", votes),
    };
    let mut item = keys::shelf_change(shelf, told.place);
    item.insert("id".to_owned(), text(id.unique()));
    item.insert(attribute.to_owned(), number(value));
    item
}

fn read(item: &Attributes) -> Result<Told, StoreError> {
    let reader = Reader(item);
    let place = ChangeId::from_unique(reader.text(SK)?).map_err(|_| StoreError::corrupt(SK))?;
    let id = LibraryId::from_unique(reader.text("id")?).map_err(|_| StoreError::corrupt("id"))?;
    let change = match reader.optional_number("n") {
        Some(_) => ShelfChange::Votes { id, votes: reader.count("n") },
        None => ShelfChange::Item { id, version: reader.count("v") },
    };
    Ok(Told { place, change })
}

impl Store {
    /// The write that tells a shelf of a change, to be part of the transaction that makes it.
    pub(crate) fn tell_shelf(&self, shelf: Shelf, change: ShelfChange) -> TransactWriteItem {
        let place = ChangeId::new(&*self.clock, &*self.random);
        let item = item(shelf, Told { place, change });
        let put = Put::builder().table_name(&self.names.table).set_item(Some(item)).build();
        TransactWriteItem::builder().set_put(put.ok()).build()
    }

    /// The changes on a shelf whose making began at an instant or later, in their order, with everything
    /// written before, and where its snapshot was after they were read.
    ///
    /// A change appears only when it is committed, so it may still appear among those that were read.
    pub async fn shelf_changes(
        &self,
        shelf: Shelf,
        from: Timestamp,
    ) -> Result<(Vec<Told>, ShelfPointer), StoreError> {
        let mut changes = Vec::new();
        let mut pointer = ShelfPointer::default();
        let mut begin = None;
        loop {
            let answer = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.names.table)
                .consistent_read(true)
                .key_condition_expression("pk = :pk AND sk >= :from")
                .expression_attribute_values(":pk", text(keys::shelf(shelf)))
                .expression_attribute_values(":from", text(keys::shelf_changes_from(from)))
                .set_exclusive_start_key(begin)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            for item in answer.items.unwrap_or_default() {
                if Reader(&item).text(SK)? == keys::SHELF_POINTER {
                    pointer = ShelfPointer::read(&item);
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
