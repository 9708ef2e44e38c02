//! Runs queued operations.

use std::{panic::AssertUnwindSafe, time::Duration};

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use domain::Timestamp;
use futures::{FutureExt, future::join_all};
use store::{StoreError, operations::key_expires_at, queue::Message};
use workflow::{Verdict, Workflow};

/// Receives from which a message is sent again instead: the queue gives it up after ten.
const LAST_RECEIVES: u32 = 8;
/// When such a message comes back: the longest delay that a queue knows.
const ANEW_AFTER: Duration = Duration::from_secs(900);

/// What the processor needs.
#[derive(Clone)]
pub struct Processor {
    /// Claims, runs and ends operations.
    pub workflow: Workflow,
}

/// When a message comes back whose work storage refuses for good: within minutes it is among the dead letters.
const HOPELESS: Duration = Duration::from_secs(15);

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
enum Stays {
    #[error("the message is not one of ours")]
    Unreadable,
    #[error("the work on it panicked")]
    Panicked,
    #[error("it is to be looked at again in {0:?}")]
    LookAgain(Duration),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Stays {
    /// Whether storage has refused what no time mends.
    fn is_refused(&self) -> bool {
        matches!(self, Self::Store(error) if !error.may_pass())
    }
}

impl Processor {
    /// Works on a batch of messages, each by itself: one that fails does not bring the others back.
    pub async fn handle(&self, event: SqsEvent) -> SqsBatchResponse {
        let worked = join_all(event.records.iter().map(|message| self.attempt(message))).await;
        let mut response = SqsBatchResponse::default();
        for (message, outcome) in event.records.into_iter().zip(worked) {
            let Err(stays) = outcome else { continue };
            if !matches!(stays, Stays::LookAgain(_)) {
                let id = message.message_id.as_deref();
                let cause = std::error::Error::source(&stays).map(ToString::to_string);
                tracing::error!(message_id = id, error = %stays, cause, "a message failed");
            }
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = message.message_id.unwrap_or_default();
            response.batch_item_failures.push(failure);
        }
        response
    }

    /// Works on a message; a panic is that message's alone, and its lease lapses like that of any
    /// attempt that died.
    async fn attempt(&self, message: &SqsMessage) -> Result<(), Stays> {
        let worked = AssertUnwindSafe(self.work(message)).catch_unwind().await;
        let stays = match worked.unwrap_or(Err(Stays::Panicked)) {
            Ok(()) => return Ok(()),
            Err(stays) => stays,
        };
        if self.is_announced_anew(message, &stays).await {
            return Ok(());
        }
        let wait = match stays {
            Stays::LookAgain(wait) => wait,
            _ if stays.is_refused() => HOPELESS,
            // Sooner than the queue would by itself, which must assume a whole function's timeout.
            _ => Duration::from_secs(15 << receives(message).min(5)),
        };
        if let Some(receipt) = &message.receipt_handle
            && let Err(error) = self.workflow.store().postpone(receipt, wait).await
        {
            tracing::warn!(%error, "a message comes back later than it should");
        }
        Err(stays)
    }

    /// Sends a message again before the queue gives it up.
    ///
    /// That of an operation until its input is no longer kept: only its record says when it is over. One
    /// that something is to be removed as long as storage cannot be reached: nobody else will remove it.
    /// Whatever else is wrong goes to the dead letters, and so does what storage refuses for good.
    async fn is_announced_anew(&self, message: &SqsMessage, stays: &Stays) -> bool {
        let body = message.body.as_deref().unwrap_or_default();
        let Ok(asked) = serde_json::from_str::<Message>(body) else { return false };
        let store = self.workflow.store();
        let is_worth_it = match asked {
            Message::Operation(asked) => {
                !stays.is_refused()
                    && store.clock().now() < key_expires_at(asked.operation_id.created_at())
            }
            Message::Deletion(_) | Message::PresetBody(_) => {
                matches!(stays, Stays::Store(error) if error.may_pass())
            }
        };
        if receives(message) < LAST_RECEIVES || !is_worth_it {
            return false;
        }
        match store.announce(asked, ANEW_AFTER).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "a message is nearer to the dead letters");
                false
            }
        }
    }

    async fn work(&self, message: &SqsMessage) -> Result<(), Stays> {
        let body = message.body.as_deref().unwrap_or_default();
        let asked: Message = serde_json::from_str(body).map_err(|_| Stays::Unreadable)?;
        let sent_at = attribute(message, "SentTimestamp").unwrap_or_default();
        let sent_at = Timestamp::from_millis(sent_at);
        match self.workflow.process(asked, sent_at, receives(message)).await? {
            Verdict::Done => Ok(()),
            Verdict::LookAgain(wait) => Err(Stays::LookAgain(wait)),
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
