//! Searching shelves of the library: what a process keeps of them, and how that stays true.
//!
//! A process has a [`View`] of each shelf that it was asked about: the shelf's snapshot, and what has
//! changed since. Before every search the view reads what changed since it last looked, so that a search
//! sees everything that was committed before it began; two processes need not know of each other. Views of
//! accounts' own shelves are kept as long as there is room, the two public ones always.

mod kept;
mod rebuild;
mod state;
mod view;

use std::{sync::Arc, time::Duration};

use catalog::{Page, Place, Query};
use domain::{LibraryId, library::Shelf};
use kept::{Kept, Slot};
use store::{Store, StoreError, library_queue::LibraryMessage};

pub use rebuild::{LEASE, Rebuilt, rebuild};
pub use view::{Caught, View};

/// Numbers the target models, each below 64; `None` for names that have no number.
pub type Numbering = fn(&str) -> Option<u32>;

/// Changes since the snapshot from which on a new one is asked for.
pub const fn due_after(shelf: Shelf) -> usize {
    match shelf {
        Shelf::Community | Shelf::Official => 1_000,
        Shelf::Own(_) => 50,
    }
}

/// How many times that a view may grow while a newer snapshot is loaded beside it.
const GROWTH: usize = 5;
/// Bytes of a snapshot that a search waits for; a larger one is loaded while searches go on.
const SMALL: u64 = 8 << 20;
/// Time for reading ahead: a function's start that takes 10 s is begun anew.
const STARTING: Duration = Duration::from_secs(7);
/// How often a search looks again when the shelf's snapshot changes under its hands.
const LOOKS: usize = 4;

/// An item with its place in an order; the smaller stands first. Places on different shelves in the same
/// order can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placed {
    /// Where it stands.
    pub place: Place,
    /// Which item.
    pub id: LibraryId,
}

/// What a process keeps of all shelves; cheap to clone.
#[derive(Clone, Debug)]
pub struct Shelves {
    store: Store,
    numbering: Numbering,
    kept: Arc<Kept>,
}

impl Shelves {
    /// Nothing is read yet.
    pub fn new(store: Store, numbering: Numbering) -> Self {
        Self { store, numbering, kept: Arc::default() }
    }

    /// Reads the public shelves, so that the first search need not.
    ///
    /// # Errors
    /// Storage does not answer, or has what cannot be read.
    pub async fn warm(&self) -> Result<(), StoreError> {
        for shelf in [Shelf::Community, Shelf::Official] {
            self.view(shelf).await?;
        }
        Ok(())
    }

    /// The same at the start of a function, as far as there is time; searches read what is missing.
    pub async fn read_ahead(&self) {
        match tokio::time::timeout(STARTING, self.warm()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the library was not read ahead"),
            Err(_) => tracing::warn!("the library takes longer to be read than a start may"),
        }
    }

    /// The models of these names as bits; names without a number have none.
    pub fn bits<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> u64 {
        view::bits(self.numbering, names)
    }

    /// Answers a query with everything committed before.
    ///
    /// # Errors
    /// Storage does not answer, or has what cannot be read.
    pub async fn search(&self, shelf: Shelf, query: &Query) -> Result<Page, StoreError> {
        Ok(self.view(shelf).await?.search(query))
    }

    /// Those of some items that a query asks for, in order, on one page, with everything committed before.
    ///
    /// # Errors
    /// Storage does not answer, or has what cannot be read.
    pub async fn among(
        &self,
        shelf: Shelf,
        query: &Query,
        ids: &[LibraryId],
    ) -> Result<Vec<Placed>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<u128> = ids.iter().map(|id| id.bits()).collect();
        let places = self.view(shelf).await?.among(query, &ids);
        let placed = |place: Place| Placed { place, id: LibraryId::from_bits(place.id()) };
        Ok(places.into_iter().map(placed).collect())
    }

    /// The view of a shelf, with everything committed before this call.
    async fn view(&self, shelf: Shelf) -> Result<Arc<View>, StoreError> {
        let slot = self.kept.slot(shelf);
        for _ in 0..LOOKS {
            let Some(view) = slot.view() else {
                match self.renew(&slot, None).await? {
                    Some(new) => return Ok(new),
                    None => continue,
                }
            };
            let pointer = match view.catch_up(&self.store).await? {
                Caught::Up(pointer) => pointer,
                Caught::Outrun => match self.renew(&slot, Some(&view)).await? {
                    Some(new) => return Ok(new),
                    None => continue,
                },
            };
            self.kept.has_grown(&slot);
            if let Some(newest) = pointer.snapshot
                && view.source() != Some(&newest.name)
            {
                if newest.size <= SMALL || view.changes() > GROWTH * due_after(shelf) {
                    match self.renew(&slot, Some(&view)).await? {
                        Some(new) => return Ok(new),
                        None => continue,
                    }
                }
                self.renew_meanwhile(&slot, &view);
            }
            self.ask_for_snapshot(&slot, &view).await;
            return Ok(view);
        }
        Err(StoreError::Corrupt { what: "shelf" })
    }

    /// Reads a shelf anew in place of an outdated view. `None` if somebody else has done so meanwhile:
    /// what was committed before this call may be missing there.
    async fn renew(
        &self,
        slot: &Arc<Slot>,
        outdated: Option<&Arc<View>>,
    ) -> Result<Option<Arc<View>>, StoreError> {
        let _loading = slot.loading.lock().await;
        if !slot.has(outdated) {
            return Ok(None);
        }
        let view = Arc::new(View::load(&self.store, self.numbering, slot.shelf).await?);
        slot.replace(view.clone());
        self.kept.has_grown(slot);
        // Processes that are asked once must not read all changes for ever.
        self.ask_for_snapshot(slot, &view).await;
        Ok(Some(view))
    }

    /// The same while searches go on with the view that there is.
    fn renew_meanwhile(&self, slot: &Arc<Slot>, outdated: &Arc<View>) {
        if slot.loading.try_lock().is_err() {
            return;
        }
        let (shelves, slot, outdated) = (self.clone(), slot.clone(), outdated.clone());
        tokio::spawn(async move {
            if let Err(error) = shelves.renew(&slot, Some(&outdated)).await {
                tracing::warn!(%error, "a newer snapshot could not be loaded");
            }
        });
    }

    /// Asks for a new snapshot if much has changed. Searches do without it.
    async fn ask_for_snapshot(&self, slot: &Slot, view: &View) {
        let shelf = slot.shelf;
        if view.changes() < due_after(shelf) || !slot.may_ask(self.store.clock().now()) {
            return;
        }
        let message = LibraryMessage::Rebuild { shelf };
        if let Err(error) = self.store.ask_library_keeper(&message, std::time::Duration::ZERO).await
        {
            tracing::warn!(%error, "a snapshot is due and could not be asked for");
        }
    }
}
