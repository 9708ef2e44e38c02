//! How long a call is sent again when other writes of its items are in its way. The SDK does not try these again.
//! Everything else that may pass is the SDK's to try again, within its quota.

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::{
        transact_get_items::TransactGetItemsError, transact_write_items::TransactWriteItemsError,
        update_item::UpdateItemError,
    },
    types::CancellationReason,
};
use domain::{Timestamp, random};

use crate::Store;

/// First pause before a call is sent again; doubled each time, with full jitter.
const BACKOFF_BASE: Duration = Duration::from_millis(20);
/// Longest of these pauses.
const BACKOFF_CAP: Duration = Duration::from_millis(640);
/// Tries of a transaction that is cancelled because of load, as many as the SDK makes of other calls: it does not look
/// at the reasons.
const THROTTLED_TRIES: usize = 3;
/// How long a call is sent again that has no deadline of its own.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Reason of a transaction that was cancelled because others wrote the same items.
const CONFLICT: &str = "TransactionConflict";
/// Reasons of one that was cancelled because of the load on its items.
const THROTTLED: [&str; 3] =
    ["ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded"];

/// What was in the way of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// Another write of the same items.
    Conflict,
    /// The load on them.
    Throttling,
}

/// An error that says what was in the way.
pub(crate) trait Obstructed {
    /// `None` if the call failed for another reason.
    fn obstacle(&self) -> Option<Obstacle>;
}

impl Obstructed for SdkError<TransactWriteItemsError> {
    fn obstacle(&self) -> Option<Obstacle> {
        match self.as_service_error()? {
            TransactWriteItemsError::TransactionCanceledException(cancelled) => {
                obstacle(cancelled.cancellation_reasons())
            }
            // An earlier try of the same transaction.
            TransactWriteItemsError::TransactionInProgressException(_) => Some(Obstacle::Conflict),
            _ => None,
        }
    }
}

impl Obstructed for SdkError<TransactGetItemsError> {
    fn obstacle(&self) -> Option<Obstacle> {
        match self.as_service_error()? {
            TransactGetItemsError::TransactionCanceledException(cancelled) => {
                obstacle(cancelled.cancellation_reasons())
            }
            _ => None,
        }
    }
}

impl Obstructed for SdkError<UpdateItemError> {
    fn obstacle(&self) -> Option<Obstacle> {
        match self.as_service_error()? {
            UpdateItemError::TransactionConflictException(_) => Some(Obstacle::Conflict),
            _ => None,
        }
    }
}

/// Pauses between the tries of a call: doubled each time, up to a cap.
pub(crate) fn backoff() -> impl Iterator<Item = Duration> {
    std::iter::successors(Some(BACKOFF_BASE), |pause| Some((*pause * 2).min(BACKOFF_CAP)))
}

pub(crate) fn is_conflict(reason: &CancellationReason) -> bool {
    reason.code() == Some(CONFLICT)
}

pub(crate) fn is_throttled(reason: &CancellationReason) -> bool {
    reason.code().is_some_and(|code| THROTTLED.contains(&code))
}

/// Load counts before conflicts: it limits the tries.
fn obstacle(reasons: &[CancellationReason]) -> Option<Obstacle> {
    if reasons.iter().any(is_throttled) {
        return Some(Obstacle::Throttling);
    }
    reasons.iter().any(is_conflict).then_some(Obstacle::Conflict)
}

impl Store {
    /// Calls `send` again while other writes of its items are in the way, for two seconds.
    pub(crate) async fn retry<T, E: Obstructed, F: Future<Output = Result<T, E>>>(
        &self,
        send: impl Fn() -> F,
    ) -> Result<T, E> {
        self.retry_until(self.clock.now() + PATIENCE, send).await
    }

    /// The same until `deadline`.
    pub(crate) async fn retry_until<T, E: Obstructed, F: Future<Output = Result<T, E>>>(
        &self,
        deadline: Timestamp,
        send: impl Fn() -> F,
    ) -> Result<T, E> {
        let mut throttled = 0;
        let mut pauses = backoff();
        loop {
            let error = match send().await {
                Ok(output) => return Ok(output),
                Err(error) => error,
            };
            throttled += usize::from(error.obstacle() == Some(Obstacle::Throttling));
            let may_pass = error.obstacle().is_some() && throttled < THROTTLED_TRIES;
            let pause = pauses.next().unwrap_or(BACKOFF_CAP);
            if !may_pass || self.clock.now() + pause >= deadline {
                return Err(error);
            }
            self.sleep_with_jitter(pause).await;
        }
    }

    /// Sleeps for a random part of `pause`.
    pub(crate) async fn sleep_with_jitter(&self, pause: Duration) {
        let [roll] = random::bytes::<1>(&*self.random);
        let part = pause.mul_f64((f64::from(roll) + 1.0) / 256.0);
        self.clock.sleep_until(self.clock.now() + part).await;
    }
}
