//! The searchers that a process keeps in memory.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
    time::Duration,
};

use domain::{Timestamp, library::Listing};

use crate::searcher::Searcher;

/// Most bytes of all searchers of accounts' own listings together.
const MAX_BYTES: usize = 64 << 20;
/// Most listings in the cache.
const MAX_ENTRIES: usize = 4_096;
/// Least time between two compaction requests of a process for one listing.
const REQUEST_INTERVAL: Duration = Duration::from_secs(60);
/// Pause after a newer snapshot could not be loaded, so that not every search waits for it.
const RELOAD_PAUSE: Duration = Duration::from_secs(60);

/// A listing's entry in the cache.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) listing: Listing,
    /// Held during a load, so that concurrent searches load the listing once.
    pub(crate) loading: tokio::sync::Mutex<()>,
    searcher: RwLock<Option<Arc<Searcher>>>,
    requested_at: Mutex<Option<Timestamp>>,
    reload_failed_at: Mutex<Option<Timestamp>>,
}

impl Slot {
    fn new(listing: Listing) -> Self {
        let (loading, searcher, requested_at, reload_failed_at) = Default::default();
        Self { listing, loading, searcher, requested_at, reload_failed_at }
    }

    /// The loaded searcher.
    pub(crate) fn searcher(&self) -> Option<Arc<Searcher>> {
        self.searcher.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn replace(&self, searcher: Arc<Searcher>) {
        *self.searcher.write().unwrap_or_else(PoisonError::into_inner) = Some(searcher);
    }

    /// Whether this searcher is the loaded one, or none is loaded.
    pub(crate) fn has(&self, searcher: Option<&Arc<Searcher>>) -> bool {
        match (self.searcher(), searcher) {
            (Some(there), Some(searcher)) => Arc::ptr_eq(&there, searcher),
            (None, _) => true,
            (Some(_), None) => false,
        }
    }

    /// Whether a compaction may be requested again; `true` counts as the request.
    pub(crate) fn may_request_compaction(&self, now: Timestamp) -> bool {
        let mut requested_at = locked(&self.requested_at);
        let may = requested_at.is_none_or(|requested_at| requested_at + REQUEST_INTERVAL <= now);
        if may {
            *requested_at = Some(now);
        }
        may
    }

    /// Whether a newer snapshot may be loaded although the searcher is current.
    pub(crate) fn may_reload(&self, now: Timestamp) -> bool {
        locked(&self.reload_failed_at).is_none_or(|failed_at| failed_at + RELOAD_PAUSE <= now)
    }

    pub(crate) fn reload_failed(&self, now: Timestamp) {
        *locked(&self.reload_failed_at) = Some(now);
    }

    fn size(&self) -> usize {
        self.searcher().map_or(0, |searcher| searcher.size())
    }
}

/// All slots, and when each was last used.
#[derive(Debug, Default)]
pub(crate) struct SearcherCache(Mutex<Slots>);

#[derive(Debug, Default)]
struct Slots {
    used: HashMap<Listing, Use>,
    uses: u64,
    /// Bytes of all accounts' own listings, as last reported to [`SearcherCache::evict_if_full`].
    taken: usize,
}

#[derive(Debug)]
struct Use {
    slot: Arc<Slot>,
    last: u64,
    size: usize,
}

impl SearcherCache {
    /// The slot of a listing; counts as a use.
    pub(crate) fn slot(&self, listing: Listing) -> Arc<Slot> {
        let mut slots = locked(&self.0);
        slots.uses += 1;
        let last = slots.uses;
        let new = || Use { slot: Arc::new(Slot::new(listing)), last, size: 0 };
        let entry = slots.used.entry(listing).or_insert_with(new);
        entry.last = last;
        entry.slot.clone()
    }

    /// Records the slot's present size, and evicts the least recently used listings if the cache is
    /// full. Never evicts this slot or a public listing.
    pub(crate) fn evict_if_full(&self, slot: &Slot) {
        if !matches!(slot.listing, Listing::Own(_)) {
            return;
        }
        let size = slot.size();
        let mut slots = locked(&self.0);
        if let Some(entry) = slots.used.get_mut(&slot.listing) {
            let before = std::mem::replace(&mut entry.size, size);
            slots.taken = slots.taken + size - before;
        }
        while slots.taken > MAX_BYTES || slots.used.len() > MAX_ENTRIES {
            let own = slots.used.iter().filter(|(listing, _)| {
                matches!(listing, Listing::Own(_)) && **listing != slot.listing
            });
            let oldest = own.min_by_key(|(_, entry)| entry.last).map(|(listing, _)| *listing);
            let Some(gone) = oldest.and_then(|oldest| slots.used.remove(&oldest)) else { return };
            slots.taken -= gone.size;
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic cannot leave the values under these locks half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
