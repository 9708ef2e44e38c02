//! Telling listings how many votes items have.

use std::collections::BTreeSet;

use aws_sdk_dynamodb::{
    operation::update_item::UpdateItemError,
    types::{PutRequest, WriteRequest},
};
use domain::{
    AccountId, ChangeId, LibraryId,
    library::{Counts, Item},
};

use super::{ListingChange, LogEntry, snapshots::deletion};
use crate::{
    Store, StoreError,
    item::{Attributes, number, text},
    keys,
    library::{CountedItem, ItemSummary, Precision, SHARDS, listings},
    transaction::backoff,
};

/// Items whose votes are counted together.
const TOGETHER: usize = 50;
/// Writes of one call.
const WRITES: usize = 25;
/// How often a write is tried that the table is too busy for.
const TRIES: usize = 8;

/// What the listings that an item stands on are told of its votes.
fn logged(
    item: &Item,
    counts: Counts,
    position: ChangeId,
) -> Result<Vec<WriteRequest>, StoreError> {
    let change = ListingChange::Votes { id: item.id, votes: counts.votes };
    let write = |listing| {
        let put = PutRequest::builder()
            .set_item(Some(super::item(listing, LogEntry { position, change })))
            .build()
            .map_err(|error| StoreError::unavailable("table", error))?;
        Ok(WriteRequest::builder().put_request(put).build())
    };
    listings(item).map(write).collect()
}

impl Store {
    /// Counts the votes of items and tells the listings that they stand on.
    ///
    /// The changes are placed at an instant before the votes are counted. So of several counts at once the
    /// last in place has every vote that was committed before it began, and that one is believed.
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

    /// Writes the sum of an item's shards beside the first of them, for lists, unless a later sum is there.
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

    /// Removes the counters of an item that is gone.
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

    /// An item as an account sees it, and tells the listings that it stands on of its votes, unless so many
    /// vote for it that a few hints must do for all of them; `None` if the account sees no such item.
    ///
    /// That telling fails is no error: votes are told once more when the queue asks for it.
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

    /// Makes writes of different items, each by itself and in no particular order.
    pub(super) async fn write_all(&self, writes: Vec<WriteRequest>) -> Result<(), StoreError> {
        for writes in writes.chunks(WRITES) {
            let mut left = writes.to_vec();
            let mut pauses = backoff().take(TRIES);
            while !left.is_empty() {
                let answer = self
                    .clients
                    .dynamodb
                    .batch_write_item()
                    .request_items(&self.names.table, left)
                    .send()
                    .await
                    .map_err(|error| StoreError::unavailable("table", error))?;
                let mut tables = answer.unprocessed_items.unwrap_or_default();
                left = tables.remove(&self.names.table).unwrap_or_default();
                if !left.is_empty() {
                    let Some(pause) = pauses.next() else {
                        return Err(StoreError::unavailable("table", "throttled"));
                    };
                    self.sleep_with_jitter(pause).await;
                }
            }
        }
        Ok(())
    }
}
