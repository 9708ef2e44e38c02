//! Transactions with retries after conflicts.

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::{
        transact_write_items::TransactWriteItemsError,
        update_item::{UpdateItemError, UpdateItemOutput, builders::UpdateItemFluentBuilder},
    },
    types::{
        CancellationReason, Get, Put, ReturnValuesOnConditionCheckFailure, TransactGetItem,
        TransactWriteItem,
    },
};
use domain::{Timestamp, random};

use crate::{
    Store, StoreError,
    item::{Attributes, number},
    keys,
    retry::{is_conflict, is_throttled},
};

/// The outcome of a transaction.
pub(crate) enum Outcome {
    /// It is written.
    Committed,
    /// Nothing was written, since conditions failed. One entry per item of the transaction: `None`
    /// if its condition held, else the stored item (empty if there is none).
    ConditionFailed(Vec<Option<Attributes>>),
}

impl Store {
    /// Writes an item if its stored `v` still is `version`, the one that was read; 0 if there was
    /// none. Otherwise the condition fails and returns the stored item.
    pub(crate) fn put_if_version(&self, item: Attributes, version: i64) -> TransactWriteItem {
        let put = Put::builder()
            .table_name(&self.names.table)
            .set_item(Some(item))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let put = match version {
            0 => put.condition_expression("attribute_not_exists(pk)"),
            _ => put
                .condition_expression("v = :version")
                .expression_attribute_values(":version", number(version)),
        };
        TransactWriteItem::builder().set_put(put.build().ok()).build()
    }

    /// Writes all `items` or none. After conflicts it tries again until `deadline`.
    ///
    /// All tries share one client token, so that a try whose response got lost is not written
    /// twice.
    pub(crate) async fn transact(
        &self,
        items: Vec<TransactWriteItem>,
        deadline: Timestamp,
    ) -> Result<Outcome, StoreError> {
        if self.clock.now() >= deadline {
            return Err(StoreError::unavailable("table", "the write's time is over"));
        }
        let token = format!("{:032x}", u128::from_be_bytes(random::bytes(&*self.random)));
        let write = self
            .clients
            .dynamodb
            .transact_write_items()
            .set_transact_items(Some(items))
            .client_request_token(&token);
        match self.retry_until(deadline, || write.clone().send()).await {
            Ok(_) => Ok(Outcome::Committed),
            Err(error) => match Cancellation::of(&error).refused() {
                Some(refused) => Ok(Outcome::ConditionFailed(refused)),
                None => Err(StoreError::unavailable("table", error)),
            },
        }
    }

    /// Reads items as they are at one instant, in the order of their keys; `None` for a missing one.
    /// Retries while a write of one of them is under way.
    ///
    /// A batch read is not enough where one item says what another one has: it may see the one
    /// before and the other after writes that come between.
    pub(crate) async fn transact_get<const N: usize>(
        &self,
        keys: [keys::Key; N],
    ) -> Result<[Option<Attributes>; N], StoreError> {
        let gets = keys.map(|key| {
            let get = Get::builder().table_name(&self.names.table).set_key(Some(key)).build();
            TransactGetItem::builder().set_get(get.ok()).build()
        });
        let read = self.clients.dynamodb.transact_get_items().set_transact_items(Some(gets.into()));
        let answer = self
            .retry(|| read.clone().send())
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        let mut items = answer.responses.unwrap_or_default().into_iter();
        Ok(std::array::from_fn(|_| items.next().and_then(|response| response.item)))
    }

    /// Sends an update; retries while a transaction on its item conflicts with it.
    pub(crate) async fn update_with_retry(
        &self,
        update: UpdateItemFluentBuilder,
    ) -> Result<UpdateItemOutput, SdkError<UpdateItemError>> {
        self.retry(|| update.clone().send()).await
    }
}

/// Why a transaction that failed was cancelled.
pub(crate) fn cancellation(error: &StoreError) -> Cancellation<'_> {
    let StoreError::Unavailable { source, .. } = error else { return Cancellation(&[]) };
    source.downcast_ref().map_or(Cancellation(&[]), Cancellation::of)
}

/// Reasons for which a transaction was cancelled, by the positions of its items; none if it failed otherwise.
pub(crate) struct Cancellation<'a>(&'a [CancellationReason]);

impl<'a> Cancellation<'a> {
    fn of(error: &'a SdkError<TransactWriteItemsError>) -> Self {
        match error.as_service_error() {
            Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                Self(cancelled.cancellation_reasons())
            }
            _ => Self(&[]),
        }
    }

    /// Whether others wrote one of the items at the same time.
    pub fn is_conflict(&self) -> bool {
        self.0.iter().any(is_conflict)
    }

    /// Whether the item at `position` is written so often that writes conflict or are throttled.
    pub fn is_hot_at(&self, position: usize) -> bool {
        self.0.get(position).is_some_and(|reason| is_conflict(reason) || is_throttled(reason))
    }

    /// The failed conditions, if there are any.
    fn refused(&self) -> Option<Vec<Option<Attributes>>> {
        let failed = |reason: &CancellationReason| reason.code() == Some("ConditionalCheckFailed");
        let item = |reason: &CancellationReason| {
            failed(reason).then(|| reason.item().cloned().unwrap_or_default())
        };
        self.0.iter().any(failed).then(|| self.0.iter().map(item).collect())
    }
}
