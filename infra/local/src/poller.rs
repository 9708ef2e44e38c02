//! Feeds queued messages to functions, as AWS Lambda's event source mapping does.

use std::{sync::Arc, time::Duration};

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use aws_sdk_sqs::types::{
    DeleteMessageBatchRequestEntry, Message, MessageSystemAttributeName as Attribute,
};
use aws_sdk_sqs::{Config, config::timeout::TimeoutConfig};
use deliveries::DeliveriesFunction;
use futures::future::BoxFuture;
use library_indexer::LibraryIndexer;
use processor::Processor;
use store::Clients;
use tokio::sync::watch;
use upload_events::UploadEvents;

/// Messages of a batch.
const BATCH: i32 = 10;
/// Pause after the queue could not be asked.
const PAUSE: Duration = Duration::from_millis(500);

/// The queue did not answer.
pub type PollError = Box<dyn std::error::Error + Send + Sync>;

/// A function that a queue feeds.
pub trait SqsHandler: Send + Sync {
    /// Works on a batch of messages and names those that stay in the queue.
    fn handle_batch(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse>;
}

impl SqsHandler for Processor {
    fn handle_batch(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        Box::pin(self.handle(event))
    }
}

impl SqsHandler for UploadEvents {
    fn handle_batch(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        Box::pin(self.handle(event))
    }
}

impl SqsHandler for DeliveriesFunction {
    fn handle_batch(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        Box::pin(self.handle(event))
    }
}

impl SqsHandler for LibraryIndexer {
    fn handle_batch(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        Box::pin(self.handle(event))
    }
}

/// Polls a queue.
#[derive(Clone)]
pub struct Poller {
    /// Works on the messages.
    pub function: Arc<dyn SqsHandler>,
    /// Whom to ask.
    pub clients: Clients,
    /// Which queue.
    pub queue_url: String,
}

impl Poller {
    /// Polls until `stop` says so. What was received by then is still worked on.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        loop {
            let received = tokio::select! {
                received = self.receive(20) => received,
                _ = stop.wait_for(|stop| *stop) => return,
            };
            let worked = match received {
                Ok(messages) => self.work(&messages).await,
                Err(error) => Err(error),
            };
            if let Err(error) = worked {
                tracing::warn!(%error, "the queue did not answer");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Works on one batch, after waiting at most `wait` seconds for it. Returns how many messages
    /// there were.
    ///
    /// # Errors
    ///
    /// The queue did not answer.
    pub async fn poll(&self, wait: i32) -> Result<usize, PollError> {
        let received = self.receive(wait).await?;
        self.work(&received).await?;
        Ok(received.len())
    }

    async fn receive(&self, wait: i32) -> Result<Vec<Message>, PollError> {
        let queue = &self.queue_url;
        let received = self
            .clients
            .sqs
            .receive_message()
            .queue_url(queue)
            .max_number_of_messages(BATCH)
            .wait_time_seconds(wait)
            .message_system_attribute_names(Attribute::SentTimestamp)
            .message_system_attribute_names(Attribute::ApproximateReceiveCount)
            .customize()
            // Waiting is what this call is for.
            .config_override(Config::builder().timeout_config(TimeoutConfig::disabled()))
            .send()
            .await?
            .messages
            .unwrap_or_default();
        Ok(received)
    }

    async fn work(&self, received: &[Message]) -> Result<(), PollError> {
        if received.is_empty() {
            return Ok(());
        }
        let queue = &self.queue_url;
        let mut event = SqsEvent::default();
        event.records = received.iter().map(|message| self.record(message)).collect();
        let response = self.function.handle_batch(event).await;
        let stays = |message: &Message| {
            let id = message.message_id().unwrap_or_default();
            response.batch_item_failures.iter().any(|failure| failure.item_identifier == id)
        };
        let mut done = Vec::new();
        for (position, message) in received.iter().enumerate().filter(|(_, it)| !stays(it)) {
            done.push(
                DeleteMessageBatchRequestEntry::builder()
                    .id(position.to_string())
                    .receipt_handle(message.receipt_handle().unwrap_or_default())
                    .build()?,
            );
        }
        if !done.is_empty() {
            let delete = self.clients.sqs.delete_message_batch().queue_url(queue);
            delete.set_entries(Some(done)).send().await?;
        }
        Ok(())
    }

    /// A received message in the form of a Lambda event's record.
    fn record(&self, message: &Message) -> SqsMessage {
        let queue = self.queue_url.rsplit('/').next().unwrap_or_default();
        let mut record = SqsMessage::default();
        record.message_id = message.message_id.clone();
        record.receipt_handle = message.receipt_handle.clone();
        record.body = message.body.clone();
        // Only the queue's name is read of it.
        record.event_source_arn = Some(format!("arn:aws:sqs:us-east-1:000000000000:{queue}"));
        record.attributes = message
            .attributes
            .iter()
            .flatten()
            .map(|(name, value)| (name.as_str().to_owned(), value.clone()))
            .collect();
        record
    }
}
