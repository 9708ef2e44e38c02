//! Snapshots of listings: objects in the bucket, and the pointer to the current one.
//!
//! | attribute of the pointer | holds |
//! |---|---|
//! | `sn`, `sz` | name and size of the object |
//! | `th` | changes from before this instant are in the snapshot |
//! | `cf` | all changes from this instant on are still in the log |
//! | `le`, `tok` | end of the lease for writing the next snapshot, and its token |
//! | `v` | how often the pointer was written |
//!
//! An object is written once, under a unique name. Whatever the pointer does not name and no writer
//! is about to make current is removed by [`Store::discard_snapshots`].

use std::time::Duration;

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use bytes::Bytes;
use domain::{ChangeId, Timestamp, library::Listing, random};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, bytes, instant, number, text},
    keys,
};

/// Prefix of the keys of snapshots.
pub const SNAPSHOTS_PREFIX: &str = "library/";

/// Age at which a snapshot that is not current never will be: longer than its writer's lease, and
/// shorter than the delay of the job that removes it.
pub const ABANDONED_AFTER: Duration = Duration::from_secs(840);

/// An object that is a snapshot of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotObject {
    /// Its name; no other object ever has it.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
}

/// The current snapshot of a listing, and how it fits the change log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotPointer {
    /// The snapshot; `None` before there is a first one: then the log is complete.
    pub snapshot: Option<SnapshotObject>,
    /// The snapshot has every change whose writing began before this instant, and perhaps later
    /// ones.
    pub through: Timestamp,
    /// Every change whose writing began at this instant or later is still in the log.
    pub complete_from: Timestamp,
    /// End of the lease for writing the next snapshot.
    pub leased_until: Timestamp,
    version: u32,
}

impl Default for SnapshotPointer {
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

impl SnapshotPointer {
    pub(super) fn read(item: &Attributes) -> Self {
        let reader = ItemReader(item);
        let beginning = Timestamp::from_millis(0);
        let size = reader.optional_number("sz").and_then(|size| u64::try_from(size).ok());
        Self {
            snapshot: reader.optional_text("sn").map(|name| SnapshotObject {
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

/// Prefix of the keys of a listing's snapshots.
pub(crate) fn folder(listing: Listing) -> String {
    let listing = match listing {
        Listing::Community => "community".to_owned(),
        Listing::Official => "official".to_owned(),
        Listing::Own(account) => account.unique(),
    };
    format!("{SNAPSHOTS_PREFIX}{listing}/")
}

/// Key of a snapshot's object.
fn object(listing: Listing, name: &str) -> String {
    format!("{}{name}", folder(listing))
}

impl Store {
    /// The pointer to a listing's snapshot, with a consistent read.
    pub async fn snapshot_pointer(&self, listing: Listing) -> Result<SnapshotPointer, StoreError> {
        let item = self.get_item(keys::snapshot_pointer(listing)).await?;
        Ok(item.as_ref().map(SnapshotPointer::read).unwrap_or_default())
    }

    /// Takes the lease for writing the next snapshot, if the pointer still is as it was read.
    /// `None` if it is not. The token lets a repeated call succeed whose first answer got lost.
    pub async fn lease_snapshot(
        &self,
        listing: Listing,
        pointer: &SnapshotPointer,
        until: Timestamp,
    ) -> Result<Option<SnapshotPointer>, StoreError> {
        let version = pointer.version + 1;
        let token = random::bytes::<12>(&*self.random).to_vec();
        let update = self
            .pointer_update(listing, pointer.version, "tok = :token")
            .update_expression("SET le = :until, v = :v, tok = :token")
            .expression_attribute_values(":until", instant(until))
            .expression_attribute_values(":token", bytes(token));
        let is_leased = self.update_if(update).await?;
        Ok(is_leased.then(|| SnapshotPointer { leased_until: until, version, ..pointer.clone() }))
    }

    /// Makes a snapshot with every change from before `through` the current one, if the pointer
    /// still is `held` as it was leased. Changes that the snapshot before does not have remain in
    /// the log.
    pub async fn commit_snapshot(
        &self,
        listing: Listing,
        held: &SnapshotPointer,
        snapshot: &SnapshotObject,
        through: Timestamp,
    ) -> Result<bool, StoreError> {
        let size = i64::try_from(snapshot.size).unwrap_or(i64::MAX);
        let update = self
            .pointer_update(listing, held.version, "sn = :sn")
            .update_expression("SET sn = :sn, sz = :sz, th = :th, cf = :cf, v = :v REMOVE le, tok")
            .expression_attribute_values(":sn", text(&snapshot.name))
            .expression_attribute_values(":sz", number(size))
            .expression_attribute_values(":th", instant(through))
            .expression_attribute_values(":cf", instant(held.through));
        self.update_if(update).await
    }

    /// An update that makes version `before` the next one. It also succeeds if it already has: then
    /// the pointer has the next version, and `is_mine` holds.
    fn pointer_update(
        &self,
        listing: Listing,
        before: u32,
        is_mine: &str,
    ) -> UpdateItemFluentBuilder {
        let is_before = if before == 0 { "attribute_not_exists(v)" } else { "v = :before" };
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::snapshot_pointer(listing)))
            .condition_expression(format!("{is_before} OR (v = :v AND {is_mine})"))
            .expression_attribute_values(":v", number(before + 1));
        if before == 0 {
            return update;
        }
        update.expression_attribute_values(":before", number(before))
    }

    /// The bytes of a snapshot; `None` if its object is gone, because another snapshot is current
    /// now.
    pub async fn read_snapshot(
        &self,
        listing: Listing,
        snapshot: &SnapshotObject,
    ) -> Result<Option<Bytes>, StoreError> {
        self.get_large_object(&object(listing, &snapshot.name), snapshot.size).await
    }

    /// Writes a snapshot under a unique name. It is not current yet.
    pub async fn write_snapshot(
        &self,
        listing: Listing,
        name: &str,
        bytes: Bytes,
    ) -> Result<(), StoreError> {
        self.put_large_object(&object(listing, name), bytes).await
    }

    /// Removes the listing's snapshots that are older than [`ABANDONED_AFTER`], except the current
    /// one: those that were replaced, and those whose writer stopped before they were current.
    pub async fn discard_snapshots(&self, listing: Listing) -> Result<(), StoreError> {
        let folder = folder(listing);
        let is_abandoned = |name: &&str| {
            let written = ChangeId::from_unique(name).map(|id| id.created_at() + ABANDONED_AFTER);
            written.is_ok_and(|end| end <= self.clock.now())
        };
        let keys = self.list_objects(&folder).await?;
        let names = keys.iter().filter_map(|key| key.strip_prefix(&folder)).filter(is_abandoned);
        let names: Vec<_> = names.collect();
        if names.is_empty() {
            return Ok(());
        }
        // Read after the list: what is not current now and abandoned never will be.
        let current = self.snapshot_pointer(listing).await?.snapshot;
        for name in names {
            if current.as_ref().is_none_or(|current| current.name != name) {
                self.delete_object(&object(listing, name)).await?;
            }
        }
        Ok(())
    }

    /// Removes the log entries that no reader needs any more: those from before the pointer's
    /// [`complete_from`](SnapshotPointer::complete_from).
    pub async fn truncate_logs(&self, listing: Listing) -> Result<(), StoreError> {
        let before = self.snapshot_pointer(listing).await?.complete_from;
        for log in [keys::listing(listing), keys::vote_log(listing)] {
            let query = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.names.table)
                .key_condition_expression("pk = :pk AND sk < :before")
                .expression_attribute_values(":pk", text(log))
                .expression_attribute_values(":before", text(keys::change_log_from(before)));
            self.delete_found(query, |_| true).await?;
        }
        Ok(())
    }
}
