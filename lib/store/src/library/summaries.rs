//! Items with their counts and an account's reactions.

use std::collections::HashMap;

use domain::{
    AccountId, LibraryId,
    library::{Counts, Item, Reactions},
};
use futures::future::try_join_all;

use super::{id_of, read};
use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader},
    keys::{self, LIBRARY_REACTION, SK},
};

/// Shards of the counter of an item with many concurrent reactions.
pub(crate) const SHARDS: u8 = 32;
/// Keys of one batch read.
const KEYS: usize = 100;

/// An item as an account sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemSummary {
    /// The item.
    pub item: Item,
    /// Votes and saves of all accounts.
    pub counts: Counts,
    /// This account's reactions.
    pub reactions: Reactions,
    /// Whether its counter is sharded.
    pub is_sharded: bool,
}

/// How exact the counts of an item with a sharded counter have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// With every reaction committed before: all shards are read.
    Exact,
    /// As of the last aggregation, at most a second ago: for lists.
    Recent,
}

/// An item with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedItem {
    /// The item.
    pub item: Item,
    /// Votes and saves of all accounts.
    pub counts: Counts,
    /// Whether its counter is sharded.
    pub is_sharded: bool,
}

/// The result of one read of items.
#[derive(Default)]
struct Found {
    items: HashMap<LibraryId, (Item, bool)>,
    /// Votes and saves. A single shard may be negative: a reaction may be removed in another shard
    /// than the one that counted it.
    counts: HashMap<LibraryId, (i64, i64)>,
    /// The last aggregation over all shards.
    sums: HashMap<LibraryId, Counts>,
    reactions: HashMap<LibraryId, Reactions>,
}

pub(super) fn reactions_of(item: &Attributes) -> Reactions {
    let reader = ItemReader(item);
    Reactions { voted: reader.flag("vo"), saved: reader.flag("sv") }
}

impl Found {
    fn take(&mut self, item: &Attributes) -> Result<(), StoreError> {
        let sort = ItemReader(item).text(SK)?;
        if let Some(unique) = sort.strip_prefix(LIBRARY_REACTION) {
            let id = LibraryId::from_unique(unique).map_err(|_| StoreError::corrupt(SK))?;
            self.reactions.insert(id, reactions_of(item));
        } else if sort == "item" {
            self.items.insert(id_of(item)?, (read(item)?, ItemReader(item).flag("hot")));
        } else {
            let (votes, saves) = self.counts.entry(id_of(item)?).or_default();
            *votes += ItemReader(item).optional_number("vo").unwrap_or(0);
            *saves += ItemReader(item).optional_number("sv").unwrap_or(0);
            if ItemReader(item).optional_text("at").is_some() {
                let (votes, saves) = (ItemReader(item).count("tv"), ItemReader(item).count("ts"));
                self.sums.insert(id_of(item)?, Counts { votes, saves });
            }
        }
        Ok(())
    }

    fn counts(&self, id: LibraryId) -> Counts {
        if let Some(sum) = self.sums.get(&id) {
            return *sum;
        }
        let (votes, saves) = self.counts.get(&id).copied().unwrap_or_default();
        let count = |sum: i64| u32::try_from(sum.max(0)).unwrap_or(u32::MAX);
        Counts { votes: count(votes), saves: count(saves) }
    }
}

impl Store {
    /// Items as an account sees them, with consistent reads, in the order of `ids`. Missing items,
    /// and those that the account may not see, are left out.
    ///
    /// `precision` applies to sharded counters; other counts are always exact.
    pub async fn library_summaries(
        &self,
        account: AccountId,
        ids: &[LibraryId],
        precision: Precision,
    ) -> Result<Vec<ItemSummary>, StoreError> {
        let keys = ids.iter().flat_map(|id| {
            [
                keys::library_item(*id),
                keys::library_counter(*id, 0),
                keys::library_reaction(account, *id),
            ]
        });
        let mut found = self.find(keys.collect(), precision).await?;
        let summaries = ids.iter().filter_map(|id| {
            let (item, is_sharded) = found.items.remove(id)?;
            let counts = found.counts(*id);
            let reactions = found.reactions.get(id).copied().unwrap_or_default();
            item.is_visible_to(account).then_some(ItemSummary {
                item,
                counts,
                reactions,
                is_sharded,
            })
        });
        Ok(summaries.collect())
    }

    /// Items with their counts, with consistent reads, in no particular order. Missing ones are
    /// left out.
    pub async fn counted_library_items(
        &self,
        ids: &[LibraryId],
    ) -> Result<Vec<CountedItem>, StoreError> {
        let keys =
            ids.iter().flat_map(|id| [keys::library_item(*id), keys::library_counter(*id, 0)]);
        let mut found = self.find(keys.collect(), Precision::Exact).await?;
        let items = std::mem::take(&mut found.items);
        let counted = items.into_iter().map(|(id, (item, is_sharded))| {
            let counts = found.counts(id);
            CountedItem { item, counts, is_sharded }
        });
        Ok(counted.collect())
    }

    /// Reads items, counters and reactions, and the other shards of sharded counters unless
    /// `precision` accepts their last aggregation.
    async fn find(&self, keys: Vec<keys::Key>, precision: Precision) -> Result<Found, StoreError> {
        let mut found = Found::default();
        let reads = keys.chunks(KEYS).map(|keys| self.batch_get(keys.to_vec()));
        for item in try_join_all(reads).await?.iter().flatten() {
            found.take(item)?;
        }
        let Found { items, sums, .. } = &mut found;
        let is_sharded = |id: &LibraryId| items.get(id).is_some_and(|(_, is_sharded)| *is_sharded);
        sums.retain(|id, _| precision == Precision::Recent && is_sharded(id));
        let unknown: Vec<_> =
            items.keys().copied().filter(|id| is_sharded(id) && !sums.contains_key(id)).collect();
        for item in self.other_shards(&unknown).await? {
            found.take(&item)?;
        }
        Ok(found)
    }

    async fn other_shards(&self, ids: &[LibraryId]) -> Result<Vec<Attributes>, StoreError> {
        let keys: Vec<_> = ids
            .iter()
            .flat_map(|id| (1..SHARDS).map(|shard| keys::library_counter(*id, shard)))
            .collect();
        let reads = keys.chunks(KEYS).map(|keys| self.batch_get(keys.to_vec()));
        Ok(try_join_all(reads).await?.into_iter().flatten().collect())
    }
}
