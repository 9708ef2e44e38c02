//! One shelf as a process sees it.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use bytes::Bytes;
use catalog::{Page, Place, Query, Snapshot};
use domain::{LibraryId, Timestamp, library::Shelf};
use store::{Store, StoreError, shelves::ShelfPointer};

use crate::{
    Numbering,
    state::{self, State},
};

/// How often a shelf is read from the beginning when its snapshot changes meanwhile.
const TRIES: usize = 4;
/// Items that are read at once.
const TOGETHER: usize = 1_000;

/// A shelf: its snapshot, and what has changed since.
///
/// Locks are held while a search or a change is computed, never while storage is asked.
pub struct View {
    shelf: Shelf,
    numbering: Numbering,
    /// Name of the snapshot.
    source: Option<String>,
    size: usize,
    snapshot: Snapshot,
    state: RwLock<State>,
}

impl std::fmt::Debug for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View").field("shelf", &self.shelf).field("source", &self.source).finish()
    }
}

/// What reading the changes came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caught {
    /// The view has everything committed before. The shelf's snapshot is here now.
    Up(ShelfPointer),
    /// Changes that the view lacks are removed: the shelf has to be read anew.
    Outrun,
}

pub(crate) fn bits<'a>(numbering: Numbering, names: impl IntoIterator<Item = &'a str>) -> u64 {
    let numbers = names.into_iter().filter_map(numbering).filter(|number| *number < 64);
    numbers.fold(0, |bits, number| bits | 1 << number)
}

impl View {
    /// Reads a shelf, with everything committed before.
    ///
    /// # Errors
    /// Storage does not answer, or has what cannot be read.
    pub async fn load(
        store: &Store,
        numbering: Numbering,
        shelf: Shelf,
    ) -> Result<Self, StoreError> {
        for _ in 0..TRIES {
            let pointer = store.shelf_pointer(shelf).await?;
            if let Some(view) = Self::load_from(store, numbering, shelf, &pointer).await?
                && let Caught::Up(_) = view.catch_up(store).await?
            {
                return Ok(view);
            }
        }
        Err(StoreError::Corrupt { what: "shelf" })
    }

    /// Reads a shelf's snapshot, without what has changed since; `None` if it is gone.
    ///
    /// # Errors
    /// The bucket does not answer, or has what cannot be read.
    pub async fn load_from(
        store: &Store,
        numbering: Numbering,
        shelf: Shelf,
        pointer: &ShelfPointer,
    ) -> Result<Option<Self>, StoreError> {
        let bytes = match &pointer.snapshot {
            Some(snapshot) => match store.read_snapshot(shelf, snapshot).await? {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
            None => Bytes::from(Snapshot::build(Vec::new())),
        };
        Ok(Some(Self {
            shelf,
            numbering,
            source: pointer.snapshot.as_ref().map(|snapshot| snapshot.name.clone()),
            size: bytes.len(),
            snapshot: Snapshot::open(bytes)
                .map_err(|_| StoreError::Corrupt { what: "snapshot" })?,
            state: RwLock::new(State::new(pointer.through)),
        }))
    }

    /// Reads what has changed since the last time.
    ///
    /// # Errors
    /// Storage does not answer, or has what cannot be read.
    pub async fn catch_up(&self, store: &Store) -> Result<Caught, StoreError> {
        let (from, read_at) = (self.state().from(), store.clock().now());
        let (told, pointer) = store.shelf_changes(self.shelf, from).await?;
        if from < pointer.complete_from {
            return Ok(Caught::Outrun);
        }
        let is_shown = |state: &State| state.shows(&told) && !state.is_stale(read_at);
        if is_shown(&self.state()) {
            return Ok(Caught::Up(pointer));
        }
        let look = self.write(|state| state.look(&told));
        let ids: Vec<LibraryId> = look.items.keys().copied().collect();
        let mut found = Vec::with_capacity(ids.len());
        for ids in ids.chunks(TOGETHER) {
            found.extend(store.library_counted(ids).await?);
        }
        self.write(|state| {
            state.take(&told, &look, found, read_at, |item, counts| {
                let names = item.content.recommended_models.iter().map(String::as_str);
                state::entry(self.shelf, bits(self.numbering, names), item, counts)
            });
        });
        Ok(Caught::Up(pointer))
    }

    /// A view that takes so many bytes.
    #[cfg(test)]
    pub(crate) fn of_size(shelf: Shelf, size: usize) -> Self {
        let bytes = Bytes::from(Snapshot::build(Vec::new()));
        Self {
            shelf,
            numbering: |_| None,
            source: None,
            size,
            snapshot: Snapshot::open(bytes).expect("a snapshot"),
            state: RwLock::new(State::new(Timestamp::from_millis(0))),
        }
    }

    /// Answers a query with what was read.
    pub fn search(&self, query: &Query) -> Page {
        self.snapshot.search(query, &self.state().overlay)
    }

    /// Those of some items that a query asks for, in order, with what was read.
    pub fn among(&self, query: &Query, ids: &[u128]) -> Vec<Place> {
        self.snapshot.among(query, &self.state().overlay, ids)
    }

    /// Name of the snapshot; `None` for a shelf without one.
    pub fn source(&self) -> Option<&String> {
        self.source.as_ref()
    }

    /// Changes that were read since the snapshot.
    pub fn changes(&self) -> usize {
        self.state().changes
    }

    /// Bytes that it takes, about.
    pub fn size(&self) -> usize {
        self.size + self.state().size
    }

    /// A new snapshot with what was read, and up to where it has every change that can still appear
    /// before `until`. Takes as long as reading and writing the snapshot, and several times its bytes.
    ///
    /// # Errors
    /// The snapshot is damaged.
    pub fn rebuilt(&self, until: Timestamp) -> Result<(Vec<u8>, Timestamp), StoreError> {
        let state = self.state();
        let bytes = self
            .snapshot
            .rebuild(&state.overlay)
            .map_err(|_| StoreError::Corrupt { what: "snapshot" })?;
        Ok((bytes, state.shown_through(until)))
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.write().unwrap_or_else(PoisonError::into_inner))
    }
}
