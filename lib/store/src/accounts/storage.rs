//! What an account keeps: presets, library items and history. The account item counts it, in the
//! transaction of each change, so that every request knows it without another read.
//!
//! | attribute | holds |
//! |---|---|
//! | `si` | presets and library items |
//! | `sb` | bytes of these and of history: of their JSON in a Lambda response, and of attached files |
//! | `qi`, `qb` | quotas that an operator has set instead of the plan's |
//!
//! Each preset, library item and history item has the bytes that are counted for it as `kb`. What was
//! written before accounts counted has no `kb`: its deletion takes nothing away.

use aws_sdk_dynamodb::types::{ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update};
use domain::{AccountId, plan::Allowance};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, number},
    keys,
    list::change::AccountClause,
};

/// What an account keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// Presets and library items.
    pub items: u32,
    /// Bytes of these and of history.
    pub bytes: u64,
}

impl Storage {
    pub(crate) fn read(account_item: &Attributes) -> Self {
        let reader = ItemReader(account_item);
        let bytes = reader.optional_number("sb").unwrap_or_default();
        Self { items: reader.count("si"), bytes: u64::try_from(bytes).unwrap_or_default() }
    }

    /// Whether no byte more may be kept.
    pub fn is_full(&self, allowance: &Allowance) -> bool {
        self.bytes >= allowance.stored_bytes
    }
}

/// What an account keeps, as its request has found it, and what it may keep.
#[derive(Clone, Copy, Debug)]
pub struct Quotas<'a> {
    /// What it keeps.
    pub stored: Storage,
    /// What it may keep.
    pub allowance: &'a Allowance,
}

/// Attribute of a preset, library item or history item: the bytes that the account item counts for it.
pub(crate) const COUNTED_BYTES: &str = "kb";

/// The bytes that are counted for an item; `None` if it is not counted.
pub(crate) fn counted_bytes(item: &Attributes) -> Option<i64> {
    ItemReader(item).optional_number(COUNTED_BYTES)
}

/// What a write adds to an account's storage; negative if it takes away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StorageChange {
    pub items: i64,
    pub bytes: i64,
}

/// Why something was not kept.
#[derive(Debug, thiserror::Error)]
pub enum QuotaError {
    /// The account has as many presets and library items as it may have.
    #[error("the account may have {limit} presets and library items")]
    Items {
        /// How many it may have.
        limit: u32,
    },
    /// There is no room for its bytes.
    #[error("the account may keep {limit} bytes")]
    Bytes {
        /// How many bytes it may keep.
        limit: u64,
    },
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl QuotaError {
    /// The error of a write that no quota limits.
    pub(crate) fn without_quota(self) -> StoreError {
        match self {
            Self::Store(error) => error,
            _ => StoreError::unavailable("table", "the account item is gone"),
        }
    }
}

/// The plan's allowance with the quotas that an operator has set for the account.
pub(crate) fn with_quotas(allowance: Allowance, account_item: &Attributes) -> Allowance {
    let set = |name| ItemReader(account_item).optional_number(name);
    let items = set("qi").and_then(|items| u32::try_from(items).ok());
    let bytes = set("qb").and_then(|bytes| u64::try_from(bytes).ok());
    Allowance {
        stored_items: items.unwrap_or(allowance.stored_items),
        stored_bytes: bytes.unwrap_or(allowance.stored_bytes),
        ..allowance
    }
}

impl StorageChange {
    /// A new preset or library item.
    pub fn adding(bytes: i64) -> Self {
        Self { items: 1, bytes }
    }

    /// Another content of a preset or library item. One that is not counted is counted from now on.
    pub fn replacing(counted: Option<i64>, bytes: i64) -> Self {
        match counted {
            Some(before) => Self { items: 0, bytes: bytes - before },
            None => Self::adding(bytes),
        }
    }

    /// The deletion of a preset or library item.
    pub fn removing(counted: Option<i64>) -> Self {
        counted.map_or_else(Self::default, |bytes| Self { items: -1, bytes: -bytes })
    }

    /// Whether there is room for this.
    ///
    /// # Errors
    ///
    /// The quota that has no room.
    pub fn check(self, Quotas { stored, allowance }: Quotas<'_>) -> Result<(), QuotaError> {
        let limit = allowance.stored_items;
        if self.items > 0 && stored.items >= limit {
            return Err(QuotaError::Items { limit });
        }
        let limit = allowance.stored_bytes;
        if self.bytes > 0 && stored.bytes.saturating_add_signed(self.bytes) > limit {
            return Err(QuotaError::Bytes { limit });
        }
        Ok(())
    }

    /// Why the account item has refused this: the quota that has no room, or that there is no such
    /// item.
    pub fn refusal(self, account_item: &Attributes, allowance: Option<&Allowance>) -> QuotaError {
        let stored = Storage::read(account_item);
        let allowance = allowance.filter(|_| !account_item.is_empty());
        match allowance.map(|allowance| self.check(Quotas { stored, allowance })) {
            Some(Err(error)) => error,
            _ => StoreError::unavailable("table", "the account item is gone").into(),
        }
    }
}

impl Store {
    /// Counts a change in the account item; `None` if there is nothing to count. What grows needs room
    /// in `allowance`, if there is one; otherwise the condition fails and returns the account item.
    pub(crate) fn count_storage(
        &self,
        account: AccountId,
        change: StorageChange,
        allowance: Option<&Allowance>,
    ) -> Option<TransactWriteItem> {
        let list = AccountClause::default();
        (change != StorageChange::default())
            .then(|| self.count_storage_and_list(account, change, allowance, list))
    }

    /// The same for the change of a list, with what that has to do with the account item.
    pub(crate) fn count_storage_and_list(
        &self,
        account: AccountId,
        change: StorageChange,
        allowance: Option<&Allowance>,
        list: AccountClause,
    ) -> TransactWriteItem {
        let limit = |of: fn(&Allowance) -> i64| allowance.map_or(i64::MAX, of);
        let quotas = [
            ("si", change.items, limit(|allowance| allowance.stored_items.into())),
            ("sb", change.bytes, limit(|allowance| allowance.stored_bytes.cast_signed())),
        ];
        let mut update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(account)))
            .update_expression(format!("ADD si :si, sb :sb{}", list.addition))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let mut condition = format!("attribute_exists(pk){}", list.condition);
        for (name, value) in list.values {
            update = update.expression_attribute_values(name, value);
        }
        for (attribute, growth, limit) in quotas {
            update = update.expression_attribute_values(format!(":{attribute}"), number(growth));
            if growth > 0 {
                let room = limit - growth;
                condition.push_str(&format!(" AND ({attribute} <= :{attribute}r"));
                if room >= 0 {
                    condition.push_str(&format!(" OR attribute_not_exists({attribute})"));
                }
                condition.push(')');
                update = update.expression_attribute_values(format!(":{attribute}r"), number(room));
            }
        }
        let update = update.condition_expression(condition).build();
        TransactWriteItem::builder().set_update(update.ok()).build()
    }

    /// Sets what an account may keep instead of what its plan allows. One that is not given stays as
    /// it is; without any, both are the plan's again. Takes effect at its next request.
    pub async fn set_quotas(
        &self,
        account: AccountId,
        items: Option<u32>,
        bytes: Option<u64>,
    ) -> Result<(), StoreError> {
        let expression = match (items, bytes) {
            (None, None) => "REMOVE qi, qb",
            (Some(_), None) => "SET qi = :items",
            (None, Some(_)) => "SET qb = :bytes",
            (Some(_), Some(_)) => "SET qi = :items, qb = :bytes",
        };
        let mut update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(account)))
            .update_expression(expression)
            .condition_expression("attribute_exists(pk)");
        for (name, quota) in [(":items", items.map(u64::from)), (":bytes", bytes)] {
            let quota = quota.map(|quota| number(i64::try_from(quota).unwrap_or(i64::MAX)));
            update = match quota {
                Some(quota) => update.expression_attribute_values(name, quota),
                None => update,
            };
        }
        let sent = self.update_with_retry(update).await;
        sent.map(|_| ()).map_err(|error| StoreError::unavailable("table", error))
    }
}
