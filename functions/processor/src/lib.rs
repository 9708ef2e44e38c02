//! Runs queued operations.

use std::{panic::AssertUnwindSafe, time::Duration};

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use domain::Timestamp;
use futures::{FutureExt, future::join_all};
use store::{StoreError, operations::idempotency_key_expires_at, operations::queue::Message};
use workflow::{Disposition, Workflow};

/// Receives from which a message is sent again instead: the queue gives it up after ten.
const REENQUEUE_AT_RECEIVES: u32 = 8;
/// When such a message comes back: the longest delay that a queue knows.
const REENQUEUE_DELAY: Duration = Duration::from_secs(900);

/// What the processor needs.
#[derive(Clone)]
pub struct Processor {
    /// Claims, runs and ends operations.
    pub workflow: Workflow,
}

/// When a message comes back whose work storage refuses for good: within minutes it is among the dead letters.
const PERMANENT_FAILURE_DELAY: Duration = Duration::from_secs(15);

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
enum ProcessingError {
    #[error("the message is not one of ours")]
    Unreadable,
    #[error("the work on it panicked")]
    Panicked,
    #[error("it is to be looked at again in {0:?}")]
    RetryAfter(Duration),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ProcessingError {
    /// Whether storage has refused what no time mends.
    fn is_permanent(&self) -> bool {
        matches!(self, Self::Store(error) if !error.is_transient())
    }
}

impl Processor {
    /// Works on a batch of messages, each by itself: one that fails does not bring the others back.
    pub async fn handle(&self, event: SqsEvent) -> SqsBatchResponse {
        let worked = join_all(event.records.iter().map(|message| self.attempt(message))).await;
        let mut response = SqsBatchResponse::default();
        for (message, outcome) in event.records.into_iter().zip(worked) {
            let Err(error) = outcome else { continue };
            if !matches!(error, ProcessingError::RetryAfter(_)) {
                let id = message.message_id.as_deref();
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::error!(message_id = id, error = %error, cause, "a message failed");
            }
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = message.message_id.unwrap_or_default();
            response.batch_item_failures.push(failure);
        }
        response
    }

    /// Works on a message; a panic is that message's alone, and its lease lapses like that of any
    /// attempt that died.
    async fn attempt(&self, message: &SqsMessage) -> Result<(), ProcessingError> {
        let worked = AssertUnwindSafe(self.work(message)).catch_unwind().await;
        let error = match worked.unwrap_or(Err(ProcessingError::Panicked)) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        if self.is_reenqueued(message, &error).await {
            return Ok(());
        }
        let wait = match error {
            ProcessingError::RetryAfter(wait) => wait,
            _ if error.is_permanent() => PERMANENT_FAILURE_DELAY,
            // Sooner than the queue would by itself, which must assume a whole function's timeout.
            _ => Duration::from_secs(15 << receives(message).min(5)),
        };
        if let Some(receipt) = &message.receipt_handle
            && let Err(error) = self.workflow.store().postpone(receipt, wait).await
        {
            tracing::warn!(%error, "a message comes back later than it should");
        }
        Err(error)
    }

    /// Sends a message again before the queue gives it up.
    ///
    /// That of an operation until its input is no longer kept: only its record says when it is over. One
    /// that something is to be removed as long as storage cannot be reached: nobody else will remove it.
    /// Whatever else is wrong goes to the dead letters, and so does what storage refuses for good.
    async fn is_reenqueued(&self, message: &SqsMessage, error: &ProcessingError) -> bool {
        let body = message.body.as_deref().unwrap_or_default();
        let Ok(asked) = serde_json::from_str::<Message>(body) else { return false };
        let store = self.workflow.store();
        let is_worth_it = match asked {
            Message::Operation(asked) => {
                !error.is_permanent()
                    && store.clock().now()
                        < idempotency_key_expires_at(asked.operation_id.created_at())
            }
            Message::Deletion(_) | Message::PresetBody(_) => {
                matches!(error, ProcessingError::Store(error) if error.is_transient())
            }
        };
        if receives(message) < REENQUEUE_AT_RECEIVES || !is_worth_it {
            return false;
        }
        match store.enqueue(asked, REENQUEUE_DELAY).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "a message is nearer to the dead letters");
                false
            }
        }
    }

    async fn work(&self, message: &SqsMessage) -> Result<(), ProcessingError> {
        let body = message.body.as_deref().unwrap_or_default();
        let asked: Message = serde_json::from_str(body).map_err(|_| ProcessingError::Unreadable)?;
        let sent_at = attribute(message, "SentTimestamp").unwrap_or_default();
        let sent_at = Timestamp::from_millis(sent_at);
        match self.workflow.process(asked, sent_at, receives(message)).await? {
            Disposition::Done => Ok(()),
            Disposition::RetryAfter(wait) => Err(ProcessingError::RetryAfter(wait)),
        }
    }
}

fn attribute(message: &SqsMessage, name: &str) -> Option<i64> {
    message.attributes.get(name)?.parse().ok()
}

/// How often a message was received, this time included.
fn receives(message: &SqsMessage) -> u32 {
    let count = attribute(message, "ApproximateReceiveCount").unwrap_or(1);
    u32::try_from(count).unwrap_or(u32::MAX)
}
