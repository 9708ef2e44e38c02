//! What an account keeps: presets, library items and history. The account item counts it, in the
//! transaction of each change, so that every request knows it without another read.
//!
//! | attribute | holds |
//! |---|---|
//! | `si` | presets and library items |
//! | `sb` | bytes of these and of history: of their JSON in a Lambda response, and of attached files |
//! | `qi`, `qb` | quotas that an operator has set instead of the plan's; null for the plan's |

use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use domain::{AccountId, plan::Allowance};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, number},
    keys,
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
    /// Another content in the place of one with `before` bytes.
    pub fn replacing(before: i64, after: i64) -> Self {
        Self { items: 0, bytes: after - before }
    }

    /// The quota that refuses this growth of an account that keeps `stored`.
    pub fn refusal(self, stored: Storage, allowance: &Allowance) -> QuotaError {
        if self.items > 0 && stored.items >= allowance.stored_items {
            return QuotaError::Items { limit: allowance.stored_items };
        }
        QuotaError::Bytes { limit: allowance.stored_bytes }
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
        if change == StorageChange::default() {
            return None;
        }
        let limit = |of: fn(&Allowance) -> i64| allowance.map_or(i64::MAX, of);
        let quotas = [
            ("si", change.items, limit(|allowance| allowance.stored_items.into())),
            ("sb", change.bytes, limit(|allowance| allowance.stored_bytes.cast_signed())),
        ];
        let mut update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(account)))
            .update_expression("ADD si :si, sb :sb")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let mut condition = "attribute_exists(pk)".to_owned();
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
        Some(TransactWriteItem::builder().set_update(update.ok()).build())
    }

    /// Sets what an account may keep instead of what its plan allows; `None` for the plan's. Takes
    /// effect at its next request.
    pub async fn set_quotas(
        &self,
        account: AccountId,
        items: Option<u32>,
        bytes: Option<u64>,
    ) -> Result<(), StoreError> {
        let quota = |quota: Option<u64>| match quota {
            Some(quota) => number(i64::try_from(quota).unwrap_or(i64::MAX)),
            None => AttributeValue::Null(true),
        };
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(account)))
            .update_expression("SET qi = :items, qb = :bytes")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":items", quota(items.map(u64::from)))
            .expression_attribute_values(":bytes", quota(bytes));
        let sent = self.update_with_retry(update).await;
        sent.map(|_| ()).map_err(|error| StoreError::unavailable("table", error))
    }
}
