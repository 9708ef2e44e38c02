//! The start of an AI operation: credits held, key claimed and operation recorded, all or nothing.

use aws_sdk_dynamodb::types::{
    Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use domain::{AccountId, Operation, OperationId, Timestamp, Upload, plan::Allowance};

use crate::{
    Store, StoreError,
    admission::kind_count,
    body::StoredBody,
    item::{Attributes, ItemReader, bytes, instant, number, text},
    keys::{self, TTL},
    operations::{self, idempotency_key_expires_at},
    transaction::Outcome,
    uploads,
};

/// Tries of a start while the account item changes.
const TRIES: u32 = 6;

/// The record of an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The operation that the key started.
    pub operation: OperationId,
    /// SHA-256 of the request that started it.
    pub fingerprint: Vec<u8>,
    /// When the key can be used again.
    pub expires_at: Timestamp,
}

/// An operation to be started.
#[derive(Clone, Debug)]
pub struct NewOperation {
    /// The record. The start corrects its period if the account item is in another month.
    pub operation: Operation,
    /// SHA-256 of the request.
    pub fingerprint: [u8; 32],
    /// What the processor needs to run it.
    pub input: StoredBody,
    /// The failed operation whose key this one takes over.
    pub replaces: Option<OperationId>,
}

/// The outcome of a start.
#[derive(Debug)]
pub enum Started {
    /// It is recorded and its credits are held.
    Begun(Operation),
    /// The key belongs to another operation.
    KeyTaken(IdempotencyRecord),
    /// As many operations as the plan allows are pending or running.
    OverConcurrency,
    /// The month's credits do not cover it.
    OutOfCredits,
    /// Uploads are not ready, or another operation has consumed them: what they are.
    UploadsNotReady(Vec<Upload>),
}

/// Position of the first upload in the transaction.
const UPLOADS: usize = 3;

fn read_idempotency_record(item: &Attributes) -> Result<IdempotencyRecord, StoreError> {
    let reader = ItemReader(item);
    Ok(IdempotencyRecord {
        operation: OperationId::from_unique(reader.text("o")?)
            .map_err(|_| StoreError::corrupt("o"))?,
        fingerprint: reader.bytes("f")?.to_vec(),
        expires_at: Timestamp::from_millis(reader.number(TTL)? * 1000),
    })
}

/// The month that the start assumes for the account item's counters.
#[derive(Clone, Copy)]
enum Month {
    /// The operation's own.
    Present,
    /// A past one: the counters start at zero.
    Passed,
}

enum LimitCheck {
    TryWith(Month, Timestamp),
    OverConcurrency,
    OutOfCredits,
}

impl Store {
    /// The record of an idempotency key, unless it has expired.
    pub async fn idempotency_record(
        &self,
        account: AccountId,
        hash: &str,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        let answer = self
            .clients
            .dynamodb
            .get_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::idempotency_record(account, hash)))
            .projection_expression("o, f, #ttl")
            .expression_attribute_names("#ttl", TTL)
            .consistent_read(true)
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        let now = self.clock.now();
        let record = answer.item().map(read_idempotency_record).transpose()?;
        Ok(record.filter(|record| record.expires_at > now))
    }

    /// The input that an operation was started with; `None` if another operation has taken over its
    /// key, or its 24 hours are over.
    pub async fn input(&self, operation: &Operation) -> Result<Option<Vec<u8>>, StoreError> {
        let key = keys::idempotency_record(operation.account, &operation.idempotency);
        let Some(item) = self.get_item(key).await? else { return Ok(None) };
        if read_idempotency_record(&item)?.operation != operation.id {
            return Ok(None);
        }
        self.read_body(ItemReader(&item).bytes("i")?).await
    }

    /// Starts an operation: one transaction over account item, idempotency record, operation and
    /// its uploads.
    ///
    /// The operation's message must have been enqueued before.
    pub async fn start(
        &self,
        mut new: NewOperation,
        allowance: Allowance,
        deadline: Timestamp,
    ) -> Result<Started, StoreError> {
        let mut month = Month::Present;
        for _ in 0..TRIES {
            let operation = &new.operation;
            let mut items = vec![
                self.hold(operation, allowance, month),
                self.claim_key(&new),
                self.record(operation),
            ];
            items.extend(
                operation
                    .uploads
                    .iter()
                    .map(|upload| self.consume_upload(operation.account, *upload, operation.id)),
            );
            let refused = match self.transact(items, deadline).await? {
                Outcome::Committed => return Ok(Started::Begun(new.operation)),
                Outcome::ConditionFailed(refused) => refused,
            };
            if let Some(Some(taken)) = refused.get(1) {
                let record = read_idempotency_record(taken)?;
                return Ok(if record.operation == new.operation.id {
                    // An earlier try was written, only its response got lost.
                    Started::Begun(new.operation)
                } else {
                    Started::KeyTaken(record)
                });
            }
            if refused.iter().skip(UPLOADS).any(Option::is_some) {
                let stand = refused.iter().skip(UPLOADS).flatten().filter(|item| !item.is_empty());
                let stand = stand.map(|item| uploads::read(new.operation.account, item));
                return Ok(Started::UploadsNotReady(stand.collect::<Result<_, _>>()?));
            }
            let Some(Some(account_item)) = refused.first() else {
                return Err(StoreError::unavailable(
                    "table",
                    "the operation's identifier is taken",
                ));
            };
            match check_limits(account_item, &new.operation, allowance)? {
                LimitCheck::TryWith(other, period) => {
                    month = other;
                    new.operation.period = period;
                }
                LimitCheck::OverConcurrency => return Ok(Started::OverConcurrency),
                LimitCheck::OutOfCredits => return Ok(Started::OutOfCredits),
            }
        }
        Err(StoreError::unavailable("table", "the account's counters keep moving"))
    }

    fn hold(&self, operation: &Operation, allowance: Allowance, month: Month) -> TransactWriteItem {
        let cost = operation.kind.credits();
        let room = i64::from(allowance.monthly_credits) - i64::from(cost);
        let update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(operation.account)))
            .expression_attribute_values(":p", instant(operation.period))
            .expression_attribute_values(":cost", number(cost))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":running", number(allowance.concurrent_operations))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let update = match month {
            Month::Present => update
                .update_expression("ADD cs :cost, ch :cost, run :one")
                .condition_expression("p = :p AND cs <= :room AND run < :running")
                .expression_attribute_values(":room", number(room)),
            Month::Passed => {
                let counts = domain::Kind::ALL.map(kind_count).join(", ");
                update
                    .update_expression(format!(
                        "SET pp = p, pu = cs - ch, p = :p, cs = :cost, ch = :cost \
                         REMOVE {counts} ADD run :one"
                    ))
                    .condition_expression("p < :p AND run < :running")
            }
        };
        TransactWriteItem::builder().set_update(update.build().ok()).build()
    }

    fn claim_key(&self, new: &NewOperation) -> TransactWriteItem {
        let operation = &new.operation;
        let mut item = keys::idempotency_record(operation.account, &operation.idempotency);
        item.extend([
            ("o".to_owned(), text(operation.id.unique())),
            ("f".to_owned(), bytes(new.fingerprint.to_vec())),
            ("i".to_owned(), bytes(new.input.clone().into_bytes())),
            (TTL.to_owned(), number(idempotency_key_expires_at(operation.created_at()).seconds())),
        ]);
        let put = Put::builder()
            .table_name(&self.names.table)
            .set_item(Some(item))
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(":now", number(self.clock.now().seconds()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let put = match new.replaces {
            None => put.condition_expression("attribute_not_exists(pk) OR #ttl <= :now"),
            Some(failed) => put
                .condition_expression("attribute_not_exists(pk) OR #ttl <= :now OR o = :failed")
                .expression_attribute_values(":failed", text(failed.unique())),
        };
        TransactWriteItem::builder().set_put(put.build().ok()).build()
    }

    fn record(&self, operation: &Operation) -> TransactWriteItem {
        let put = Put::builder()
            .table_name(&self.names.table)
            .set_item(Some(operations::write(operation)))
            .condition_expression("attribute_not_exists(pk)")
            .build();
        TransactWriteItem::builder().set_put(put.ok()).build()
    }
}

/// Why the account item's condition failed: a limit, or another month to retry with.
fn check_limits(
    account_item: &Attributes,
    operation: &Operation,
    allowance: Allowance,
) -> Result<LimitCheck, StoreError> {
    let reader = ItemReader(account_item);
    let stored = reader.instant("p")?;
    if reader.count("run") >= allowance.concurrent_operations {
        return Ok(LimitCheck::OverConcurrency);
    }
    if stored < operation.period {
        return Ok(LimitCheck::TryWith(Month::Passed, operation.period));
    }
    // Another machine's clock may have reached the new month first.
    if stored == operation.period
        && reader.count("cs") + operation.kind.credits() > allowance.monthly_credits
    {
        return Ok(LimitCheck::OutOfCredits);
    }
    Ok(LimitCheck::TryWith(Month::Present, stored))
}
