//! The queue of webhook events and deliveries.
//!
//! An event is announced before the transaction that makes it true. Its message says where to look; what
//! it says became true only if the record agrees. A delivery's message has all that its attempts need but
//! the endpoint, which each attempt reads anew.

use std::time::Duration;

use aws_sdk_sqs::{
    Config, config::timeout::TimeoutConfig,
    operation::send_message::builders::SendMessageFluentBuilder,
    types::SendMessageBatchRequestEntry,
};
use domain::{
    AccountId, DeliveryId, EndpointId, EventId, EventKind, LibraryId, OperationId, Timestamp,
};
use futures::{FutureExt, future::select_ok};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Store, StoreError};

/// Messages that one call can send.
const BATCH: usize = 10;
/// How long sending may take.
const SENDING_TIMEOUT: Duration = Duration::from_secs(4);
/// How long the announcement of an end may take: less than a lease leaves for settling.
const END_TIMEOUT: Duration = Duration::from_secs(3);
/// When it is sent a second time, beside the first.
const HEDGE_DELAY: Duration = Duration::from_secs(1);
/// The longest delay that the queue knows.
pub const MAX_DELAY: Duration = Duration::from_secs(900);

/// A queue of deliveries, fed to the same function by an event source of its own. Which one a message is in, the
/// message does not say: what it was received from does, so that one that is handed back by an operator, or was
/// sent by an older version, is where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Where everything begins. Nothing here waits for a receiver that is known to let others wait.
    Fast,
    /// Where deliveries wait, and are attempted, to endpoints that are slow or failing.
    Slow,
}

/// What endpoints are told. Identifiers only: content is to be fetched with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its identifier, the same whenever it is told.
    pub id: EventId,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// When it happened.
    pub timestamp: Timestamp,
    /// What it happened to.
    pub data: Value,
}

/// An operation that may have come to an end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationEndMessage {
    /// Whose operation.
    pub account_id: AccountId,
    /// Which operation.
    pub operation_id: OperationId,
    /// When it was announced; the record is looked at for a while from then on.
    #[serde(rename = "announcedAt")]
    pub enqueued_at: Timestamp,
    /// Whether its end has been told, so that only the marks of usage are left that it may have reached.
    #[serde(rename = "marksOnly", default, skip_serializing_if = "std::ops::Not::not")]
    pub thresholds_only: bool,
}

/// A library item that may have become visible to everybody, or may no longer be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisibilityMessage {
    /// Whose item.
    pub account_id: AccountId,
    /// Which item.
    pub item_id: LibraryId,
    /// The version that it gets with this change.
    pub version: u32,
    /// When it was announced.
    #[serde(rename = "announcedAt")]
    pub enqueued_at: Timestamp,
}

/// An event on its way to one endpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryMessage {
    /// Whose endpoint.
    pub account_id: AccountId,
    /// Which endpoint.
    pub endpoint_id: EndpointId,
    /// What it is to be told.
    pub event: Event,
    /// Which attempt this is; the first is 1.
    pub attempt: u32,
    /// Not to be tried before this.
    pub not_before: Timestamp,
    /// How often it was put off since the attempt before because the endpoint was busy or failing.
    pub deferrals: u32,
    /// Tells messages for the same attempt apart that come from different failures of the one before; of no
    /// meaning for the first attempt.
    #[serde(rename = "ticket")]
    pub deduplication_id: u64,
}

impl DeliveryMessage {
    /// The identifier of the delivery, the same in all its attempts.
    pub fn delivery_id(&self) -> DeliveryId {
        DeliveryId::of(self.event.id, self.endpoint_id)
    }
}

/// Everything that the queue carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "camelCase")]
pub enum Notification {
    /// An operation's end.
    End(OperationEndMessage),
    /// A library item's visibility.
    Library(VisibilityMessage),
    /// An event for an endpoint.
    Delivery(DeliveryMessage),
}

impl Notification {
    /// When what it is about happened, or was to happen.
    pub fn since(&self) -> Timestamp {
        match self {
            Self::End(message) => message.enqueued_at,
            Self::Library(message) => message.enqueued_at,
            Self::Delivery(message) => message.event.timestamp,
        }
    }

    fn account(&self) -> AccountId {
        match self {
            Self::End(message) => message.account_id,
            Self::Library(message) => message.account_id,
            Self::Delivery(message) => message.account_id,
        }
    }
}

impl Store {
    /// Tells the deliveries' queue that an operation is about to end. Returns once the queue has it.
    ///
    /// A queue that is slow gets its time, and one that seems to hang is asked a second time beside the first:
    /// a finished result depends on it.
    pub(crate) async fn enqueue_end_notification(
        &self,
        account_id: AccountId,
        operation_id: OperationId,
    ) -> Result<(), StoreError> {
        let enqueued_at = self.clock.now();
        let message =
            OperationEndMessage { account_id, operation_id, enqueued_at, thresholds_only: false };
        let notification = Notification::End(message);
        let first =
            self.enqueue_with_timeout(Lane::Fast, &notification, Duration::ZERO, END_TIMEOUT);
        let second = async {
            self.clock.sleep_until(enqueued_at + HEDGE_DELAY).await;
            let time = END_TIMEOUT - HEDGE_DELAY;
            self.enqueue_with_timeout(Lane::Fast, &notification, Duration::ZERO, time).await
        };
        select_ok([first.boxed(), second.boxed()]).await.map(|_| ())
    }

    /// The lane that a message was received from, by the ARN of its event source. One that nobody knows is the
    /// fast lane: what does not belong there is moved on.
    pub fn lane_of(&self, source: Option<&str>) -> Lane {
        let received = source.and_then(|arn| arn.rsplit(':').next());
        let slow = self.names.slow_deliveries_queue_url.rsplit('/').next();
        if received.is_some() && received == slow { Lane::Slow } else { Lane::Fast }
    }

    fn lane_url(&self, lane: Lane) -> &str {
        match lane {
            Lane::Fast => &self.names.deliveries_queue_url,
            Lane::Slow => &self.names.slow_deliveries_queue_url,
        }
    }

    /// Sends a message that is received in the fast lane after `delay`, at most [`MAX_DELAY`]. Returns once
    /// the queue has it.
    pub async fn enqueue_notification(
        &self,
        notification: &Notification,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.enqueue_notification_in(Lane::Fast, notification, delay).await
    }

    /// The same in any lane.
    pub async fn enqueue_notification_in(
        &self,
        lane: Lane,
        notification: &Notification,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.enqueue_with_timeout(lane, notification, delay, SENDING_TIMEOUT).await
    }

    /// The same, however long one try takes of `time`.
    async fn enqueue_with_timeout(
        &self,
        lane: Lane,
        notification: &Notification,
        delay: Duration,
        time: Duration,
    ) -> Result<(), StoreError> {
        let message = self.message(lane, notification)?.delay_seconds(seconds(delay)).customize();
        let message = message.config_override(patient(time));
        message.send().await.map_err(|error| StoreError::unavailable("queue", error))?;
        Ok(())
    }

    fn message(
        &self,
        lane: Lane,
        notification: &Notification,
    ) -> Result<SendMessageFluentBuilder, StoreError> {
        let body =
            serde_json::to_string(notification).map_err(|_| StoreError::corrupt("message"))?;
        Ok(self
            .clients
            .sqs
            .send_message()
            .queue_url(self.lane_url(lane))
            .message_body(body)
            .message_group_id(notification.account().unique()))
    }

    /// Hides a message that was received in a lane for `delay`, after which the queue hands it out again.
    pub async fn postpone_notification(
        &self,
        lane: Lane,
        receipt_handle: &str,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.change_visibility(self.lane_url(lane), receipt_handle, delay).await
    }

    /// Sends messages to be received at once, in the fast lane. Returns when the queue has all of them.
    ///
    /// # Errors
    ///
    /// Some or all were not taken; whoever sends them again sends some of them twice.
    pub async fn enqueue_notifications(
        &self,
        notifications: &[Notification],
    ) -> Result<(), StoreError> {
        for batch in notifications.chunks(BATCH) {
            let mut entries = Vec::with_capacity(batch.len());
            for (position, notification) in batch.iter().enumerate() {
                let body = serde_json::to_string(notification)
                    .map_err(|_| StoreError::corrupt("message"))?;
                let entry = SendMessageBatchRequestEntry::builder()
                    .id(position.to_string())
                    .message_body(body)
                    // Tenants for the queue's fairness: a burst of one does not keep others waiting.
                    .message_group_id(notification.account().unique())
                    .build()
                    .map_err(|error| StoreError::unavailable("queue", error))?;
                entries.push(entry);
            }
            self.send_entries(entries).await?;
        }
        Ok(())
    }

    /// Sends a batch; what the queue did not take of it is sent once more, and nothing else.
    async fn send_entries(
        &self,
        mut entries: Vec<SendMessageBatchRequestEntry>,
    ) -> Result<(), StoreError> {
        let mut again = true;
        loop {
            let batch = self.clients.sqs.send_message_batch();
            let batch = batch
                .queue_url(&self.names.deliveries_queue_url)
                .set_entries(Some(entries.clone()))
                .customize()
                .config_override(patient(SENDING_TIMEOUT));
            let answer =
                batch.send().await.map_err(|error| StoreError::unavailable("queue", error))?;
            let Some(failed) = answer.failed().first() else { return Ok(()) };
            if !again {
                return Err(StoreError::unavailable("queue", failed.code()));
            }
            again = false;
            entries.retain(|entry| answer.failed().iter().any(|failed| failed.id() == entry.id()));
        }
    }
}

/// A try of a sending that takes long is not given up for another one: the queue would have both messages.
fn patient(time: Duration) -> aws_sdk_sqs::config::Builder {
    let timeouts =
        TimeoutConfig::builder().disable_operation_attempt_timeout().operation_timeout(time);
    Config::builder().timeout_config(timeouts.build())
}

/// Whole seconds, rounded up: what is due later must not come too early.
fn seconds(delay: Duration) -> i32 {
    let seconds = delay.min(MAX_DELAY).as_millis().div_ceil(1_000);
    i32::try_from(seconds).unwrap_or(0)
}
