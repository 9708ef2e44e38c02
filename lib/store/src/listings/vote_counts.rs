//! Vote counts in the vote logs of listings.

use std::{collections::BTreeSet, time::Duration};

use aws_sdk_dynamodb::{operation::update_item::UpdateItemError, types::WriteRequest};
use domain::{
    AccountId, ChangeId, LibraryId, Timestamp,
    library::{Counts, Item},
};

use super::ListingChange;
use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, number, text},
    keys,
    library::{CountedItem, ItemSummary, Precision, SHARDS, listings},
    table::{deletion, insertion},
};

/// Shortest time between two counts of an item for the requests that react to it: with a pause and the count itself,
/// counts are exact after a second.
const COUNT_INTERVAL: Duration = Duration::from_millis(500);
/// By how much the clocks of two processes may differ, so that a count is not taken for later than it was.
const CLOCK_SKEW: Duration = Duration::from_millis(100);
/// Longest pause of a call that waited, so that not all of them count.
const JITTER: Duration = Duration::from_millis(100);
/// Times that a call looks for another one's count.
const COUNT_ROUNDS: u32 = 4;

/// Items whose votes are counted together.
const TOGETHER: usize = 50;

/// The log entries of an item's votes, one for each listing that it is in.
fn logged(
    item: &Item,
    counts: Counts,
    position: ChangeId,
) -> Result<Vec<WriteRequest>, StoreError> {
    let change = ListingChange::Votes { id: item.id, votes: counts.votes };
    let write = |listing| insertion(super::item(keys::vote_log_entry(listing, position), change));
    listings(item).map(write).collect()
}

impl Store {
    /// Counts the votes of items and logs them in the listings that they are in.
    ///
    /// The position of a log entry is taken before the votes are counted. So of several concurrent
    /// counts the last in the log has every vote that was committed before it began, and readers
    /// use that one.
    pub async fn count_votes(&self, ids: &BTreeSet<LibraryId>) -> Result<(), StoreError> {
        let ids: Vec<_> = ids.iter().copied().collect();
        for ids in ids.chunks(TOGETHER) {
            let positions: Vec<_> =
                ids.iter().map(|_| ChangeId::new(&*self.clock, &*self.random)).collect();
            let counted = self.counted_library_items(ids).await?;
            let mut writes = Vec::new();
            for (id, position) in ids.iter().zip(positions) {
                let Some(counted) = counted.iter().find(|counted| counted.item.id == *id) else {
                    continue;
                };
                if counted.is_sharded {
                    self.write_total(counted, position).await?;
                }
                writes.extend(logged(&counted.item, counted.counts, position)?);
            }
            self.write_all(writes).await?;
        }
        Ok(())
    }

    /// Counts an item with a sharded counter for lists, unless that has happened since its reactions were as of
    /// `committed`. Many concurrent calls count once in each interval and wait for each other.
    ///
    /// A failure is ignored: the queued count comes later.
    pub async fn count_reactions_since(&self, id: LibraryId, committed: Timestamp) {
        for _ in 0..COUNT_ROUNDS {
            let Ok(counter) = self.get_item(keys::library_counter(id, 0)).await else { return };
            let counted_at = counter.as_ref().and_then(|counter| {
                let position = ItemReader(counter).optional_text("at")?;
                Some(ChangeId::from_unique(position).ok()?.created_at())
            });
            if counted_at.is_some_and(|at| at > committed + CLOCK_SKEW) {
                return;
            }
            match counted_at.map(|at| at + COUNT_INTERVAL) {
                Some(next) if next > self.clock.now() => {
                    self.clock.sleep_until(next).await;
                    self.sleep_with_jitter(JITTER).await;
                }
                _ => {
                    let _ = self.count_votes(&BTreeSet::from([id])).await;
                    return;
                }
            }
        }
    }

    /// Writes the sum of an item's shards into its first shard, for lists, unless a later sum is
    /// stored.
    async fn write_total(
        &self,
        counted: &CountedItem,
        position: ChangeId,
    ) -> Result<(), StoreError> {
        let CountedItem { item, counts, .. } = counted;
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::library_counter(item.id, 0)))
            .update_expression("SET tv = :votes, ts = :saves, #at = :at")
            .condition_expression("attribute_not_exists(#at) OR #at < :at")
            .expression_attribute_names("#at", "at")
            .expression_attribute_values(":votes", number(counts.votes))
            .expression_attribute_values(":saves", number(counts.saves))
            .expression_attribute_values(":at", text(position.unique()));
        match self.update_with_retry(update).await {
            Ok(_) => Ok(()),
            Err(error) => match error.into_service_error() {
                UpdateItemError::ConditionalCheckFailedException(_) => Ok(()),
                error => Err(StoreError::unavailable("table", error)),
            },
        }
    }

    /// Removes the counters of an item, if the item is gone.
    pub async fn delete_counters(&self, id: LibraryId) -> Result<(), StoreError> {
        if self.library_item(id).await?.is_some() {
            return Ok(());
        }
        let keys = (0..SHARDS).map(|shard| keys::library_counter(id, shard)).collect();
        let counters = self.batch_get(keys).await?;
        let key = |counter: &Attributes| {
            let names = [keys::PK, keys::SK];
            let named = names.map(|name| Some((name.to_owned(), counter.get(name)?.clone())));
            deletion(named.into_iter().flatten().collect())
        };
        self.write_all(counters.iter().map(key).collect::<Result<_, _>>()?).await
    }

    /// An item as an account sees it; `None` if the account sees no such item. Also logs its votes
    /// in its listings, unless its counter is sharded: then [`Store::count_reactions_since`] logs
    /// them, once for many votes.
    ///
    /// A failure to log is ignored: the queued count logs the votes again.
    pub async fn log_votes(
        &self,
        account: AccountId,
        id: LibraryId,
    ) -> Result<Option<ItemSummary>, StoreError> {
        let position = ChangeId::new(&*self.clock, &*self.random);
        let summary = self.library_summaries(account, &[id], Precision::Exact).await?.pop();
        if let Some(ItemSummary { item, counts, is_sharded: false, .. }) = &summary {
            let _ = self.write_all(logged(item, *counts, position)?).await;
        }
        Ok(summary)
    }
}
