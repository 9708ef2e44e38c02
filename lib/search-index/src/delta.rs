//! The changes since a snapshot was written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::document::{Document, Query};
use crate::snapshot::Snapshot;
use crate::text::{Folded, Needles};

/// Changes since a snapshot, a few thousand at most: a search with them answers as if the snapshot
/// were rebuilt.
///
/// Changes name items by identifier, so a delta fits every snapshot; a change that the snapshot
/// already has is harmless. The first search after a change resolves the changed items in its
/// snapshot, about a microsecond each; searches in another snapshot do so every time until the next
/// change.
#[derive(Clone, Debug, Default)]
pub struct DeltaIndex {
    put: BTreeMap<u128, Put>,
    removed: BTreeSet<u128>,
    votes: BTreeMap<u128, u32>,
    resolved: OnceLock<ResolvedDelta>,
}

/// An item that was published or edited.
#[derive(Clone, Debug)]
pub(crate) struct Put {
    pub(crate) published_at: u64,
    pub(crate) votes: u32,
    pub(crate) models: u64,
    pub(crate) category: String,
    pub(crate) folded: Folded,
}

/// The changes, with the items' numbers in a snapshot.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedDelta {
    fingerprint: (u32, u32, usize),
    /// Items that a search must not find in the snapshot, ascending.
    pub(crate) hidden: Vec<u32>,
    /// Items of which only the votes changed, with these, ascending.
    pub(crate) revoted: Vec<(u32, u32)>,
}

impl DeltaIndex {
    /// A delta without changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// An item was published or edited; `entry` is its whole new document.
    pub fn put(&mut self, entry: Document) {
        self.resolved.take();
        self.removed.remove(&entry.id);
        self.votes.remove(&entry.id);
        let folded = Folded::of([&entry.title, &entry.description, &entry.category, &entry.text]);
        let Document { id, published_at, votes, models, category, .. } = entry;
        self.put.insert(id, Put { published_at, votes, models, category, folded });
    }

    /// An item was unpublished or deleted.
    pub fn remove(&mut self, id: u128) {
        self.resolved.take();
        self.put.remove(&id);
        self.votes.remove(&id);
        self.removed.insert(id);
    }

    /// An item has this many votes now. No effect if the item was removed.
    pub fn set_votes(&mut self, id: u128, votes: u32) {
        if let Some(put) = self.put.get_mut(&id) {
            put.votes = votes;
        } else if !self.removed.contains(&id) {
            self.resolved.take();
            self.votes.insert(id, votes);
        }
    }

    /// The number of changed items.
    pub fn len(&self) -> usize {
        self.put.len() + self.removed.len() + self.votes.len()
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items that were published or edited, by identifier.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u128, &Put)> {
        self.put.iter().map(|(id, put)| (*id, put))
    }

    /// An item that was published or edited.
    pub(crate) fn get(&self, id: u128) -> Option<&Put> {
        self.put.get(&id)
    }

    /// Calls `each` with the changes as resolved in a snapshot.
    pub(crate) fn resolved<T>(
        &self,
        snapshot: &Snapshot,
        each: impl FnOnce(&ResolvedDelta) -> T,
    ) -> T {
        let resolved = self.resolved.get_or_init(|| self.resolve(snapshot));
        if resolved.fingerprint == snapshot.fingerprint() {
            each(resolved)
        } else {
            each(&self.resolve(snapshot))
        }
    }

    fn resolve(&self, snapshot: &Snapshot) -> ResolvedDelta {
        let mut hidden: Vec<u32> =
            self.put.keys().chain(&self.removed).filter_map(|id| snapshot.find(*id)).collect();
        hidden.sort_unstable();
        hidden.dedup();
        let mut revoted: Vec<(u32, u32)> = self
            .votes
            .iter()
            .filter_map(|(id, votes)| Some((snapshot.find(*id)?, *votes)))
            .collect();
        revoted.sort_unstable();
        revoted.dedup_by_key(|(doc, _)| *doc);
        ResolvedDelta { fingerprint: snapshot.fingerprint(), hidden, revoted }
    }

    /// The published or edited items that match the query, by identifier.
    pub(crate) fn matching<'a>(
        &'a self,
        query: &'a Query,
        needles: &'a Needles,
    ) -> impl Iterator<Item = (u128, &'a Put)> {
        let asked = move |put: &Put| {
            (query.models == 0 || query.models & put.models != 0)
                && query.category.as_ref().is_none_or(|category| *category == put.category)
                && needles.all_in(&put.folded)
        };
        self.all().filter(move |(_, put)| asked(put))
    }
}
