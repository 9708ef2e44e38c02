//! Replays a listing's change log for a searcher.
//!
//! A log entry only names an item. Its content is read from the item's record, and of several reads
//! of a record the one that began last counts. A record may lag behind its log entry for a moment,
//! since a transaction's writes appear one by one: then it is read again.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::Duration,
};

use domain::{
    ChangeId, LibraryId, Timestamp,
    library::{Counts, Item, Listing},
};
use search_index::{DeltaIndex, Document};
use store::{
    library::CountedItem,
    listings::{ListingChange, LogEntry},
};

/// How much older than the present a log entry may be when it appears: a transaction is retried for
/// five seconds, its last call takes a few more, and clocks differ.
const OVERLAP: Duration = Duration::from_secs(30);

/// Age of a log entry from which its record counts even if it does not show the change.
const RECORD_GRACE: Duration = Duration::from_secs(60);

/// The changes of a listing since a snapshot.
#[derive(Debug)]
pub(crate) struct ReplayState {
    pub(crate) delta: DeltaIndex,
    /// The snapshot has all changes before this instant.
    through: Timestamp,
    /// When the log was last read.
    read_at: Timestamp,
    /// The log entries that were applied and may be read again.
    seen: BTreeSet<ChangeId>,
    items: HashMap<LibraryId, Known>,
    voted: HashMap<LibraryId, ChangeId>,
    /// Items whose records do not show a change yet.
    pending: BTreeMap<LibraryId, PendingItem>,
    lookups: u64,
    /// Log entries that were applied.
    pub(crate) changes: usize,
    /// Approximate bytes of the changed items.
    pub(crate) size: usize,
}

/// The state of a changed item.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Number of the lookup that read it.
    lookup: u64,
    /// The item's version; `None` if it was deleted.
    version: Option<u32>,
}

/// A change that an item's record has to show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingItem {
    version: u32,
    /// The first and the last log entry that the record does not show yet.
    first: ChangeId,
    last: ChangeId,
}

impl PendingItem {
    fn and(self, other: Self) -> Self {
        Self {
            version: self.version.max(other.version),
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

/// Items whose records have to be read.
pub(crate) struct Lookup {
    number: u64,
    pub(crate) items: BTreeMap<LibraryId, PendingItem>,
}

impl ReplayState {
    pub(crate) fn new(through: Timestamp) -> Self {
        Self {
            delta: DeltaIndex::new(),
            through,
            read_at: through,
            seen: BTreeSet::new(),
            items: HashMap::new(),
            voted: HashMap::new(),
            pending: BTreeMap::new(),
            lookups: 0,
            changes: 0,
            size: 0,
        }
    }

    /// The instant from which the log has to be read.
    pub(crate) fn from(&self) -> Timestamp {
        (self.read_at - OVERLAP).max(self.through)
    }

    /// Whether these log entries are applied.
    pub(crate) fn has_applied(&self, logged: &[LogEntry]) -> bool {
        self.pending.is_empty() && logged.iter().all(|logged| self.seen.contains(&logged.position))
    }

    /// Whether a new reading should be recorded, even without changes: the next one has to go back
    /// to the last recorded one.
    pub(crate) fn is_stale(&self, read_at: Timestamp) -> bool {
        self.read_at + OVERLAP < read_at
    }

    /// The instant, `until` at most, before which all changes are applied.
    pub(crate) fn applied_through(&self, until: Timestamp) -> Timestamp {
        let pending = self.pending.values().map(|pending| pending.first.created_at());
        pending.min().map_or(until, |first| first.min(until))
    }

    /// The items whose records have to be read to apply these log entries.
    pub(crate) fn lookup(&mut self, logged: &[LogEntry]) -> Lookup {
        self.lookups += 1;
        let mut items = self.pending.clone();
        for LogEntry { position, change } in logged {
            let ListingChange::Item { id, version } = *change else { continue };
            let known = self.items.get(&id).and_then(|known| known.version);
            if self.seen.contains(position) || known.is_some_and(|known| known >= version) {
                continue;
            }
            let new = PendingItem { version, first: *position, last: *position };
            items.entry(id).and_modify(|pending| *pending = pending.and(new)).or_insert(new);
        }
        Lookup { number: self.lookups, items }
    }

    /// Applies log entries that were read at `read_at`, with the records that were read afterwards.
    pub(crate) fn apply(
        &mut self,
        logged: &[LogEntry],
        lookup: &Lookup,
        found: Vec<CountedItem>,
        read_at: Timestamp,
        entry: impl Fn(&Item, Counts) -> Option<Document>,
    ) {
        for LogEntry { position, change } in logged {
            if let ListingChange::Votes { id, votes } = *change
                && self.voted.get(&id).is_none_or(|before| before < position)
            {
                self.voted.insert(id, *position);
                self.delta.set_votes(id.bits(), votes);
            }
        }
        let mut found: HashMap<LibraryId, CountedItem> =
            found.into_iter().map(|counted| (counted.item.id, counted)).collect();
        for (id, pending) in &lookup.items {
            if self.items.get(id).is_some_and(|known| known.lookup > lookup.number) {
                continue;
            }
            let pending = self.pending.get(id).map_or(*pending, |other| other.and(*pending));
            let found = found.remove(id);
            let version = found.as_ref().map(|counted| counted.item.version);
            // An item that is missing after its first version was deleted; before, it may not have
            // appeared yet.
            let is_applied = version.map_or(pending.version > 1, |it| it >= pending.version);
            if !is_applied && pending.last.created_at() + RECORD_GRACE > read_at {
                self.pending.insert(*id, pending);
                continue;
            }
            self.pending.remove(id);
            self.items.insert(*id, Known { lookup: lookup.number, version });
            match found.and_then(|counted| entry(&counted.item, counted.counts)) {
                Some(entry) => {
                    self.size += size_of(&entry);
                    self.delta.put(entry);
                }
                None => self.delta.remove(id.bits()),
            }
        }
        for LogEntry { position, .. } in logged {
            self.changes += usize::from(self.seen.insert(*position));
        }
        self.read_at = self.read_at.max(read_at);
        let from = self.from();
        self.seen.retain(|position| position.created_at() >= from);
    }
}

/// Approximate bytes of a document in a delta index.
fn size_of(entry: &Document) -> usize {
    let Document { title, description, category, text, .. } = entry;
    200 + title.len() + description.len() + 2 * category.len() + text.len()
}

/// An item's document in a listing; `None` if the item is not listed there.
pub(crate) fn entry(
    listing: Listing,
    models: u64,
    item: &Item,
    counts: Counts,
) -> Option<Document> {
    item.is_listed_in(listing).then(|| Document {
        id: item.id.bits(),
        published_at: u64::try_from(item.listed_at(listing).millis()).unwrap_or(0),
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
