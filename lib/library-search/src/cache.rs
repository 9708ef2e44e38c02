//! The searchers that a process keeps.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
    time::Duration,
};

use domain::{Timestamp, library::Listing};

use crate::searcher::Searcher;

/// Bytes that searchers of accounts' own listings may take together.
const MAX_BYTES: usize = 64 << 20;
/// Accounts whose own listings are entry at most.
const MAX_ENTRIES: usize = 4_096;
/// How often a process asks for the snapshot of a listing.
const REQUEST_INTERVAL: Duration = Duration::from_secs(60);

/// A listing's place in the process.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) listing: Listing,
    /// Held by whoever loads the listing, so that it is loaded once.
    pub(crate) loading: tokio::sync::Mutex<()>,
    searcher: RwLock<Option<Arc<Searcher>>>,
    requested_at: Mutex<Option<Timestamp>>,
}

impl Slot {
    fn new(listing: Listing) -> Self {
        let (loading, searcher, requested_at) = Default::default();
        Self { listing, loading, searcher, requested_at }
    }

    /// The searcher that is there.
    pub(crate) fn searcher(&self) -> Option<Arc<Searcher>> {
        self.searcher.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn replace(&self, searcher: Arc<Searcher>) {
        *self.searcher.write().unwrap_or_else(PoisonError::into_inner) = Some(searcher);
    }

    /// Whether the searcher that is there is this one, or there is none.
    pub(crate) fn has(&self, searcher: Option<&Arc<Searcher>>) -> bool {
        match (self.searcher(), searcher) {
            (Some(there), Some(searcher)) => Arc::ptr_eq(&there, searcher),
            (None, _) => true,
            (Some(_), None) => false,
        }
    }

    /// Whether it is time to ask for a snapshot; the answer counts as asking.
    pub(crate) fn may_request_compaction(&self, now: Timestamp) -> bool {
        let mut requested_at = locked(&self.requested_at);
        let may = requested_at.is_none_or(|requested_at| requested_at + REQUEST_INTERVAL <= now);
        if may {
            *requested_at = Some(now);
        }
        may
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
    /// Bytes of all accounts' own listings, as they were last told.
    taken: usize,
}

#[derive(Debug)]
struct Use {
    slot: Arc<Slot>,
    last: u64,
    size: usize,
}

impl SearcherCache {
    /// The slot of a listing.
    pub(crate) fn slot(&self, listing: Listing) -> Arc<Slot> {
        let mut slots = locked(&self.0);
        slots.uses += 1;
        let last = slots.uses;
        let new = || Use { slot: Arc::new(Slot::new(listing)), last, size: 0 };
        let entry = slots.used.entry(listing).or_insert_with(new);
        entry.last = last;
        entry.slot.clone()
    }

    /// Takes note of what a slot takes now, and lets go of those that were not used for the longest time
    /// if all take too much.
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
    // What is under these locks is whole between any two statements.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
