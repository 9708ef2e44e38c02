//! The depth of a queue, and its dead-letter queue.

use aws_sdk_sqs::types::{
    ChangeMessageVisibilityBatchRequestEntry, Message, MessageSystemAttributeName as System,
    QueueAttributeName as Name,
};
use domain::Timestamp;
use serde::Deserialize;

use crate::{Store, StoreError};

/// Messages that one call receives.
const BATCH: i32 = 10;
/// Seconds for which a message stays hidden while it is read, unless it is released before.
const LOOK: i32 = 10;

/// The depth of a queue; SQS counts approximately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Messages that can be received.
    pub waiting: u64,
    /// Messages that are received but not deleted.
    pub in_flight: u64,
    /// Messages whose delay has not passed.
    pub delayed: u64,
    /// Messages in the dead-letter queue.
    pub dead: u64,
}

/// A message of a dead-letter queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// Its SQS message id.
    pub id: String,
    /// Its body; it has identifiers only.
    pub body: String,
    /// When it was sent.
    pub sent_at: Option<Timestamp>,
    /// How often it was received.
    pub receives: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Redrive {
    dead_letter_target_arn: String,
}

impl Store {
    /// The depth of a queue.
    pub async fn queue_depth(&self, queue_url: &str) -> Result<Depth, StoreError> {
        let (waiting, in_flight, delayed) = self.counts(queue_url).await?;
        let dead = self.dead_letter_queue(queue_url).await?;
        let (dead, looked_at, _) = self.counts(&dead.url).await?;
        Ok(Depth { waiting, in_flight, delayed, dead: dead + looked_at })
    }

    /// Reads up to `most` messages of a queue's dead-letter queue and leaves them there.
    pub async fn dead_letters(
        &self,
        queue_url: &str,
        most: usize,
    ) -> Result<Vec<DeadLetter>, StoreError> {
        let dead = self.dead_letter_queue(queue_url).await?;
        let mut found: Vec<Message> = Vec::new();
        while found.len() < most {
            let received = self
                .clients
                .sqs
                .receive_message()
                .queue_url(&dead.url)
                .max_number_of_messages(BATCH)
                .visibility_timeout(LOOK)
                .message_system_attribute_names(System::SentTimestamp)
                .message_system_attribute_names(System::ApproximateReceiveCount)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("queue", error))?;
            let messages = received.messages.unwrap_or_default();
            if messages.is_empty() {
                break;
            }
            found.extend(messages);
        }
        for messages in found.chunks(BATCH as usize) {
            self.release(&dead.url, messages).await?;
        }
        Ok(found.iter().take(most).map(dead_letter).collect())
    }

    /// Starts the redrive of a queue's dead-letter queue. Returns approximately how many messages
    /// it had; SQS moves them in the background.
    pub async fn redrive(&self, queue_url: &str) -> Result<u64, StoreError> {
        let dead = self.dead_letter_queue(queue_url).await?;
        let (count, ..) = self.counts(&dead.url).await?;
        if count > 0 {
            // The destination is explicit, because SQS does not know the source queue of every
            // message.
            let [arn] = self.queue_attributes(queue_url, [Name::QueueArn]).await?;
            self.clients
                .sqs
                .start_message_move_task()
                .source_arn(&dead.arn)
                .destination_arn(arn)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("queue", error))?;
        }
        Ok(count)
    }

    /// Makes messages visible again at once.
    async fn release(&self, queue_url: &str, messages: &[Message]) -> Result<(), StoreError> {
        let entry = |(position, message): (usize, &Message)| {
            ChangeMessageVisibilityBatchRequestEntry::builder()
                .id(position.to_string())
                .receipt_handle(message.receipt_handle().unwrap_or_default())
                .visibility_timeout(0)
                .build()
                .map_err(|error| StoreError::unavailable("queue", error))
        };
        let entries: Vec<_> =
            messages.iter().enumerate().map(entry).collect::<Result<_, StoreError>>()?;
        self.clients
            .sqs
            .change_message_visibility_batch()
            .queue_url(queue_url)
            .set_entries(Some(entries))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("queue", error))?;
        Ok(())
    }

    async fn counts(&self, queue_url: &str) -> Result<(u64, u64, u64), StoreError> {
        let names = [
            Name::ApproximateNumberOfMessages,
            Name::ApproximateNumberOfMessagesNotVisible,
            Name::ApproximateNumberOfMessagesDelayed,
        ];
        let [waiting, hidden, delayed] = self.queue_attributes(queue_url, names).await?;
        let number = |text: String| text.parse().map_err(|_| StoreError::corrupt("queue"));
        Ok((number(waiting)?, number(hidden)?, number(delayed)?))
    }

    async fn dead_letter_queue(&self, queue_url: &str) -> Result<DeadLetterQueue, StoreError> {
        let [policy] = self.queue_attributes(queue_url, [Name::RedrivePolicy]).await?;
        let Redrive { dead_letter_target_arn: arn } =
            serde_json::from_str(&policy).map_err(|_| StoreError::corrupt("redrive policy"))?;
        // arn:aws:sqs:<region>:<account>:<name>
        let name = arn.rsplit(':').next().unwrap_or_default().to_owned();
        let url = match queue_url.rsplit_once('/') {
            Some((beginning, _)) => format!("{beginning}/{name}"),
            None => return Err(StoreError::corrupt("queue address")),
        };
        Ok(DeadLetterQueue { arn, url })
    }

    async fn queue_attributes<const N: usize>(
        &self,
        queue_url: &str,
        names: [Name; N],
    ) -> Result<[String; N], StoreError> {
        let answer = self
            .clients
            .sqs
            .get_queue_attributes()
            .queue_url(queue_url)
            .set_attribute_names(Some(names.to_vec()))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("queue", error))?;
        let mut attributes = answer.attributes.unwrap_or_default();
        Ok(names.map(|name| attributes.remove(&name).unwrap_or_default()))
    }
}

/// A dead-letter queue. Its URL differs from its queue's only in the name.
struct DeadLetterQueue {
    arn: String,
    url: String,
}

fn dead_letter(message: &Message) -> DeadLetter {
    let attribute = |name| message.attributes().and_then(|all| all.get(&name)?.parse::<i64>().ok());
    DeadLetter {
        id: message.message_id().unwrap_or_default().to_owned(),
        body: message.body().unwrap_or_default().to_owned(),
        sent_at: attribute(System::SentTimestamp).map(Timestamp::from_millis),
        receives: attribute(System::ApproximateReceiveCount)
            .and_then(|count| u32::try_from(count).ok())
            .unwrap_or(0),
    }
}
