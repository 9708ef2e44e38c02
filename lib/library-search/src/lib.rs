//! Search over the listings of the library.
//!
//! A process keeps a [`Searcher`] of each listing that it has searched: the listing's snapshot, and
//! a delta index of the changes since. Every search first refreshes the searcher from the change
//! log, so it sees everything that was committed before it began, except for votes of the last second, and processes
//! need not know of each other. Searchers of accounts' own listings are evicted when the cache is full, the two
//! public ones never.

mod cache;
mod compaction;
mod replay;
mod searcher;
mod votes;

use std::{sync::Arc, time::Duration};

use cache::{SearcherCache, Slot};
use domain::{LibraryId, library::Listing};
use search_index::{Page, Query, SortKey};
use store::{Store, StoreError, library::queue::LibraryJob};

pub use compaction::{Compaction, LEASE, compact};
pub use searcher::{Refresh, Searcher};

/// Numbers the target models, each below 64; `None` for names that have no number.
pub type ModelNumbering = fn(&str) -> Option<u32>;

/// Changes since the snapshot at which a compaction is requested. A process reads all of them when it starts, so they
/// are few where changes are rare.
pub const fn compaction_threshold(listing: Listing) -> usize {
    match listing {
        Listing::Community => 1_000,
        Listing::Official | Listing::Own(_) => 50,
    }
}

/// Growth of a searcher, in [`compaction_threshold`]s, that makes a search wait for a new snapshot.
const MAX_GROWTH: usize = 5;
/// How long a search may load a newer snapshot before it answers with the one it has. Reading what
/// it found takes seconds besides, and API Gateway waits for 30.
const RELOAD_BUDGET: Duration = Duration::from_secs(10);
/// Longest preload at a cold start: Lambda restarts an init phase that takes 10 s.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(7);
/// Tries of a refresh when another task replaces the searcher or the snapshot expires meanwhile.
const MAX_REFRESHES: usize = 4;

/// An item with its sort key; the smaller comes first. Hits of different listings in the same order
/// can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Position in the order.
    pub sort_key: SortKey,
    /// The item.
    pub id: LibraryId,
}

/// The listings as a process sees them; cheap to clone.
#[derive(Clone, Debug)]
pub struct LibraryIndex {
    store: Store,
    numbering: ModelNumbering,
    cache: Arc<SearcherCache>,
}

impl LibraryIndex {
    /// An empty cache; reads nothing yet.
    pub fn new(store: Store, numbering: ModelNumbering) -> Self {
        Self { store, numbering, cache: Arc::default() }
    }

    /// Loads the public listings, so that the first search does not wait for them.
    ///
    /// # Errors
    /// Storage failed, or has data that cannot be read.
    pub async fn preload(&self) -> Result<(), StoreError> {
        for listing in [Listing::Community, Listing::Official] {
            self.searcher(listing).await?;
        }
        Ok(())
    }

    /// Preloads at a cold start, for 7 s at most; searches load what is missing.
    pub async fn warm_up(&self) {
        match tokio::time::timeout(WARM_UP_TIMEOUT, self.preload()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the library was not preloaded"),
            Err(_) => tracing::warn!("the library was not preloaded in time"),
        }
    }

    /// These models as bits; names without a number have none.
    pub fn bits<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> u64 {
        searcher::bits(self.numbering, names)
    }

    /// Answers a query. Sees everything committed before the call, except for votes of the last second.
    ///
    /// # Errors
    /// Storage failed, or has data that cannot be read.
    pub async fn search(&self, listing: Listing, query: &Query) -> Result<Page, StoreError> {
        Ok(self.searcher(listing).await?.search(query))
    }

    /// Those of `ids` that match the query, in its order and on one page. Sees everything committed
    /// before the call.
    ///
    /// # Errors
    /// Storage failed, or has data that cannot be read.
    pub async fn among(
        &self,
        listing: Listing,
        query: &Query,
        ids: &[LibraryId],
    ) -> Result<Vec<Hit>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<u128> = ids.iter().map(|id| id.bits()).collect();
        let sort_keys = self.searcher(listing).await?.among(query, &ids);
        let hit = |sort_key: SortKey| Hit { sort_key, id: LibraryId::from_bits(sort_key.id()) };
        Ok(sort_keys.into_iter().map(hit).collect())
    }

    /// The searcher of a listing, with everything committed before this call.
    async fn searcher(&self, listing: Listing) -> Result<Arc<Searcher>, StoreError> {
        let slot = self.cache.slot(listing);
        for _ in 0..MAX_REFRESHES {
            let Some(searcher) = slot.searcher() else {
                match self.reload(&slot, None).await? {
                    Some(new) => return Ok(new),
                    None => continue,
                }
            };
            let pointer = match searcher.refresh(&self.store).await? {
                Refresh::Current(pointer) => pointer,
                Refresh::SnapshotExpired => match self.reload(&slot, Some(&searcher)).await? {
                    Some(new) => return Ok(new),
                    None => continue,
                },
            };
            self.cache.evict_if_full(&slot);
            if let Some(newest) = pointer.snapshot
                && searcher.source() != Some(&newest.name)
            {
                if searcher.changes() > MAX_GROWTH * compaction_threshold(listing) {
                    match self.reload(&slot, Some(&searcher)).await? {
                        Some(new) => return Ok(new),
                        None => continue,
                    }
                }
                if let Some(new) = self.reload_in_time(&slot, &searcher).await {
                    return Ok(new);
                }
            }
            self.request_compaction(&slot, &searcher).await;
            return Ok(searcher);
        }
        Err(StoreError::Corrupt { what: "listing" })
    }

    /// Loads a listing in place of an outdated searcher. `None` if another task did so meanwhile:
    /// its searcher may lack what was committed before this call.
    async fn reload(
        &self,
        slot: &Arc<Slot>,
        outdated: Option<&Arc<Searcher>>,
    ) -> Result<Option<Arc<Searcher>>, StoreError> {
        let _loading = slot.loading.lock().await;
        self.load(slot, outdated).await
    }

    /// The same for a searcher that is current, though of an older snapshot: as long as this search
    /// has time, while others go on with that searcher. Not after the search, since a Lambda function
    /// stands still between two requests.
    async fn reload_in_time(
        &self,
        slot: &Arc<Slot>,
        outdated: &Arc<Searcher>,
    ) -> Option<Arc<Searcher>> {
        let _loading = slot.loading.try_lock().ok()?;
        let clock = self.store.clock();
        if !slot.may_reload(clock.now()) {
            return None;
        }
        tokio::select! {
            loaded = self.load(slot, Some(outdated)) => match loaded {
                Ok(loaded) => return loaded,
                Err(error) => tracing::warn!(%error, "a newer snapshot could not be loaded"),
            },
            () = clock.sleep_until(clock.now() + RELOAD_BUDGET) => {
                tracing::warn!("a newer snapshot could not be loaded in time");
            }
        }
        slot.reload_failed(clock.now());
        None
    }

    /// Loads a listing; the caller holds the slot's lock.
    async fn load(
        &self,
        slot: &Arc<Slot>,
        outdated: Option<&Arc<Searcher>>,
    ) -> Result<Option<Arc<Searcher>>, StoreError> {
        if !slot.has(outdated) {
            return Ok(None);
        }
        let searcher = Arc::new(Searcher::load(&self.store, self.numbering, slot.listing).await?);
        slot.replace(searcher.clone());
        self.cache.evict_if_full(slot);
        // Without this, processes that search only once would read all changes for ever.
        self.request_compaction(slot, &searcher).await;
        Ok(Some(searcher))
    }

    /// Requests a compaction if much has changed. If that fails, searches still work.
    async fn request_compaction(&self, slot: &Slot, searcher: &Searcher) {
        let listing = slot.listing;
        if searcher.changes() < compaction_threshold(listing)
            || !slot.may_request_compaction(self.store.clock().now())
        {
            return;
        }
        let message = LibraryJob::Compact { listing };
        if let Err(error) =
            self.store.enqueue_library_job(&message, std::time::Duration::ZERO).await
        {
            tracing::warn!(%error, "a snapshot is due and could not be requested");
        }
    }
}
