//! What a view has seen of a shelf's changes.
//!
//! A change says only where to look. What an item is, its record says, and of several reads of a record the
//! one that began last is believed. A record may lag behind its change for a moment, since a transaction's
//! writes appear one by one: then it is looked at again.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use catalog::{Entry, Overlay};
use domain::{
    ChangeId, LibraryId, Timestamp,
    library::{Counts, Item, Shelf},
};
use store::{
    library::Counted,
    shelves::{ShelfChange, Told},
};

/// How far behind the instant of reading changes another one may still appear: a transaction is tried for
/// five seconds, its last call takes a few more, and clocks differ.
const LATE: Duration = Duration::from_secs(30);

/// After that time a record is believed whatever its change said.
const SETTLED: Duration = Duration::from_secs(60);

/// What has changed on a shelf since a snapshot.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) overlay: Overlay,
    /// Changes from before are in the snapshot.
    through: Timestamp,
    /// When changes were last read.
    read_at: Timestamp,
    /// The changes that were seen and may be read again.
    seen: BTreeSet<ChangeId>,
    items: HashMap<LibraryId, Known>,
    voted: HashMap<LibraryId, ChangeId>,
    /// Items whose records have yet to show a change.
    awaited: HashMap<LibraryId, Awaited>,
    looks: u64,
    /// Changes that were seen.
    pub(crate) changes: usize,
    /// Bytes of the items that changed, about.
    pub(crate) size: usize,
}

/// What is known of an item that changed.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Which look told so.
    look: u64,
    /// Its version; `None` if it is gone.
    version: Option<u32>,
}

/// What an item's record should show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Awaited {
    version: u32,
    /// The first and the last change that it has yet to show.
    first: ChangeId,
    last: ChangeId,
}

impl Awaited {
    fn and(self, other: Self) -> Self {
        Self {
            version: self.version.max(other.version),
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

/// Items to look at.
pub(crate) struct Look {
    number: u64,
    pub(crate) items: HashMap<LibraryId, Awaited>,
}

impl State {
    pub(crate) fn new(through: Timestamp) -> Self {
        Self {
            overlay: Overlay::new(),
            through,
            read_at: through,
            seen: BTreeSet::new(),
            items: HashMap::new(),
            voted: HashMap::new(),
            awaited: HashMap::new(),
            looks: 0,
            changes: 0,
            size: 0,
        }
    }

    /// From where on changes are to be read.
    pub(crate) fn from(&self) -> Timestamp {
        let late = i64::try_from(LATE.as_millis()).unwrap_or(i64::MAX);
        Timestamp::from_millis(self.read_at.millis() - late).max(self.through)
    }

    /// Whether these changes are shown.
    pub(crate) fn shows(&self, told: &[Told]) -> bool {
        self.awaited.is_empty() && told.iter().all(|told| self.seen.contains(&told.place))
    }

    /// Whether it is worth while to take note of another reading: each has to go back as far as the one
    /// that was noted.
    pub(crate) fn is_stale(&self, read_at: Timestamp) -> bool {
        self.read_at + LATE < read_at
    }

    /// Up to where every change of these is shown that any can still appear before `until`.
    pub(crate) fn shown_through(&self, until: Timestamp) -> Timestamp {
        let awaited = self.awaited.values().map(|awaited| awaited.first.created_at());
        awaited.min().map_or(until, |first| first.min(until))
    }

    /// The items whose records have to be read for these changes to be shown.
    pub(crate) fn look(&mut self, told: &[Told]) -> Look {
        self.looks += 1;
        let mut items = self.awaited.clone();
        for Told { place, change } in told {
            let ShelfChange::Item { id, version } = *change else { continue };
            let known = self.items.get(&id).and_then(|known| known.version);
            if self.seen.contains(place) || known.is_some_and(|known| known >= version) {
                continue;
            }
            let new = Awaited { version, first: *place, last: *place };
            items.entry(id).and_modify(|awaited| *awaited = awaited.and(new)).or_insert(new);
        }
        Look { number: self.looks, items }
    }

    /// Takes in changes that were read at an instant, and the records that were read for them afterwards.
    pub(crate) fn take(
        &mut self,
        told: &[Told],
        look: &Look,
        found: Vec<Counted>,
        read_at: Timestamp,
        entry: impl Fn(&Item, Counts) -> Option<Entry>,
    ) {
        for Told { place, change } in told {
            if let ShelfChange::Votes { id, votes } = *change
                && self.voted.get(&id).is_none_or(|before| before < place)
            {
                self.voted.insert(id, *place);
                self.overlay.set_votes(id.bits(), votes);
            }
        }
        let mut found: HashMap<LibraryId, Counted> =
            found.into_iter().map(|counted| (counted.item.id, counted)).collect();
        for (id, awaited) in &look.items {
            if self.items.get(id).is_some_and(|known| known.look > look.number) {
                continue;
            }
            let awaited = self.awaited.get(id).map_or(*awaited, |other| other.and(*awaited));
            let found = found.remove(id);
            let version = found.as_ref().map(|counted| counted.item.version);
            // Missing after its first version an item is gone; before, it may not have appeared yet.
            let is_shown = version.map_or(awaited.version > 1, |it| it >= awaited.version);
            if !is_shown && awaited.last.created_at() + SETTLED > read_at {
                self.awaited.insert(*id, awaited);
                continue;
            }
            self.awaited.remove(id);
            self.items.insert(*id, Known { look: look.number, version });
            match found.and_then(|counted| entry(&counted.item, counted.counts)) {
                Some(entry) => {
                    self.size += size_of(&entry);
                    self.overlay.put(entry);
                }
                None => self.overlay.remove(id.bits()),
            }
        }
        for Told { place, .. } in told {
            self.changes += usize::from(self.seen.insert(*place));
        }
        self.read_at = self.read_at.max(read_at);
        let from = self.from();
        self.seen.retain(|place| place.created_at() >= from);
    }
}

/// Bytes that an entry takes in an overlay, about.
fn size_of(entry: &Entry) -> usize {
    let Entry { title, description, category, text, .. } = entry;
    200 + title.len() + description.len() + 2 * category.len() + text.len()
}

/// What a shelf's snapshot has of an item; `None` if it doesn't stand there.
pub(crate) fn entry(shelf: Shelf, models: u64, item: &Item, counts: Counts) -> Option<Entry> {
    item.stands_on(shelf).then(|| Entry {
        id: item.id.bits(),
        published_at: u64::try_from(item.placed_at(shelf).millis()).unwrap_or(0),
        votes: counts.votes,
        models,
        category: item.content.category.clone(),
        title: item.content.title.clone(),
        description: item.content.description.clone().unwrap_or_default(),
        text: item.content.prompt_text.clone(),
    })
}

#[cfg(test)]
mod tests;
