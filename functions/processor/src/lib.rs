//! Runs queued operations, and judges items of the library that wait for a verdict.

use std::time::Duration;

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use futures::{FutureExt, future::BoxFuture};
use publication::Publisher;
use serde::Deserialize;
use sqs_consumer::{Batch, Consumer, ProcessingError, SqsHandler, bodies};
use store::{
    StoreError,
    library::queue::ReviewMessage,
    operations::{idempotency_key_expires_at, queue::Message},
};
use workflow::{Disposition, Workflow};

/// When a message comes back that was sent again: the longest delay of SQS.
const RE_ENQUEUE_DELAY: Duration = Duration::from_secs(900);
/// When a message comes back after a permanent error: within minutes it is among the dead letters.
const PERMANENT_FAILURE_DELAY: Duration = Duration::from_secs(5);

/// What the processor needs.
#[derive(Clone)]
pub struct Processor {
    /// Claims, runs and ends operations.
    pub workflow: Workflow,
    /// Judges items again and publishes them.
    pub publisher: Publisher,
}

/// What a message of the queue asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Task {
    /// To judge an item of the library again.
    Review(ReviewMessage),
    /// To run an operation, or to remove something.
    Work(Message),
}

impl SqsHandler for Processor {
    fn handle(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        let batch = Batch::new(self.workflow.store().clock().clone(), None);
        async move {
            let bodies = bodies(&event.records);
            batch.process(self, event.records, &bodies).await
        }
        .boxed()
    }
}

impl Consumer for Processor {
    type Body = Task;

    async fn process(&self, message: &SqsMessage, body: &Task) -> Result<(), ProcessingError> {
        let receipt_handle = message.receipt_handle.as_deref();
        let processed = match body {
            Task::Work(message) => self.workflow.process(*message, receipt_handle).await?,
            Task::Review(message) => {
                let again = self.publisher.review(*message).await?;
                again.map_or(Disposition::Done, Disposition::RetryAfter)
            }
        };
        match processed {
            Disposition::Done => Ok(()),
            Disposition::RetryAfter(delay) => Err(ProcessingError::RetryAfter(delay)),
        }
    }

    fn backoff(&self, error: &ProcessingError, receives: u32) -> Option<Duration> {
        Some(match error {
            ProcessingError::RetryAfter(delay) => *delay,
            ProcessingError::Store(error) if !error.is_transient() => PERMANENT_FAILURE_DELAY,
            ProcessingError::Unreadable => PERMANENT_FAILURE_DELAY,
            _ => Duration::from_secs(15 << receives.min(5)),
        })
    }

    async fn postpone(
        &self,
        _: &SqsMessage,
        receipt_handle: &str,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.workflow.store().postpone(receipt_handle, delay).await
    }

    /// The message of an operation is sent again until the operation's input expires: only its record says when it
    /// is over, so a panic may pass, too. One that removes something is sent again as long as storage cannot be
    /// reached: nothing else removes it. A review is sent again until there is a verdict.
    async fn re_enqueue(
        &self,
        _: &SqsMessage,
        body: &Task,
        error: &ProcessingError,
    ) -> Result<bool, StoreError> {
        let store = self.workflow.store();
        let is_worth_it = match body {
            Task::Work(Message::Operation(asked)) => {
                let expires_at = idempotency_key_expires_at(asked.operation_id.created_at());
                let is_permanent =
                    matches!(error, ProcessingError::Store(error) if !error.is_transient());
                !is_permanent && store.clock().now() < expires_at
            }
            Task::Work(Message::Deletion(_) | Message::PresetBody(_)) => {
                matches!(error, ProcessingError::Store(error) if error.is_transient())
            }
            Task::Review(_) => error.is_transient(),
        };
        if is_worth_it {
            let delay = match error {
                ProcessingError::RetryAfter(delay) => *delay,
                _ => RE_ENQUEUE_DELAY,
            };
            match body {
                Task::Work(message) => store.enqueue(*message, delay).await?,
                Task::Review(message) => store.enqueue_review(message, delay).await?,
            }
        }
        Ok(is_worth_it)
    }
}
