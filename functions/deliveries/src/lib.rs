//! Delivers events to webhook endpoints.

use std::{panic::AssertUnwindSafe, time::Duration};

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use domain::Timestamp;
use futures::{FutureExt, future::join_all};
use store::{
    StoreError,
    webhooks::queue::{Lane, Notification},
};
use webhook_delivery::{Deliveries, Prefetched};

/// How long the work on a batch may take: the function has 29 s.
const BUDGET: Duration = Duration::from_secs(22);
/// How long the queue is given to take a message again, or to put it off.
const POSTPONE_TIMEOUT: Duration = Duration::from_secs(3);
/// Receives from which a message is sent again instead: the queue gives it up after twenty.
const MAX_RECEIVES: u32 = 8;
/// When such a message comes back.
const RE_ENQUEUE_DELAY: Duration = Duration::from_secs(60);
/// When a message comes back that no time will make better: soon it is among the dead letters.
const PERMANENT_FAILURE_DELAY: Duration = Duration::from_secs(1);

/// What the function needs.
#[derive(Clone, Debug)]
pub struct DeliveriesFunction {
    /// Works on messages.
    pub deliveries: Deliveries,
}

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
enum ProcessingError {
    #[error("the message is not one of ours")]
    Unreadable,
    #[error("the work on it panicked")]
    Panicked,
    #[error("the work on it took too long")]
    Late,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ProcessingError {
    /// Whether another try may go better.
    fn is_transient(&self) -> bool {
        match self {
            Self::Late => true,
            Self::Store(error) => error.is_transient(),
            Self::Unreadable | Self::Panicked => false,
        }
    }
}

impl DeliveriesFunction {
    /// Works on a batch of messages, each by itself: one that fails, panics or does not come to an end does
    /// not bring the others back.
    pub async fn handle(&self, event: SqsEvent) -> SqsBatchResponse {
        let until = self.now() + BUDGET;
        let notifications: Vec<Option<Notification>> = event.records.iter().map(read).collect();
        let looking = self.deliveries.prefetch(notifications.iter().flatten());
        let prefetched = self.with_deadline(until, looking).await;
        let prefetched = prefetched.unwrap_or_else(|_| self.deliveries.nothing_prefetched());
        let work = event.records.iter().zip(&notifications);
        // Boxed, since they are large, and would be moved about.
        let work = work.map(|(message, notification)| {
            self.attempt(message, notification.as_ref(), &prefetched, until).boxed()
        });
        let worked = join_all(work).await;
        let mut response = SqsBatchResponse::default();
        for (message, outcome) in event.records.into_iter().zip(worked) {
            let Err(error) = outcome else { continue };
            let id = message.message_id.unwrap_or_default();
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::error!(message_id = id, %error, cause, "a message failed");
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = id;
            response.batch_item_failures.push(failure);
        }
        response
    }

    /// Works on a message; one that fails comes back sooner than the queue would have it by itself, which
    /// must assume a whole function's timeout.
    async fn attempt(
        &self,
        message: &SqsMessage,
        notification: Option<&Notification>,
        prefetched: &Prefetched,
        until: Timestamp,
    ) -> Result<(), ProcessingError> {
        let lane = self.deliveries.store.lane_of(message.event_source_arn.as_deref());
        let error = match notification {
            None => ProcessingError::Unreadable,
            Some(notification) => {
                match self
                    .with_deadline(until, self.deliveries.process(notification, prefetched, lane))
                    .await
                {
                    Ok(Ok(())) => return Ok(()),
                    Ok(Err(error)) => ProcessingError::Store(error),
                    Err(error) => error,
                }
            }
        };
        let receives = receives(message);
        if let Some(notification) =
            notification.filter(|_| receives >= MAX_RECEIVES && error.is_transient())
            && self.is_re_enqueued(notification, lane).await
        {
            return Ok(());
        }
        let wait = match error.is_transient() {
            true => Duration::from_secs(2 << receives.min(7)),
            false => PERMANENT_FAILURE_DELAY,
        };
        if let Some(receipt) = &message.receipt_handle {
            let postponing = self.deliveries.store.postpone_notification(lane, receipt, wait);
            let postponed = self.with_deadline(self.now() + POSTPONE_TIMEOUT, postponing).await;
            if !matches!(postponed, Ok(Ok(()))) {
                tracing::warn!("a message comes back later than it should");
            }
        }
        Err(error)
    }

    /// Sends a message again before the queue gives it up for something that is none of its own, as long as
    /// what it is about is still told.
    async fn is_re_enqueued(&self, notification: &Notification, lane: Lane) -> bool {
        if self.deliveries.is_expired(notification) {
            return false;
        }
        let sending = self.deliveries.re_enqueue(notification, RE_ENQUEUE_DELAY, lane);
        let sent = self.with_deadline(self.now() + POSTPONE_TIMEOUT, sending).await;
        matches!(sent, Ok(Ok(())))
    }

    /// Waits for work until a given instant; a panic is that work's alone.
    async fn with_deadline<T>(
        &self,
        until: Timestamp,
        work: impl Future<Output = T>,
    ) -> Result<T, ProcessingError> {
        tokio::select! {
            biased;
            worked = AssertUnwindSafe(work).catch_unwind() => worked.map_err(|_| ProcessingError::Panicked),
            () = self.deliveries.store.clock().sleep_until(until) => Err(ProcessingError::Late),
        }
    }

    fn now(&self) -> Timestamp {
        self.deliveries.store.clock().now()
    }
}

fn read(message: &SqsMessage) -> Option<Notification> {
    serde_json::from_str(message.body.as_deref().unwrap_or_default()).ok()
}

/// How often a message was received, this time included.
fn receives(message: &SqsMessage) -> u32 {
    let count = message.attributes.get("ApproximateReceiveCount");
    count.and_then(|count| count.parse().ok()).unwrap_or(1)
}
