//! Writing a listing's next snapshot.
//!
//! Whoever writes it holds a lease; two at once would only waste work, since the pointer is moved under its
//! version. The object is announced before it is written and the old one before it is left: a message
//! later removes what the pointer doesn't name. Whoever is stopped anywhere has lost nothing, and the
//! message that asked for the snapshot comes back.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use domain::{ChangeId, Timestamp, library::Listing};
use store::{
    Store, StoreError,
    library::queue::{DISCARD_SNAPSHOT_DELAY, LibraryJob},
    listings::SnapshotObject,
};

use crate::{
    ModelNumbering, compaction_threshold,
    searcher::{Refresh, Searcher},
};

/// How long a snapshot may take: longer than the function that writes it, and shorter than until
/// somebody lookups whether its object is anybody's.
pub const LEASE: Duration = Duration::from_secs(600);

/// How far behind the present a change may still appear, with much to spare: it is tried for five seconds.
const COMMIT_DELAY: Duration = Duration::from_secs(60);

/// What became of a snapshot that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compaction {
    /// It is in force.
    Done,
    /// Little has changed.
    NotDue,
    /// Somebody writes it, at most until this instant.
    Leased(Timestamp),
    /// Somebody else was faster.
    Overtaken,
}

/// Writes a listing's next snapshot if it is due, and removes the changes that nobody needs any more.
///
/// # Errors
/// Storage does not answer, or has what cannot be read.
pub async fn compact(
    store: &Store,
    numbering: ModelNumbering,
    listing: Listing,
) -> Result<Compaction, StoreError> {
    let begun = store.clock().now();
    let late = i64::try_from(COMMIT_DELAY.as_millis()).unwrap_or(i64::MAX);
    let until = Timestamp::from_millis(begun.millis() - late);
    let through = store.snapshot_pointer(listing).await?.through;
    let (logged, pointer) = store.read_change_log(listing, through).await?;
    let settled = logged.iter().filter(|logged| logged.position.created_at() < until).count();
    if pointer.through != through || settled < compaction_threshold(listing) / 2 {
        store.truncate_change_log(listing).await?;
        return Ok(Compaction::NotDue);
    }
    if pointer.leased_until > begun {
        return Ok(Compaction::Leased(pointer.leased_until));
    }
    let Some(held) = store.lease_snapshot(listing, &pointer, begun + LEASE).await? else {
        return Ok(Compaction::Overtaken);
    };
    let name = ChangeId::new(&**store.clock(), &**store.random()).unique();
    let new = LibraryJob::DiscardSnapshot { listing, name: name.clone() };
    store.enqueue_library_job(&new, DISCARD_SNAPSHOT_DELAY).await?;

    let Some(searcher) = Searcher::load_from(store, numbering, listing, &held).await? else {
        return Ok(Compaction::Overtaken);
    };
    if searcher.refresh(store).await? == Refresh::SnapshotExpired {
        return Ok(Compaction::Overtaken);
    }
    let (bytes, through) = merged(searcher, until).await?;
    let snapshot = SnapshotObject { name, size: bytes.len() as u64 };
    store.write_snapshot(listing, &snapshot.name, bytes).await?;
    if let Some(old) = &held.snapshot {
        let old = LibraryJob::DiscardSnapshot { listing, name: old.name.clone() };
        store.enqueue_library_job(&old, DISCARD_SNAPSHOT_DELAY).await?;
    }
    let is_late = store.clock().now() >= held.leased_until;
    if is_late
        || !store.commit_snapshot(listing, &held, &snapshot, through.max(held.through)).await?
    {
        return Ok(Compaction::Overtaken);
    }
    store.truncate_change_log(listing).await?;
    Ok(Compaction::Done)
}

/// Computes a new snapshot beside what else the process does.
async fn merged(searcher: Searcher, until: Timestamp) -> Result<(Bytes, Timestamp), StoreError> {
    let searcher = Arc::new(searcher);
    let merged = tokio::task::spawn_blocking(move || searcher.merge(until)).await;
    let (bytes, through) = merged.map_err(|_| StoreError::Corrupt { what: "snapshot" })??;
    Ok((Bytes::from(bytes), through))
}
