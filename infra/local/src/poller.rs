//! Feeds queued messages to functions, like AWS Lambda's event source mapping.

use std::{sync::Arc, time::Duration};

use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use aws_sdk_sqs::types::{
    DeleteMessageBatchRequestEntry, Message, MessageSystemAttributeName as Attribute,
};
use aws_sdk_sqs::{Config, config::timeout::TimeoutConfig};
use sqs_consumer::SqsHandler;
use store::Clients;
use tokio::sync::watch;

/// Messages per batch.
const BATCH: i32 = 10;
/// Pause after a failed request to the queue.
const PAUSE: Duration = Duration::from_millis(500);

/// The queue did not answer.
pub type PollError = Box<dyn std::error::Error + Send + Sync>;

/// Polls a queue.
#[derive(Clone)]
pub struct Poller {
    /// Processes the messages.
    pub function: Arc<dyn SqsHandler>,
    /// Client of the queue.
    pub clients: Clients,
    /// URL of the queue.
    pub queue_url: String,
}

impl Poller {
    /// Polls until `stop` is set. Messages received by then are still processed.
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

    /// Processes one batch, after waiting at most `wait` seconds for it. Returns the number of
    /// messages.
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
            // This call is expected to wait.
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
        let response = self.function.handle(event).await;
        let has_failed = |message: &Message| {
            let id = message.message_id().unwrap_or_default();
            response.batch_item_failures.iter().any(|failure| failure.item_identifier == id)
        };
        let mut done = Vec::new();
        for (position, message) in received.iter().enumerate().filter(|(_, it)| !has_failed(it)) {
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

    /// A received message as a record of a Lambda event.
    fn record(&self, message: &Message) -> SqsMessage {
        let queue = self.queue_url.rsplit('/').next().unwrap_or_default();
        let mut record = SqsMessage::default();
        record.message_id = message.message_id.clone();
        record.receipt_handle = message.receipt_handle.clone();
        record.body = message.body.clone();
        // The function reads only the queue's name.
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
