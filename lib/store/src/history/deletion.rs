//! Deleting a history item: at once for its owner, and completely even after a crash.
//!
//! First a message is enqueued. Then one write removes the item from every list and read
//! ([`Store::tombstone_history`]). Then its bodies are deleted ([`Store::delete_history_bodies`]).
//! Last, when the message is received, the rest and the item itself are deleted
//! ([`Store::purge_history`]), so that an interrupted deletion is repeated. A body that retries of
//! its operation still need leaves history and expires with the operation's result.

use std::time::Duration;

use aws_sdk_dynamodb::types::{ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update};
use domain::{AccountId, HistoryId, OperationId, Timestamp, operation::RESULT_RETENTION, random};
use futures::future::try_join_all;

use crate::{
    Store, StoreError,
    accounts::storage::StorageChange,
    body::{Lifetime, StoredBody},
    history::{HistoryHead, is_tombstone, read_head, read_operations},
    item::{Attributes, ItemReader, bytes, number},
    keys::{self, TTL},
    list::change::{Changed, ListChange},
    list::offset_index::{Change, List, OffsetIndex},
    uploads::files::AttachmentKey,
};

/// Bodies that are removed at once.
const AT_ONCE: usize = 20;
/// How long a tombstone write is tried while other writes conflict with it.
const BUDGET: Duration = Duration::from_secs(5);

impl Store {
    /// Removes an item, read as `head`, from every list and read. `false` if there is no such item
    /// any more. `offset_index` is that of its list; both may be out of date.
    pub async fn tombstone_history(
        &self,
        account: AccountId,
        head: HistoryHead,
        offset_index: Option<OffsetIndex>,
    ) -> Result<bool, StoreError> {
        let (id, mut kept) = (head.item.id, head.kept);
        let deadline = self.clock.now() + BUDGET;
        // Distinguishes this call's own write, whose response got lost, from another one's.
        let token = random::bytes::<12>(&*self.random).to_vec();
        let list = List::history(account, id.kind());
        loop {
            let update = Update::builder()
                .table_name(&self.names.table)
                .set_key(Some(keys::history(account, id)))
                .update_expression("SET dead = :token REMOVE lp, ls")
                .condition_expression(
                    "attribute_exists(pk) AND attribute_not_exists(dead) \
                     AND (attribute_not_exists(kb) OR kb = :kept)",
                )
                .expression_attribute_values(":token", bytes(token.clone()))
                .expression_attribute_values(":kept", number(kept))
                .return_values_on_condition_check_failure(
                    ReturnValuesOnConditionCheckFailure::AllOld,
                )
                .build();
            let freed = StorageChange { items: 0, bytes: -kept };
            let record = TransactWriteItem::builder().set_update(update.ok()).build();
            let entry = ListChange::new(list, Change::Remove(id.bits()), offset_index.clone());
            match self.change_list(entry, record, freed, None, deadline).await? {
                Changed::Done => return Ok(true),
                Changed::RecordRefused(item) => match read_head(id, &item) {
                    // Something was added to it meanwhile.
                    Ok(Some(head)) if !item.is_empty() => kept = head.kept,
                    _ => {
                        let dead = ItemReader(&item).bytes("dead");
                        return Ok(dead.is_ok_and(|dead| dead == token));
                    }
                },
                Changed::AccountRefused(_) => {
                    return Err(StoreError::unavailable("table", "the account item is gone"));
                }
            }
        }
    }

    /// Deletes the bodies of a tombstone. The item remains, so that this can be repeated. Does
    /// nothing for an item that is not a tombstone or is gone already.
    pub async fn delete_history_bodies(
        &self,
        account: AccountId,
        id: HistoryId,
    ) -> Result<(), StoreError> {
        match self.get_item(keys::history(account, id)).await? {
            Some(item) if is_tombstone(&item) => self.delete_bodies(account, &item).await,
            _ => Ok(()),
        }
    }

    /// Deletes what is left of a tombstone, and the item. To be called when every write that
    /// conflicted with the tombstone has long become visible.
    pub async fn purge_history(&self, account: AccountId, id: HistoryId) -> Result<(), StoreError> {
        match self.get_item(keys::history(account, id)).await? {
            Some(item) if is_tombstone(&item) => {
                self.delete_bodies(account, &item).await?;
                self.delete_item(keys::history(account, id)).await
            }
            _ => Ok(()),
        }
    }

    async fn delete_bodies(&self, account: AccountId, item: &Attributes) -> Result<(), StoreError> {
        for operations in read_operations(item)?.chunks(AT_ONCE) {
            let stored = self.stored_bodies(account, operations).await?;
            try_join_all(stored.into_iter().map(|(operation, item)| async move {
                // Before the body, which alone lists them.
                for upload in item.uploads {
                    self.remove_attachment(AttachmentKey { account, operation, upload }).await?;
                }
                match self.retained_until(account, operation).await? {
                    Some(expiry) => self.detach_body(account, operation, &item.bytes, expiry).await,
                    None => self.remove_body(account, operation, &item.bytes).await,
                }
            }))
            .await?;
        }
        Ok(())
    }

    /// Until when retries of an operation receive its result; `None` if they no longer do.
    async fn retained_until(
        &self,
        account: AccountId,
        id: OperationId,
    ) -> Result<Option<Timestamp>, StoreError> {
        let now = self.clock.now();
        // An operation waits at most as long as its input is kept, and ends soon after.
        if id.created_at() + RESULT_RETENTION * 3 < now {
            return Ok(None);
        }
        let operation = self.operation_record(account, id).await?;
        let expiry = operation.and_then(|operation| operation.result_expires_at());
        Ok(expiry.filter(|expiry| *expiry > now))
    }

    /// Gives a body the lifetime of a result without history.
    async fn detach_body(
        &self,
        account: AccountId,
        operation: OperationId,
        stored: &[u8],
        expiry: Timestamp,
    ) -> Result<(), StoreError> {
        let (body, durable) = self.move_body(stored, Lifetime::Temporary).await?;
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::body(account, operation)))
            .update_expression("SET b = :body, #ttl = :expiry")
            .condition_expression("b = :stored")
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(":stored", bytes(stored.to_vec()))
            .expression_attribute_values(":body", bytes(body.into_bytes()))
            .expression_attribute_values(":expiry", number(expiry.seconds_up()));
        // If the condition fails, another deletion of the item was faster, or an earlier try of this
        // update was. Nothing names the durable object then, either.
        self.update_if(update).await?;
        match durable {
            Some(object) => self.delete_object(&object).await,
            None => Ok(()),
        }
    }

    async fn remove_body(
        &self,
        account: AccountId,
        operation: OperationId,
        stored: &[u8],
    ) -> Result<(), StoreError> {
        for object in StoredBody::objects(stored) {
            self.delete_object(&object).await?;
        }
        self.delete_item(keys::body(account, operation)).await
    }

    pub(crate) async fn delete_item(&self, key: keys::Key) -> Result<(), StoreError> {
        self.clients
            .dynamodb
            .delete_item()
            .table_name(&self.names.table)
            .set_key(Some(key))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        Ok(())
    }
}
