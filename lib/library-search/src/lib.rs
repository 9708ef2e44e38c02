//! Searching listings of the library: what a process keeps of them, and how that stays true.
//!
//! A process has a [`Searcher`] of each listing that it was asked about: the listing's snapshot, and what has
//! changed since. Before every search the searcher reads what changed since it last looked, so that a search
//! sees everything that was committed before it began; two processes need not know of each other. Searchers of
//! accounts' own listings are cache as long as there is room, the two public ones always.

mod cache;
mod compaction;
mod replay;
mod searcher;

use std::{sync::Arc, time::Duration};

use cache::{SearcherCache, Slot};
use domain::{LibraryId, library::Listing};
use search_index::{Page, Query, SortKey};
use store::{Store, StoreError, library::queue::LibraryJob};

pub use compaction::{Compaction, LEASE, compact};
pub use searcher::{Refresh, Searcher};

/// Numbers the target models, each below 64; `None` for names that have no number.
pub type ModelNumbering = fn(&str) -> Option<u32>;

/// Changes since the snapshot from which on a new one is asked for.
pub const fn compaction_threshold(listing: Listing) -> usize {
    match listing {
        Listing::Community | Listing::Official => 1_000,
        Listing::Own(_) => 50,
    }
}

/// How many times that a searcher may grow while a newer snapshot is loaded beside it.
const MAX_GROWTH: usize = 5;
/// Bytes of a snapshot that a search waits for; a larger one is loaded while searches go on.
const SMALL_SNAPSHOT: u64 = 8 << 20;
/// Time for reading ahead: a function's start that takes 10 s is begun anew.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(7);
/// How often a search lookups again when the listing's snapshot changes under its hands.
const MAX_REFRESHES: usize = 4;

/// An item with its place in an order; the smaller stands first. Places on different listings in the same
/// order can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Where it stands.
    pub sort_key: SortKey,
    /// Which item.
    pub id: LibraryId,
}

/// What a process keeps of all listings; cheap to clone.
#[derive(Clone, Debug)]
pub struct LibraryIndex {
    store: Store,
    numbering: ModelNumbering,
    cache: Arc<SearcherCache>,
}

impl LibraryIndex {
    /// Nothing is read yet.
    pub fn new(store: Store, numbering: ModelNumbering) -> Self {
        Self { store, numbering, cache: Arc::default() }
    }

    /// Reads the public listings, so that the first search need not.
    ///
    /// # Errors
    /// Storage does not answer, or has what cannot be read.
    pub async fn preload(&self) -> Result<(), StoreError> {
        for listing in [Listing::Community, Listing::Official] {
            self.searcher(listing).await?;
        }
        Ok(())
    }

    /// The same at the start of a function, as far as there is time; searches read what is missing.
    pub async fn warm_up(&self) {
        match tokio::time::timeout(WARM_UP_TIMEOUT, self.preload()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the library was not preloaded"),
            Err(_) => tracing::warn!("the library takes longer to be read than a start may"),
        }
    }

    /// The models of these names as bits; names without a number have none.
    pub fn bits<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> u64 {
        searcher::bits(self.numbering, names)
    }

    /// Answers a query with everything committed before.
    ///
    /// # Errors
    /// Storage does not answer, or has what cannot be read.
    pub async fn search(&self, listing: Listing, query: &Query) -> Result<Page, StoreError> {
        Ok(self.searcher(listing).await?.search(query))
    }

    /// Those of some items that a query asks for, in order, on one page, with everything committed before.
    ///
    /// # Errors
    /// Storage does not answer, or has what cannot be read.
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
                if newest.size <= SMALL_SNAPSHOT
                    || searcher.changes() > MAX_GROWTH * compaction_threshold(listing)
                {
                    match self.reload(&slot, Some(&searcher)).await? {
                        Some(new) => return Ok(new),
                        None => continue,
                    }
                }
                self.reload_in_background(&slot, &searcher);
            }
            self.request_compaction(&slot, &searcher).await;
            return Ok(searcher);
        }
        Err(StoreError::Corrupt { what: "listing" })
    }

    /// Reads a listing anew in place of an outdated searcher. `None` if somebody else has done so meanwhile:
    /// what was committed before this call may be missing there.
    async fn reload(
        &self,
        slot: &Arc<Slot>,
        outdated: Option<&Arc<Searcher>>,
    ) -> Result<Option<Arc<Searcher>>, StoreError> {
        let _loading = slot.loading.lock().await;
        if !slot.has(outdated) {
            return Ok(None);
        }
        let searcher = Arc::new(Searcher::load(&self.store, self.numbering, slot.listing).await?);
        slot.replace(searcher.clone());
        self.cache.evict_if_full(slot);
        // Processes that are asked once must not read all changes for ever.
        self.request_compaction(slot, &searcher).await;
        Ok(Some(searcher))
    }

    /// The same while searches go on with the searcher that there is.
    fn reload_in_background(&self, slot: &Arc<Slot>, outdated: &Arc<Searcher>) {
        if slot.loading.try_lock().is_err() {
            return;
        }
        let (index, slot, outdated) = (self.clone(), slot.clone(), outdated.clone());
        tokio::spawn(async move {
            if let Err(error) = index.reload(&slot, Some(&outdated)).await {
                tracing::warn!(%error, "a newer snapshot could not be loaded");
            }
        });
    }

    /// Asks for a new snapshot if much has changed. Searches do without it.
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
