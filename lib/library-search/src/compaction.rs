//! Writes a listing's next snapshot.
//!
//! The writer holds a lease; two writers would only waste work, since the pointer is moved under
//! its version. A message to discard objects is enqueued before the new object is written: it later
//! removes those that the pointer does not name. Every request removes them too, so that a lost
//! message leaves nothing for ever. A writer that is stopped at any step loses nothing, and the
//! message that requested the snapshot is received again.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use domain::{ChangeId, Timestamp, library::Listing};
use store::{
    Store, StoreError,
    library::queue::{DISCARD_SNAPSHOTS_DELAY, LibraryJob},
    listings::{ABANDONED_AFTER, SnapshotObject},
};

use crate::{
    ModelNumbering, compaction_threshold,
    searcher::{Refresh, Searcher},
};

/// Longest time for a snapshot: longer than the timeout of the function that writes it, and shorter
/// than [`ABANDONED_AFTER`].
pub const LEASE: Duration = Duration::from_secs(600);
const _: () = assert!(LEASE.as_secs() < ABANDONED_AFTER.as_secs());

/// How much older than the present a log entry may be when it appears, with a margin: transactions
/// are retried for five seconds.
const MIN_AGE: Duration = Duration::from_secs(60);

/// Size in bytes up to which a snapshot is computed on the caller's thread: it takes a few milliseconds, and what runs
/// on one thread can be repeated exactly.
const QUICK_BYTES: usize = 256 * 1024;

/// Result of a compaction request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compaction {
    /// The new snapshot is in use.
    Done,
    /// Too little has changed.
    NotDue,
    /// Another writer holds the lease, until this instant at most.
    Leased(Timestamp),
    /// Another writer was faster.
    Overtaken,
}

/// Writes a listing's next snapshot if it is due, truncates its logs, and removes objects that
/// nothing points to.
///
/// # Errors
/// Storage failed, or has data that cannot be read.
pub async fn compact(
    store: &Store,
    numbering: ModelNumbering,
    listing: Listing,
) -> Result<Compaction, StoreError> {
    store.discard_snapshots(listing).await?;
    let begun = store.clock().now();
    let until = begun - MIN_AGE;
    let through = store.snapshot_pointer(listing).await?.through;
    let ((mut logged, pointer), votes) = tokio::try_join!(
        store.read_change_log(listing, through),
        store.read_vote_log(listing, through, true),
    )?;
    logged.extend(votes);
    let settled = logged.iter().filter(|logged| logged.position.created_at() < until).count();
    if pointer.through != through || settled < compaction_threshold(listing) / 2 {
        store.truncate_logs(listing).await?;
        return Ok(Compaction::NotDue);
    }
    if pointer.leased_until > begun {
        return Ok(Compaction::Leased(pointer.leased_until));
    }
    let Some(held) = store.lease_snapshot(listing, &pointer, begun + LEASE).await? else {
        return Ok(Compaction::Overtaken);
    };
    let name = ChangeId::new(&**store.clock(), &**store.random()).unique();
    let discard = LibraryJob::DiscardSnapshots { listing };
    store.enqueue_library_job(&discard, DISCARD_SNAPSHOTS_DELAY).await?;

    let Some(searcher) = Searcher::load_from(store, numbering, listing, &held).await? else {
        return Ok(Compaction::Overtaken);
    };
    if searcher.refresh_completely(store).await? == Refresh::SnapshotExpired {
        return Ok(Compaction::Overtaken);
    }
    let (bytes, through) = merged(searcher, until).await?;
    let snapshot = SnapshotObject { name, size: bytes.len() as u64 };
    store.write_snapshot(listing, &snapshot.name, bytes).await?;
    let is_late = store.clock().now() >= held.leased_until;
    if is_late
        || !store.commit_snapshot(listing, &held, &snapshot, through.max(held.through)).await?
    {
        return Ok(Compaction::Overtaken);
    }
    store.truncate_logs(listing).await?;
    Ok(Compaction::Done)
}

/// Computes a new snapshot; one that takes long, on a thread of its own.
async fn merged(searcher: Searcher, until: Timestamp) -> Result<(Bytes, Timestamp), StoreError> {
    if searcher.size() <= QUICK_BYTES {
        return searcher.merge(until).map(|(bytes, through)| (Bytes::from(bytes), through));
    }
    let searcher = Arc::new(searcher);
    let merged = tokio::task::spawn_blocking(move || searcher.merge(until)).await;
    let (bytes, through) = merged.map_err(|_| StoreError::Corrupt { what: "snapshot" })??;
    Ok((Bytes::from(bytes), through))
}
