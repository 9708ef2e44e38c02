//! Vote counts in the change logs of listings.

use std::collections::BTreeSet;

use aws_sdk_dynamodb::{
    operation::update_item::UpdateItemError,
    types::{PutRequest, WriteRequest},
};
use domain::{
    AccountId, ChangeId, LibraryId,
    library::{Counts, Item},
};

use super::{ListingChange, LogEntry};
use crate::{
    Store, StoreError,
    item::{Attributes, number, text},
    keys,
    library::{CountedItem, ItemSummary, Precision, SHARDS, listings},
    table::deletion,
};

/// Items whose votes are counted together.
const TOGETHER: usize = 50;

/// The log entries of an item's votes, one for each listing that it is in.
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
    /// in its listings, unless its counter is sharded: then the queued count logs them, once for
    /// many votes.
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
