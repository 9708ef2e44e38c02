//! One listing in the memory of a process.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use bytes::Bytes;
use domain::{LibraryId, Timestamp, library::Listing};
use search_index::{Page, Query, Snapshot, SortKey};
use store::{
    Store, StoreError,
    listings::{LogEntry, SnapshotPointer},
};

use crate::{
    ModelNumbering,
    replay::{self, ReplayState},
    votes::VotesRead,
};

/// Tries of a load when the snapshot is replaced meanwhile.
const TRIES: usize = 4;
/// Items that are read in one call.
const TOGETHER: usize = 1_000;

/// A listing: its snapshot, and the changes since.
///
/// Locks are held while a search or a change is computed, never during a call to storage.
pub struct Searcher {
    listing: Listing,
    numbering: ModelNumbering,
    /// Name of the snapshot.
    source: Option<String>,
    size: usize,
    snapshot: Snapshot,
    state: RwLock<ReplayState>,
    votes_read: Mutex<VotesRead>,
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher")
            .field("listing", &self.listing)
            .field("source", &self.source)
            .finish()
    }
}

/// Result of a refresh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// The searcher has everything committed before, except for votes of the last second. Points to the listing's present snapshot.
    Current(SnapshotPointer),
    /// The change log no longer has all changes that the searcher lacks: reload the listing.
    SnapshotExpired,
}

pub(crate) fn bits<'a>(numbering: ModelNumbering, names: impl IntoIterator<Item = &'a str>) -> u64 {
    let numbers = names.into_iter().filter_map(numbering).filter(|number| *number < 64);
    numbers.fold(0, |bits, number| bits | 1 << number)
}

impl Searcher {
    /// Loads a listing, with everything committed before.
    ///
    /// # Errors
    /// Storage failed, or has data that cannot be read.
    pub async fn load(
        store: &Store,
        numbering: ModelNumbering,
        listing: Listing,
    ) -> Result<Self, StoreError> {
        for _ in 0..TRIES {
            let pointer = store.snapshot_pointer(listing).await?;
            if let Some(searcher) = Self::load_from(store, numbering, listing, &pointer).await?
                && let Refresh::Current(_) = searcher.refresh(store).await?
            {
                return Ok(searcher);
            }
        }
        Err(StoreError::Corrupt { what: "listing" })
    }

    /// Loads a listing's snapshot without the changes since; `None` if it was removed.
    ///
    /// # Errors
    /// Storage failed, or has data that cannot be read.
    pub async fn load_from(
        store: &Store,
        numbering: ModelNumbering,
        listing: Listing,
        pointer: &SnapshotPointer,
    ) -> Result<Option<Self>, StoreError> {
        let bytes = match &pointer.snapshot {
            Some(snapshot) => match store.read_snapshot(listing, snapshot).await? {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
            None => Bytes::from(Snapshot::build(Vec::new())),
        };
        Ok(Some(Self {
            listing,
            numbering,
            source: pointer.snapshot.as_ref().map(|snapshot| snapshot.name.clone()),
            size: bytes.len(),
            snapshot: Snapshot::open(bytes)
                .map_err(|_| StoreError::Corrupt { what: "snapshot" })?,
            state: RwLock::new(ReplayState::new(pointer.through)),
            votes_read: Mutex::new(VotesRead::new(pointer.through)),
        }))
    }

    /// Reads the changes since the last refresh, and the votes if they are due. Without the votes, searches go on.
    ///
    /// # Errors
    /// Storage failed, or has data that cannot be read.
    pub async fn refresh(&self, store: &Store) -> Result<Refresh, StoreError> {
        let now = store.clock().now();
        let from = self.votes_read().begin(now);
        let read_votes = async {
            let Some(from) = from else { return Ok(None) };
            Ok(match store.read_vote_log(self.listing, from, false).await {
                Ok(votes) => Some(votes),
                Err(error) => {
                    tracing::warn!(%error, "the votes of a second are missing in searches");
                    None
                }
            })
        };
        self.refresh_with(store, now, read_votes).await
    }

    /// Reads the changes and the votes since the snapshot, for the next one: no vote may be missing there.
    ///
    /// # Errors
    /// Storage failed, or has data that cannot be read.
    pub async fn refresh_completely(&self, store: &Store) -> Result<Refresh, StoreError> {
        let through = self.state().from();
        let votes = async { store.read_vote_log(self.listing, through, true).await.map(Some) };
        self.refresh_with(store, store.clock().now(), votes).await
    }

    async fn refresh_with(
        &self,
        store: &Store,
        read_at: Timestamp,
        votes: impl Future<Output = Result<Option<Vec<LogEntry>>, StoreError>>,
    ) -> Result<Refresh, StoreError> {
        let from = self.state().from();
        let ((mut logged, pointer), votes) =
            tokio::try_join!(store.read_change_log(self.listing, from), votes)?;
        if from < pointer.complete_from {
            return Ok(Refresh::SnapshotExpired);
        }
        let has_votes = votes.is_some();
        logged.extend(votes.into_iter().flatten());
        let is_applied =
            |state: &ReplayState| state.has_applied(&logged) && !state.is_stale(read_at);
        if is_applied(&self.state()) {
            self.end_votes(read_at, has_votes);
            return Ok(Refresh::Current(pointer));
        }
        let lookup = self.write(|state| state.lookup(&logged));
        let ids: Vec<LibraryId> = lookup.items.keys().copied().collect();
        let mut found = Vec::with_capacity(ids.len());
        for ids in ids.chunks(TOGETHER) {
            found.extend(store.counted_library_items(ids).await?);
        }
        self.write(|state| {
            state.apply(&logged, &lookup, found, read_at, |item, counts| {
                let names = item.content.recommended_models.iter().map(String::as_str);
                replay::entry(self.listing, bits(self.numbering, names), item, counts)
            });
        });
        self.end_votes(read_at, has_votes);
        Ok(Refresh::Current(pointer))
    }

    /// A searcher of this many bytes.
    #[cfg(test)]
    pub(crate) fn of_size(listing: Listing, size: usize) -> Self {
        let bytes = Bytes::from(Snapshot::build(Vec::new()));
        Self {
            listing,
            numbering: |_| None,
            source: None,
            size,
            snapshot: Snapshot::open(bytes).expect("a snapshot"),
            state: RwLock::new(ReplayState::new(Timestamp::from_millis(0))),
            votes_read: Mutex::new(VotesRead::new(Timestamp::from_millis(0))),
        }
    }

    /// Answers a query from the changes read so far.
    pub fn search(&self, query: &Query) -> Page {
        self.snapshot.search(query, &self.state().delta)
    }

    /// Those of `ids` that match the query, in its order, from the changes read so far.
    pub fn among(&self, query: &Query, ids: &[u128]) -> Vec<SortKey> {
        self.snapshot.among(query, &self.state().delta, ids)
    }

    /// Name of the snapshot; `None` for a listing without one.
    pub fn source(&self) -> Option<&String> {
        self.source.as_ref()
    }

    /// Changes that were read since the snapshot.
    pub fn changes(&self) -> usize {
        self.state().changes
    }

    /// Approximate size in bytes.
    pub fn size(&self) -> usize {
        self.size + self.state().size
    }

    /// A new snapshot with the changes read so far, and the instant, `until` at most, before which
    /// it has every change. Takes as long as reading and writing the snapshot, and several times
    /// its bytes of memory.
    ///
    /// # Errors
    /// The snapshot is damaged.
    pub fn merge(&self, until: Timestamp) -> Result<(Vec<u8>, Timestamp), StoreError> {
        let state = self.state();
        let bytes = self
            .snapshot
            .merge(&state.delta)
            .map_err(|_| StoreError::Corrupt { what: "snapshot" })?;
        Ok((bytes, state.applied_through(until)))
    }

    fn end_votes(&self, read_at: Timestamp, has_votes: bool) {
        if has_votes {
            self.votes_read().end(read_at);
        }
    }

    fn votes_read(&self) -> MutexGuard<'_, VotesRead> {
        self.votes_read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> RwLockReadGuard<'_, ReplayState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write<T>(&self, change: impl FnOnce(&mut ReplayState) -> T) -> T {
        change(&mut self.state.write().unwrap_or_else(PoisonError::into_inner))
    }
}
