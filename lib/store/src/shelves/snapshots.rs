//! Snapshots of shelves: objects in the bucket, and the pointer that names the one in force.
//!
//! | attribute of the pointer | holds |
//! |---|---|
//! | `sn`, `sz` | name and size of the object |
//! | `th` | changes from before are in the snapshot |
//! | `cf` | changes from then on are all still there |
//! | `le` | until when somebody writes the next snapshot |
//! | `v` | how often the pointer was written |
//!
//! An object is written once, under a name of its own, and announced before: what nobody points to is
//! removed by whoever gets the message.

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_item::{UpdateItemError, builders::UpdateItemFluentBuilder},
    types::{DeleteRequest, WriteRequest},
};
use bytes::Bytes;
use domain::{ChangeId, Timestamp, library::Shelf};

use crate::{
    Store, StoreError,
    item::{Attributes, Reader, instant, number, text},
    keys::{self, SK},
};

/// What the keys of snapshots begin with.
pub const SNAPSHOTS_PREFIX: &str = "library/";

/// An object that is a snapshot of a shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfSnapshot {
    /// Its name, which no other one ever has.
    pub name: String,
    /// Its bytes.
    pub size: u64,
}

/// Which snapshot of a shelf is in force, and how it fits the shelf's changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfPointer {
    /// The snapshot; `None` before there is the first: then the changes say everything.
    pub snapshot: Option<ShelfSnapshot>,
    /// The snapshot has every change whose making began before, and perhaps later ones.
    pub through: Timestamp,
    /// Every change whose making began at this instant or later is still there.
    pub complete_from: Timestamp,
    /// Until when somebody writes the next snapshot.
    pub leased_until: Timestamp,
    version: u32,
}

impl Default for ShelfPointer {
    fn default() -> Self {
        let beginning = Timestamp::from_millis(0);
        Self {
            snapshot: None,
            through: beginning,
            complete_from: beginning,
            leased_until: beginning,
            version: 0,
        }
    }
}

impl ShelfPointer {
    pub(super) fn read(item: &Attributes) -> Self {
        let reader = Reader(item);
        let beginning = Timestamp::from_millis(0);
        let size = reader.optional_number("sz").and_then(|size| u64::try_from(size).ok());
        Self {
            snapshot: reader.optional_text("sn").map(|name| ShelfSnapshot {
                name: name.to_owned(),
                size: size.unwrap_or_default(),
            }),
            through: reader.optional_instant("th").unwrap_or(beginning),
            complete_from: reader.optional_instant("cf").unwrap_or(beginning),
            leased_until: reader.optional_instant("le").unwrap_or(beginning),
            version: reader.count("v"),
        }
    }
}

/// Key of a snapshot's object.
fn object(shelf: Shelf, name: &str) -> String {
    let shelf = match shelf {
        Shelf::Community => "community".to_owned(),
        Shelf::Official => "official".to_owned(),
        Shelf::Own(account) => account.unique(),
    };
    format!("{SNAPSHOTS_PREFIX}{shelf}/{name}")
}

impl Store {
    /// Where a shelf's snapshot is, with everything written before.
    pub async fn shelf_pointer(&self, shelf: Shelf) -> Result<ShelfPointer, StoreError> {
        let item = self.read_item(keys::shelf_pointer(shelf)).await?;
        Ok(item.as_ref().map(ShelfPointer::read).unwrap_or_default())
    }

    /// Reserves writing the next snapshot until an instant, if the pointer still is as it was read. `None`
    /// if it is not.
    pub async fn lease_shelf(
        &self,
        shelf: Shelf,
        pointer: &ShelfPointer,
        until: Timestamp,
    ) -> Result<Option<ShelfPointer>, StoreError> {
        let version = pointer.version + 1;
        let update = self
            .pointer_update(shelf, pointer.version)
            .update_expression("SET le = :until, v = :v")
            .expression_attribute_values(":until", instant(until))
            .expression_attribute_values(":v", number(version));
        let is_leased = self.is_updated(update).await?;
        Ok(is_leased.then(|| ShelfPointer { leased_until: until, version, ..pointer.clone() }))
    }

    /// Puts a snapshot into force, which has every change from before `through`, if the pointer still is
    /// `held` as it was leased. Changes that the snapshot before does not have stay.
    pub async fn point_shelf(
        &self,
        shelf: Shelf,
        held: &ShelfPointer,
        snapshot: &ShelfSnapshot,
        through: Timestamp,
    ) -> Result<bool, StoreError> {
        let size = i64::try_from(snapshot.size).unwrap_or(i64::MAX);
        let update = self
            .pointer_update(shelf, held.version)
            .update_expression("SET sn = :sn, sz = :sz, th = :th, cf = :cf, v = :v REMOVE le")
            .expression_attribute_values(":sn", text(&snapshot.name))
            .expression_attribute_values(":sz", number(size))
            .expression_attribute_values(":th", instant(through))
            .expression_attribute_values(":cf", instant(held.through))
            .expression_attribute_values(":v", number(held.version + 1));
        self.is_updated(update).await
    }

    fn pointer_update(&self, shelf: Shelf, version: u32) -> UpdateItemFluentBuilder {
        let condition = if version == 0 { "attribute_not_exists(v)" } else { "v = :before" };
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::shelf_pointer(shelf)))
            .condition_expression(condition);
        if version == 0 {
            return update;
        }
        update.expression_attribute_values(":before", number(version))
    }

    async fn is_updated(&self, update: UpdateItemFluentBuilder) -> Result<bool, StoreError> {
        match self.update_patiently(update).await {
            Ok(_) => Ok(true),
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), UpdateItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(false)
            }
            Err(error) => Err(StoreError::unavailable("table", error)),
        }
    }

    /// The bytes of a snapshot; `None` if its object is gone, since another one is in force by now.
    pub async fn read_snapshot(
        &self,
        shelf: Shelf,
        snapshot: &ShelfSnapshot,
    ) -> Result<Option<Bytes>, StoreError> {
        self.get_large_object(&object(shelf, &snapshot.name), snapshot.size).await
    }

    /// Writes a snapshot under a name that no other one has. It is not in force yet.
    pub async fn write_snapshot(
        &self,
        shelf: Shelf,
        name: &str,
        bytes: Bytes,
    ) -> Result<(), StoreError> {
        self.put_large_object(&object(shelf, name), bytes).await
    }

    /// Removes a snapshot unless it is in force; one that there is not is no error.
    pub async fn discard_snapshot(&self, shelf: Shelf, name: &str) -> Result<(), StoreError> {
        let pointer = self.shelf_pointer(shelf).await?;
        if pointer.snapshot.is_some_and(|snapshot| snapshot.name == name) {
            return Ok(());
        }
        self.delete_object(&object(shelf, name)).await
    }

    /// Removes the changes on a shelf that no reader needs any more: those from before its changes have to
    /// be complete.
    pub async fn forget_shelf_changes(&self, shelf: Shelf) -> Result<(), StoreError> {
        let before = self.shelf_pointer(shelf).await?.complete_from;
        let mut begin = None;
        loop {
            let answer = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.names.table)
                .key_condition_expression("pk = :pk AND sk < :before")
                .projection_expression("sk")
                .expression_attribute_values(":pk", text(keys::shelf(shelf)))
                .expression_attribute_values(":before", text(keys::shelf_changes_from(before)))
                .set_exclusive_start_key(begin)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            let mut deletions = Vec::new();
            for item in answer.items.unwrap_or_default() {
                let place = ChangeId::from_unique(Reader(&item).text(SK)?);
                let place = place.map_err(|_| StoreError::corrupt(SK))?;
                deletions.push(deletion(keys::shelf_change(shelf, place))?);
            }
            self.write_all(deletions).await?;
            begin = answer.last_evaluated_key;
            if begin.is_none() {
                return Ok(());
            }
        }
    }
}

/// A write that deletes an item.
pub(super) fn deletion(key: keys::Key) -> Result<WriteRequest, StoreError> {
    let request = DeleteRequest::builder().set_key(Some(key)).build();
    let request = request.map_err(|error| StoreError::unavailable("table", error))?;
    Ok(WriteRequest::builder().delete_request(request).build())
}
