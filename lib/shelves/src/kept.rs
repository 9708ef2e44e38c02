//! The views that a process keeps.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
    time::Duration,
};

use domain::{Timestamp, library::Shelf};

use crate::view::View;

/// Bytes that views of accounts' own shelves may take together.
const ROOM: usize = 64 << 20;
/// Accounts whose own shelves are kept at most.
const MOST: usize = 4_096;
/// How often a process asks for the snapshot of a shelf.
const ASKED_EVERY: Duration = Duration::from_secs(60);

/// A shelf's place in the process.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) shelf: Shelf,
    /// Held by whoever loads the shelf, so that it is loaded once.
    pub(crate) loading: tokio::sync::Mutex<()>,
    view: RwLock<Option<Arc<View>>>,
    asked_at: Mutex<Option<Timestamp>>,
}

impl Slot {
    fn new(shelf: Shelf) -> Self {
        let (loading, view, asked_at) = Default::default();
        Self { shelf, loading, view, asked_at }
    }

    /// The view that is there.
    pub(crate) fn view(&self) -> Option<Arc<View>> {
        self.view.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn replace(&self, view: Arc<View>) {
        *self.view.write().unwrap_or_else(PoisonError::into_inner) = Some(view);
    }

    /// Whether the view that is there is this one, or there is none.
    pub(crate) fn has(&self, view: Option<&Arc<View>>) -> bool {
        match (self.view(), view) {
            (Some(there), Some(view)) => Arc::ptr_eq(&there, view),
            (None, _) => true,
            (Some(_), None) => false,
        }
    }

    /// Whether it is time to ask for a snapshot; the answer counts as asking.
    pub(crate) fn may_ask(&self, now: Timestamp) -> bool {
        let mut asked_at = locked(&self.asked_at);
        let may = asked_at.is_none_or(|asked_at| asked_at + ASKED_EVERY <= now);
        if may {
            *asked_at = Some(now);
        }
        may
    }

    fn size(&self) -> usize {
        self.view().map_or(0, |view| view.size())
    }
}

/// All slots, and when each was last used.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<Slots>);

#[derive(Debug, Default)]
struct Slots {
    used: HashMap<Shelf, Use>,
    uses: u64,
    /// Bytes of all accounts' own shelves, as they were last told.
    taken: usize,
}

#[derive(Debug)]
struct Use {
    slot: Arc<Slot>,
    last: u64,
    size: usize,
}

impl Kept {
    /// The slot of a shelf.
    pub(crate) fn slot(&self, shelf: Shelf) -> Arc<Slot> {
        let mut slots = locked(&self.0);
        slots.uses += 1;
        let last = slots.uses;
        let new = || Use { slot: Arc::new(Slot::new(shelf)), last, size: 0 };
        let kept = slots.used.entry(shelf).or_insert_with(new);
        kept.last = last;
        kept.slot.clone()
    }

    /// Takes note of what a slot takes now, and lets go of those that were not used for the longest time
    /// if all take too much.
    pub(crate) fn has_grown(&self, slot: &Slot) {
        if !matches!(slot.shelf, Shelf::Own(_)) {
            return;
        }
        let size = slot.size();
        let mut slots = locked(&self.0);
        if let Some(kept) = slots.used.get_mut(&slot.shelf) {
            let before = std::mem::replace(&mut kept.size, size);
            slots.taken = slots.taken + size - before;
        }
        while slots.taken > ROOM || slots.used.len() > MOST {
            let own = slots
                .used
                .iter()
                .filter(|(shelf, _)| matches!(shelf, Shelf::Own(_)) && **shelf != slot.shelf);
            let oldest = own.min_by_key(|(_, kept)| kept.last).map(|(shelf, _)| *shelf);
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
