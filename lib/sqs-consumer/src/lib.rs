//! What every function does that an SQS queue invokes: it processes the messages of a batch one by one, and reports
//! those that failed (`ReportBatchItemFailures`).
//!
//! An error, a panic or a timeout belongs to its message alone. A message that failed comes back after a backoff of
//! its own, since the queue's visibility timeout must assume a whole function's timeout. A message with a transient error is
//! sent again before the queue moves it to its dead letters.

use std::{error::Error, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use domain::{Clock, Timestamp};
use futures::{
    FutureExt,
    future::{BoxFuture, Either, join_all, select},
};
use lambda_runtime::{LambdaEvent, service_fn};
use serde::de::DeserializeOwned;
use store::StoreError;

/// Receives from which a message is sent again instead of being received once more: a queue whose messages are sent
/// again moves them to its dead letters after ten receives at the earliest.
const RE_ENQUEUE_AT_RECEIVES: u32 = 8;
/// How long a queue may take to accept a message again, or to hide it.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(3);

/// A function that a queue invokes.
pub trait SqsHandler: Send + Sync {
    /// Processes a batch of messages, and names those that stay in the queue.
    fn handle(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse>;
}

/// Serves a function on AWS Lambda.
///
/// # Errors
///
/// The runtime interface failed.
pub async fn run(handler: impl SqsHandler) -> Result<(), lambda_runtime::Error> {
    let handler = &handler;
    let handle = |event: LambdaEvent<SqsEvent>| async move {
        Ok::<_, lambda_runtime::Error>(handler.handle(event.payload).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
pub enum ProcessingError {
    /// Its body is none that the function knows.
    #[error("the message is not one of ours")]
    Unreadable,
    /// The function has a defect.
    #[error("the work on it panicked")]
    Panicked,
    /// The batch's time was over.
    #[error("the work on it took too long")]
    Timeout,
    /// Nothing is wrong: it is to be processed later.
    #[error("it is to be processed again in {0:?}")]
    RetryAfter(Duration),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ProcessingError {
    /// Whether another try may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Timeout | Self::RetryAfter(_) => true,
            Self::Store(error) => error.is_transient(),
            Self::Unreadable | Self::Panicked => false,
        }
    }

    fn log(&self, message: &SqsMessage) {
        if !matches!(self, Self::RetryAfter(_)) {
            let (id, cause) =
                (message.message_id.as_deref(), self.source().map(ToString::to_string));
            tracing::error!(message_id = id, error = %self, cause, "a message failed");
        }
    }
}

/// How the messages of one queue are processed.
pub trait Consumer: Sync {
    /// What a message carries.
    type Body: DeserializeOwned + Send + Sync;

    /// Processes a message.
    fn process(
        &self,
        message: &SqsMessage,
        body: &Self::Body,
    ) -> impl Future<Output = Result<(), ProcessingError>> + Send;

    /// When a message comes back that failed; `None` leaves it to the queue's visibility timeout.
    fn backoff(&self, _error: &ProcessingError, _receives: u32) -> Option<Duration> {
        None
    }

    /// Hides a message for the delay that [`Consumer::backoff`] gave.
    fn postpone(
        &self,
        _message: &SqsMessage,
        _receipt_handle: &str,
        _delay: Duration,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }

    /// Sends a message again, if it is worth that after this error. Returns whether the queue has it.
    fn re_enqueue(
        &self,
        _message: &SqsMessage,
        _body: &Self::Body,
        _error: &ProcessingError,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send {
        async { Ok(false) }
    }
}

/// The time that a batch has.
#[derive(Clone, Debug)]
pub struct Batch {
    clock: Arc<dyn Clock>,
    until: Option<Timestamp>,
}

impl Batch {
    /// A batch whose messages have until then; without an end, the function's own timeout is the only one.
    pub fn new(clock: Arc<dyn Clock>, until: Option<Timestamp>) -> Self {
        Self { clock, until }
    }

    /// Processes messages side by side. Bodies are those that [`bodies`] has read.
    pub async fn process<C: Consumer>(
        &self,
        consumer: &C,
        records: Vec<SqsMessage>,
        bodies: &[Option<C::Body>],
    ) -> SqsBatchResponse {
        let work = records.iter().zip(bodies);
        // Boxed, since they are large, and would be moved about.
        let work = work.map(|(message, body)| self.process_one(consumer, message, body).boxed());
        let kept = join_all(work).await;
        response(records.into_iter().zip(kept).filter_map(|(it, is_kept)| is_kept.then_some(it)))
    }

    /// Processes a message. Returns whether it stays in the queue.
    async fn process_one<C: Consumer>(
        &self,
        consumer: &C,
        message: &SqsMessage,
        body: &Option<C::Body>,
    ) -> bool {
        let processed = match body {
            None => Err(ProcessingError::Unreadable),
            Some(body) => self.isolate(consumer.process(message, body)).await.flatten(),
        };
        match processed {
            Ok(()) => false,
            Err(error) => self.failed(consumer, message, body.as_ref(), &error).await,
        }
    }

    /// Deals with a message that failed: it is sent again, or it comes back. Returns whether it stays in the queue.
    pub async fn failed<C: Consumer>(
        &self,
        consumer: &C,
        message: &SqsMessage,
        body: Option<&C::Body>,
        error: &ProcessingError,
    ) -> bool {
        let receives = receives(message);
        if let Some(body) = body.filter(|_| receives >= RE_ENQUEUE_AT_RECEIVES) {
            match self.ask_queue(consumer.re_enqueue(message, body, error)).await {
                Ok(true) => return false,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "a message is nearer to the dead letters"),
            }
        }
        if let Some(receipt) = &message.receipt_handle
            && let Some(delay) = consumer.backoff(error, receives)
            && let Err(error) = self.ask_queue(consumer.postpone(message, receipt, delay)).await
        {
            tracing::warn!(%error, "a message comes back later than it should");
        }
        error.log(message);
        true
    }

    /// Waits for work as long as the batch has time. A panic is an error of that work.
    ///
    /// # Errors
    ///
    /// The work panicked, or the time is over.
    pub async fn isolate<T>(&self, work: impl Future<Output = T>) -> Result<T, ProcessingError> {
        match self.until {
            Some(until) => self.isolate_until(until, work).await,
            None => {
                let work = AssertUnwindSafe(work).catch_unwind().await;
                work.map_err(|_| ProcessingError::Panicked)
            }
        }
    }

    async fn isolate_until<T>(
        &self,
        until: Timestamp,
        work: impl Future<Output = T>,
    ) -> Result<T, ProcessingError> {
        let work = std::pin::pin!(AssertUnwindSafe(work).catch_unwind());
        match select(work, self.clock.sleep_until(until)).await {
            Either::Left((worked, _)) => worked.map_err(|_| ProcessingError::Panicked),
            Either::Right(_) => Err(ProcessingError::Timeout),
        }
    }

    async fn ask_queue<T>(
        &self,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, ProcessingError> {
        Ok(self.isolate_until(self.clock.now() + QUEUE_TIMEOUT, call).await??)
    }
}

/// The bodies of messages, in their order; `None` for those that cannot be read.
pub fn bodies<T: DeserializeOwned>(records: &[SqsMessage]) -> Vec<Option<T>> {
    let body = |message: &SqsMessage| {
        serde_json::from_str(message.body.as_deref().unwrap_or_default()).ok()
    };
    records.iter().map(body).collect()
}

/// The answer that leaves these messages in the queue.
pub fn response(stay: impl IntoIterator<Item = SqsMessage>) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    for message in stay {
        let mut failure = BatchItemFailure::default();
        failure.item_identifier = message.message_id.unwrap_or_default();
        response.batch_item_failures.push(failure);
    }
    response
}

/// How often a message was received, this time included.
pub fn receives(message: &SqsMessage) -> u32 {
    attribute(message, "ApproximateReceiveCount").unwrap_or(1)
}

fn attribute<T: std::str::FromStr>(message: &SqsMessage, name: &str) -> Option<T> {
    message.attributes.get(name)?.parse().ok()
}
