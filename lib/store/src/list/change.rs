//! Changes of lists: entries that come and go, together with what counts them.
//!
//! A list has no offset index at first, which would cost two write units a change. The account item counts its changes
//! instead, which costs nothing: the transactions of all changes update that item anyway. The change after the
//! hundredth builds the offset index from the table. Its condition is that no other change came meanwhile.

use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::{Timestamp, plan::Allowance};

use crate::{
    Store, StoreError,
    accounts::storage::StorageChange,
    item::{Attributes, ItemReader, number},
    list::offset_index::{Change, List, OffsetIndex},
    transaction::Outcome,
};

/// How often a list changes before it has an offset index. Until then it has no more entries than this. An account item
/// that counts more says that the list has one.
pub const UNINDEXED_CHANGES: i64 = 100;

/// Longest pause before a change that conflicted is tried again.
const PAUSE: Duration = Duration::from_millis(20);

/// Positions in the transaction of a change.
const RECORD: usize = 0;
const ACCOUNT_ITEM: usize = 1;
const OFFSET_INDEX: usize = 2;

/// A change of a list, and what it assumes of what counts the list's entries.
#[derive(Clone, Debug)]
pub(crate) struct ListChange {
    list: List,
    change: Change,
    assumed: Indexing,
}

#[derive(Clone, Debug)]
enum Indexing {
    /// The account item counts the list's changes.
    Counted,
    /// Nothing counts them, since the account is older than the counters, and the list has no entry.
    Uncounted,
    /// The change writes the first offset index, built after so many changes.
    Begins(OffsetIndex, i64),
    /// The list has this offset index.
    Indexed(OffsetIndex),
}

/// What the change of a list has to do with the account item.
#[derive(Default)]
pub(crate) struct AccountClause {
    /// The end of the update's section `ADD`.
    pub addition: String,
    /// The end of the update's condition.
    pub condition: String,
    /// The values of both.
    pub values: Vec<(String, AttributeValue)>,
}

/// The outcome of a change.
pub(crate) enum Changed {
    /// Everything is written.
    Done,
    /// The condition of the record failed: the stored item, empty if it is gone.
    RecordRefused(Attributes),
    /// The account item has no room, or is gone: then it is empty.
    AccountRefused(Attributes),
}

/// The attribute of the account item that counts the changes of a list.
pub(crate) fn counter(list: &str) -> String {
    format!("c{list}")
}

impl ListChange {
    /// A change of a list that had this offset index when it was read, if it was.
    pub fn new(list: List, change: Change, offset_index: Option<OffsetIndex>) -> Self {
        let assumed = offset_index.map_or(Indexing::Counted, Indexing::Indexed);
        Self { list, change, assumed }
    }

    /// What an update of the account item in the same transaction has to add and to check.
    pub fn account_clause(&self) -> AccountClause {
        let counter = counter(self.list.code);
        let limit = UNINDEXED_CHANGES;
        let (growth, condition, compared) = match &self.assumed {
            Indexing::Counted => (Some(1), format!("{counter} < :counted"), Some(limit)),
            Indexing::Uncounted => (Some(1), format!("attribute_not_exists({counter})"), None),
            // From then on the counter stands above the limit.
            Indexing::Begins(_, counted) => {
                (Some(limit + 1 - counted), format!("{counter} = :counted"), Some(*counted))
            }
            Indexing::Indexed(_) => {
                let condition =
                    format!("(attribute_not_exists({counter}) OR {counter} > :counted)");
                (None, condition, Some(limit))
            }
        };
        let mut values = Vec::new();
        values.extend(compared.map(|compared| (":counted".to_owned(), number(compared))));
        values.extend(growth.map(|growth| (":growth".to_owned(), number(growth))));
        let addition = growth.map_or_else(String::new, |_| format!(", {counter} :growth"));
        AccountClause { addition, condition: format!(" AND {condition}"), values }
    }

    /// The write of the offset index, if the list has one. If it is out of date, its condition fails.
    pub async fn write(&self, store: &Store) -> Result<Option<TransactWriteItem>, StoreError> {
        let (Indexing::Begins(index, _) | Indexing::Indexed(index)) = &self.assumed else {
            return Ok(None);
        };
        store.write_change(self.list, self.change, index.clone()).await.map(Some)
    }

    /// Learns from the items with which the account item's condition and the offset index's have failed. Whether the
    /// assumption was wrong: then the transaction is worth another try.
    pub async fn learn(
        &mut self,
        store: &Store,
        account_item: Option<&Attributes>,
        offset_index: Option<&Attributes>,
    ) -> Result<bool, StoreError> {
        if let Some(item) = offset_index {
            // Another change was faster.
            self.assumed = match item.is_empty() {
                true => Indexing::Counted,
                false => Indexing::Indexed(OffsetIndex::read(item)?),
            };
            return Ok(true);
        }
        let Some(item) = account_item.filter(|item| !item.is_empty()) else { return Ok(false) };
        let counted = ItemReader(item).optional_number(&counter(self.list.code));
        let was_right = match (&self.assumed, counted) {
            (Indexing::Counted, counted) => {
                counted.is_some_and(|counted| counted < UNINDEXED_CHANGES)
            }
            (Indexing::Uncounted, counted) => counted.is_none(),
            (Indexing::Begins(_, then), counted) => counted == Some(*then),
            (Indexing::Indexed(_), counted) => {
                counted.is_none_or(|counted| counted > UNINDEXED_CHANGES)
            }
        };
        if was_right {
            return Ok(false);
        }
        self.assumed = match (store.offset_index(self.list).await?, counted) {
            (None, None) => Indexing::Uncounted,
            (None, Some(counted)) if counted < UNINDEXED_CHANGES => Indexing::Counted,
            (Some(index), None) => Indexing::Indexed(index),
            (Some(index), Some(counted)) if counted > UNINDEXED_CHANGES => Indexing::Indexed(index),
            // An index that stands beside a counter that has not passed the limit is by a version that counts nothing.
            (stray, Some(counted)) => {
                let index = store.build_offset_index(self.list, stray).await?;
                Indexing::Begins(index, counted)
            }
        };
        Ok(true)
    }
}

impl Store {
    /// Writes `record` together with what counts the list's entries and, within `allowance` if there is one, the
    /// account's storage.
    pub(crate) async fn change_list(
        &self,
        mut change: ListChange,
        record: TransactWriteItem,
        storage: StorageChange,
        allowance: Option<&Allowance>,
        deadline: Timestamp,
    ) -> Result<Changed, StoreError> {
        loop {
            let clause = change.account_clause();
            let account = change.list.account;
            let count = self.count_storage_and_list(account, storage, allowance, clause);
            let mut items = vec![record.clone(), count];
            items.extend(change.write(self).await?);
            let mut refused = match self.transact(items, deadline).await? {
                Outcome::Committed => return Ok(Changed::Done),
                Outcome::ConditionFailed(refused) => refused,
            };
            let mut refusal = |position| refused.get_mut(position).and_then(Option::take);
            if let Some(item) = refusal(RECORD) {
                return Ok(Changed::RecordRefused(item));
            }
            let (account_item, faster) = (refusal(ACCOUNT_ITEM), refusal(OFFSET_INDEX));
            if !change.learn(self, account_item.as_ref(), faster.as_ref()).await? {
                return Ok(Changed::AccountRefused(account_item.unwrap_or_default()));
            }
            if faster.is_some() {
                self.sleep_with_jitter(PAUSE).await;
            }
        }
    }
}
