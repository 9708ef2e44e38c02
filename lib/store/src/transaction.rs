//! Transactions that are tried again when they meet another one on the way.

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    operation::{
        transact_write_items::TransactWriteItemsError,
        update_item::{UpdateItemError, UpdateItemOutput, builders::UpdateItemFluentBuilder},
    },
    types::{CancellationReason, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem},
};
use domain::{Timestamp, random};

use crate::{
    Store, StoreError,
    item::{Attributes, number},
};

/// First pause before a conflicting write is tried again; doubled each time, with full jitter.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// Longest of these pauses.
const LONGEST_PAUSE: Duration = Duration::from_millis(640);

/// Reasons of a cancelled transaction that pass by themselves.
const PASSING: [&str; 4] = [
    "TransactionConflict",
    "ThrottlingError",
    "ProvisionedThroughputExceeded",
    "RequestLimitExceeded",
];

/// How often a single write is tried again while another one is in its way.
pub(crate) const RETRIES: usize = 10;

/// Pauses between the tries of a write that meets another one: doubled each time, up to a bound.
pub(crate) fn pauses() -> impl Iterator<Item = Duration> {
    std::iter::successors(Some(FIRST_PAUSE), |pause| Some((*pause * 2).min(LONGEST_PAUSE)))
}

/// What became of a transaction.
pub(crate) enum Outcome {
    /// It is written.
    Committed,
    /// Nothing was written, since conditions did not hold. One entry an item of the transaction:
    /// `None` if its condition held, else the item as it stands (empty if there is none).
    Refused(Vec<Option<Attributes>>),
}

impl Store {
    /// Writes an item whose `v` was `version` when it was read, 0 if there was none. Refused with the item as
    /// it stands where that is no longer so.
    pub(crate) fn put_version(&self, item: Attributes, version: i64) -> TransactWriteItem {
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

    /// Writes all `items` or none, trying again until `deadline` when another write is in the way
    /// or the table is throttled.
    ///
    /// All tries share one client token, so that a try whose answer got lost is not written twice.
    pub(crate) async fn transact(
        &self,
        items: Vec<TransactWriteItem>,
        deadline: Timestamp,
    ) -> Result<Outcome, StoreError> {
        let token = hex(&random::bytes::<16>(&*self.random));
        let mut pauses = pauses();
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
            let pause = pauses.next().unwrap_or(LONGEST_PAUSE);
            let too_late = self.clock.now() + pause >= deadline;
            // A condition that fails beside a conflict may have failed because of it.
            if let Some(refused) = refusal(&error)
                && (too_late || !may_pass(&error))
            {
                return Ok(Outcome::Refused(refused));
            }
            if too_late || !may_pass(&error) {
                return Err(StoreError::unavailable("table", error));
            }
            self.rest(pause).await;
        }
    }

    /// Sends an update again while a transaction on its item is in the way.
    pub(crate) async fn update_patiently(
        &self,
        update: UpdateItemFluentBuilder,
    ) -> Result<UpdateItemOutput, SdkError<UpdateItemError>> {
        let mut pauses = pauses().take(RETRIES);
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
                Some(pause) => self.rest(pause).await,
                None => return Err(error),
            }
        }
    }

    /// Sleeps for a random part of `pause`.
    pub(crate) async fn rest(&self, pause: Duration) {
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

/// Whether a transaction was given up since the item at `position` was in others' hands.
pub(crate) fn was_in_the_way(error: &StoreError, position: usize) -> bool {
    let StoreError::Unavailable { source, .. } = error else { return false };
    let Some(error) = source.downcast_ref::<SdkError<TransactWriteItemsError>>() else {
        return false;
    };
    reasons(error)
        .get(position)
        .and_then(CancellationReason::code)
        .is_some_and(|code| PASSING.contains(&code))
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

/// Whether another try may succeed: a conflict, throttling, or no answer at all.
fn may_pass(error: &SdkError<TransactWriteItemsError>) -> bool {
    match error {
        SdkError::ServiceError(_) => {
            reasons(error)
                .iter()
                .any(|reason| reason.code().is_some_and(|code| PASSING.contains(&code)))
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
