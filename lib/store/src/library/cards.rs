//! Items together with what accounts did with them.

use std::collections::HashMap;

use domain::{
    AccountId, LibraryId,
    library::{Counts, Item, Marks},
};
use futures::future::try_join_all;

use super::{id_of, read};
use crate::{
    Store, StoreError,
    item::{Attributes, Reader},
    keys::{self, LIBRARY_MARK, SK},
};

/// Parts of the counts of an item that many accounts vote for at once.
pub(crate) const SHARDS: u8 = 32;
/// Items whose record, first counter and mark fit into one read.
const BATCH: usize = 33;
/// Keys of one read.
const KEYS: usize = 100;

/// An item as an account sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The item.
    pub item: Item,
    /// Votes and saves of all accounts.
    pub counts: Counts,
    /// What this account did with it.
    pub marks: Marks,
    /// Whether its counts are spread over shards.
    pub is_spread: bool,
}

/// How exactly the counts of an item have to be that so many accounts like at once that they are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// With every mark that was made before: all shards are read.
    Exact,
    /// As they were when they were last summed up, some seconds ago at most: for lists.
    Recent,
}

/// An item and how many accounts like it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The item.
    pub item: Item,
    /// Votes and saves of all accounts.
    pub counts: Counts,
    /// Whether so many accounts like it at once that its counts are spread over shards.
    pub is_spread: bool,
}

/// What one read tells of items.
#[derive(Default)]
struct Found {
    items: HashMap<LibraryId, (Item, bool)>,
    /// Votes and saves. A shard by itself may be negative: it need not be the one that was raised.
    counts: HashMap<LibraryId, (i64, i64)>,
    /// The same, of all shards, when they were last summed up.
    sums: HashMap<LibraryId, Counts>,
    marks: HashMap<LibraryId, Marks>,
}

pub(super) fn marks_of(item: &Attributes) -> Marks {
    let reader = Reader(item);
    Marks { voted: reader.flag("vo"), saved: reader.flag("sv") }
}

impl Found {
    fn take(&mut self, item: &Attributes) -> Result<(), StoreError> {
        let sort = Reader(item).text(SK)?;
        if let Some(unique) = sort.strip_prefix(LIBRARY_MARK) {
            let id = LibraryId::from_unique(unique).map_err(|_| StoreError::corrupt(SK))?;
            self.marks.insert(id, marks_of(item));
        } else if sort == "item" {
            self.items.insert(id_of(item)?, (read(item)?, Reader(item).flag("hot")));
        } else {
            let (votes, saves) = self.counts.entry(id_of(item)?).or_default();
            *votes += Reader(item).optional_number("vo").unwrap_or(0);
            *saves += Reader(item).optional_number("sv").unwrap_or(0);
            if Reader(item).optional_text("at").is_some() {
                let (votes, saves) = (Reader(item).count("tv"), Reader(item).count("ts"));
                self.sums.insert(id_of(item)?, Counts { votes, saves });
            }
        }
        Ok(())
    }

    fn counts(&self, id: LibraryId) -> Counts {
        let (votes, saves) = self.counts.get(&id).copied().unwrap_or_default();
        let count = |sum: i64| u32::try_from(sum.max(0)).unwrap_or(u32::MAX);
        Counts { votes: count(votes), saves: count(saves) }
    }
}

impl Store {
    /// Items as an account sees them, with everything written before, in the order of `ids`. Those that
    /// there are not, or that the account must not see, are left out.
    ///
    /// `precision` is for counts that are spread; all others are exact.
    pub async fn library_cards(
        &self,
        account: AccountId,
        ids: &[LibraryId],
        precision: Precision,
    ) -> Result<Vec<Card>, StoreError> {
        let mut found = Found::default();
        let reads = ids.chunks(BATCH).map(|ids| {
            let keys = ids.iter().flat_map(|id| {
                [
                    keys::library_item(*id),
                    keys::library_counter(*id, 0),
                    keys::library_mark(account, *id),
                ]
            });
            self.read_items(keys.collect())
        });
        for item in try_join_all(reads).await?.iter().flatten() {
            found.take(item)?;
        }
        let is_summed =
            |id: &LibraryId| precision == Precision::Recent && found.sums.contains_key(id);
        let spread = found.items.iter().filter(|(_, (_, is_spread))| *is_spread);
        let unknown: Vec<_> = spread.map(|(id, _)| *id).filter(|id| !is_summed(id)).collect();
        for item in self.other_shards(&unknown).await? {
            found.take(&item)?;
        }
        let cards = ids.iter().filter_map(|id| {
            let (item, is_spread) = found.items.remove(id)?;
            let is_unknown = !is_spread || unknown.contains(id);
            let sum = found.sums.get(id).copied().filter(|_| !is_unknown);
            let counts = sum.unwrap_or_else(|| found.counts(*id));
            let marks = found.marks.get(id).copied().unwrap_or_default();
            item.is_visible_to(account).then_some(Card { item, counts, marks, is_spread })
        });
        Ok(cards.collect())
    }

    /// Items and how many accounts like them, with everything written before. Those that there are not
    /// are left out; they come in no particular order.
    pub async fn library_counted(&self, ids: &[LibraryId]) -> Result<Vec<Counted>, StoreError> {
        let mut found = Found::default();
        let reads = ids.chunks(KEYS / 2).map(|ids| {
            let keys =
                ids.iter().flat_map(|id| [keys::library_item(*id), keys::library_counter(*id, 0)]);
            self.read_items(keys.collect())
        });
        for item in try_join_all(reads).await?.iter().flatten() {
            found.take(item)?;
        }
        let hot: Vec<_> =
            found.items.iter().filter(|(_, (_, hot))| *hot).map(|(id, _)| *id).collect();
        for item in self.other_shards(&hot).await? {
            found.take(&item)?;
        }
        let items = std::mem::take(&mut found.items);
        let counted = items.into_iter().map(|(id, (item, is_spread))| {
            let counts = found.counts(id);
            Counted { item, counts, is_spread }
        });
        Ok(counted.collect())
    }

    /// How many accounts like an item, with everything written before; `None` if there is no such item.
    pub async fn library_counts(&self, id: LibraryId) -> Result<Option<Counts>, StoreError> {
        Ok(self.library_counted(&[id]).await?.pop().map(|counted| counted.counts))
    }

    async fn other_shards(&self, ids: &[LibraryId]) -> Result<Vec<Attributes>, StoreError> {
        let keys: Vec<_> = ids
            .iter()
            .flat_map(|id| (1..SHARDS).map(|shard| keys::library_counter(*id, shard)))
            .collect();
        let reads = keys.chunks(KEYS).map(|keys| self.read_items(keys.to_vec()));
        Ok(try_join_all(reads).await?.into_iter().flatten().collect())
    }
}
