//! Transactions with retries after conflicts.

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    operation::{
        transact_get_items::TransactGetItemsError,
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
};

/// First pause before a conflicting write is retried; doubled each time, with full jitter.
const BACKOFF_BASE: Duration = Duration::from_millis(20);
/// Longest of these pauses.
const BACKOFF_CAP: Duration = Duration::from_millis(640);

/// Reasons of a cancelled transaction after which a retry may succeed.
const RETRYABLE: [&str; 4] = [
    "TransactionConflict",
    "ThrottlingError",
    "ProvisionedThroughputExceeded",
    "RequestLimitExceeded",
];

/// Retries of a single write that conflicts with another one.
pub(crate) const RETRIES: usize = 10;

/// Pauses between the tries of a conflicting write: doubled each time, up to a cap.
pub(crate) fn backoff() -> impl Iterator<Item = Duration> {
    std::iter::successors(Some(BACKOFF_BASE), |pause| Some((*pause * 2).min(BACKOFF_CAP)))
}

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

    /// Writes all `items` or none. Retries until `deadline` after conflicts and throttling.
    ///
    /// All tries share one client token, so that a try whose response got lost is not written
    /// twice.
    pub(crate) async fn transact(
        &self,
        items: Vec<TransactWriteItem>,
        deadline: Timestamp,
    ) -> Result<Outcome, StoreError> {
        let token = hex(&random::bytes::<16>(&*self.random));
        let mut pauses = backoff();
        loop {
            if self.clock.now() >= deadline {
                return Err(StoreError::unavailable("table", "the write's time is over"));
            }
            let sent = self
                .clients
                .dynamodb
                .transact_write_items()
                .set_transact_items(Some(items.clone()))
                .client_request_token(&token)
                .send()
                .await;
            let error = match sent {
                Ok(_) => return Ok(Outcome::Committed),
                Err(error) => error,
            };
            let pause = pauses.next().unwrap_or(BACKOFF_CAP);
            let too_late = self.clock.now() + pause >= deadline;
            // A condition that fails beside a conflict may have failed because of it.
            if let Some(refused) = refusal(&error)
                && (too_late || !is_transient(&error))
            {
                return Ok(Outcome::ConditionFailed(refused));
            }
            if too_late || !is_transient(&error) {
                return Err(StoreError::unavailable("table", error));
            }
            self.sleep_with_jitter(pause).await;
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
        let mut pauses = backoff().take(RETRIES);
        let answer = loop {
            let error = match read.clone().send().await {
                Ok(answer) => break answer,
                Err(error) => error,
            };
            let is_cancelled = matches!(
                error.as_service_error(),
                Some(TransactGetItemsError::TransactionCanceledException(_))
            );
            match pauses.next().filter(|_| is_cancelled) {
                Some(pause) => self.sleep_with_jitter(pause).await,
                None => return Err(StoreError::unavailable("table", error)),
            }
        };
        let mut items = answer.responses.unwrap_or_default().into_iter();
        Ok(std::array::from_fn(|_| items.next().and_then(|response| response.item)))
    }

    /// Sends an update; retries while a transaction on its item conflicts with it.
    pub(crate) async fn update_with_retry(
        &self,
        update: UpdateItemFluentBuilder,
    ) -> Result<UpdateItemOutput, SdkError<UpdateItemError>> {
        let mut pauses = backoff().take(RETRIES);
        loop {
            let error = match update.clone().send().await {
                Ok(output) => return Ok(output),
                Err(error) => error,
            };
            let in_the_way = matches!(
                error.as_service_error(),
                Some(UpdateItemError::TransactionConflictException(_))
            );
            match pauses.next().filter(|_| in_the_way) {
                Some(pause) => self.sleep_with_jitter(pause).await,
                None => return Err(error),
            }
        }
    }

    /// Sleeps for a random part of `pause`.
    pub(crate) async fn sleep_with_jitter(&self, pause: Duration) {
        let [roll] = random::bytes::<1>(&*self.random);
        let part = pause.mul_f64((f64::from(roll) + 1.0) / 256.0);
        self.clock.sleep_until(self.clock.now() + part).await;
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn reasons(error: &SdkError<TransactWriteItemsError>) -> &[CancellationReason] {
    match error.as_service_error() {
        Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
            cancelled.cancellation_reasons()
        }
        _ => &[],
    }
}

/// Whether a transaction failed because of a conflict or throttling at the item at `position`.
pub(crate) fn is_conflict_at(error: &StoreError, position: usize) -> bool {
    let StoreError::Unavailable { source, .. } = error else { return false };
    let Some(error) = source.downcast_ref::<SdkError<TransactWriteItemsError>>() else {
        return false;
    };
    reasons(error)
        .get(position)
        .and_then(CancellationReason::code)
        .is_some_and(|code| RETRYABLE.contains(&code))
}

/// The failed conditions, if there are any.
fn refusal(error: &SdkError<TransactWriteItemsError>) -> Option<Vec<Option<Attributes>>> {
    let failed = |reason: &CancellationReason| reason.code() == Some("ConditionalCheckFailed");
    reasons(error).iter().any(failed).then(|| {
        reasons(error)
            .iter()
            .map(|reason| failed(reason).then(|| reason.item().cloned().unwrap_or_default()))
            .collect()
    })
}

/// Whether a retry may succeed: after a conflict, throttling, or no response.
fn is_transient(error: &SdkError<TransactWriteItemsError>) -> bool {
    match error {
        SdkError::ServiceError(_) => {
            reasons(error)
                .iter()
                .any(|reason| reason.code().is_some_and(|code| RETRYABLE.contains(&code)))
                || matches!(
                    error.code(),
                    Some(
                        "TransactionInProgressException"
                            | "ThrottlingException"
                            | "ProvisionedThroughputExceededException"
                            | "RequestLimitExceeded"
                            | "InternalServerError"
                    )
                )
        }
        SdkError::TimeoutError(_) | SdkError::DispatchFailure(_) | SdkError::ResponseError(_) => {
            true
        }
        _ => false,
    }
}
