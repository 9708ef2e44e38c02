//! The queues of webhook notifications and deliveries.
//!
//! A notification is enqueued before the transaction that causes its event. It says only where to
//! look: the event is real only if the record agrees. A delivery's message has everything that its
//! attempts need except the endpoint, which each attempt reads again.

use std::time::Duration;

use aws_sdk_sqs::{
    Config, config::timeout::TimeoutConfig,
    operation::send_message::builders::SendMessageFluentBuilder,
    types::SendMessageBatchRequestEntry,
};
use domain::{
    AccountId, DeliveryId, EndpointId, EventId, EventKind, LibraryId, OperationId, Random,
    Timestamp, random,
};
use futures::{
    FutureExt,
    future::{select_ok, try_join_all},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Store, StoreError};

/// Messages that one call can send.
const BATCH: usize = 10;
/// Time limit for sending.
const SENDING_TIMEOUT: Duration = Duration::from_secs(4);
/// Time limit for enqueueing the notification of an end: less than a lease leaves for settling.
const END_TIMEOUT: Duration = Duration::from_secs(3);
/// Delay before that message is sent a second time (hedged request).
const HEDGE_DELAY: Duration = Duration::from_secs(1);
/// The longest delay of SQS.
pub const MAX_DELAY: Duration = Duration::from_secs(900);

/// A queue of deliveries, with its own event source for the same function. The event source, not
/// the message, determines the lane: so messages of a redrive, or of an older version, are in the
/// lane that they are received from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// The lane of all new messages. Nothing here waits for a receiver that is known to be slow.
    Fast,
    /// The lane of deliveries to slow or failing endpoints.
    Slow,
}

/// The event that endpoints receive. It has only identifiers, with which the receiver can fetch
/// content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its identifier, the same in every delivery.
    pub id: EventId,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// When it happened.
    pub timestamp: Timestamp,
    /// Identifiers of what it happened to.
    pub data: Value,
}

/// An operation that may have ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationEndMessage {
    /// Whose operation.
    pub account_id: AccountId,
    /// Which operation.
    pub operation_id: OperationId,
    /// When it was enqueued; the record is polled for some time from then on.
    #[serde(rename = "announcedAt")]
    pub enqueued_at: Timestamp,
    /// Whether the events of its end are sent already, so that only the thresholds of usage are
    /// left that it may have reached.
    #[serde(rename = "marksOnly", default, skip_serializing_if = "std::ops::Not::not")]
    pub thresholds_only: bool,
}

/// A library item that may have become public, or stopped being public.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisibilityMessage {
    /// Whose item.
    pub account_id: AccountId,
    /// Which item.
    pub item_id: LibraryId,
    /// The version of the item after this change.
    pub version: u32,
    /// When it was enqueued.
    #[serde(rename = "announcedAt")]
    pub enqueued_at: Timestamp,
}

/// A delivery of an event to one endpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryMessage {
    /// Whose endpoint.
    pub account_id: AccountId,
    /// Which endpoint.
    pub endpoint_id: EndpointId,
    /// The event.
    pub event: Event,
    /// Which attempt this is; the first is 1.
    pub attempt: u32,
    /// The attempt must not start before this.
    pub not_before: Timestamp,
    /// How often the attempt was deferred because the endpoint was busy or failing.
    pub deferrals: u32,
    /// Distinguishes messages for the same attempt that come from different failures of the attempt
    /// before, or from different requests that send it again; else unused at the first attempt.
    #[serde(rename = "ticket")]
    pub claim_token: u64,
    /// How many messages stood for this attempt before this one: each was deferred, delayed further,
    /// moved to the other lane or enqueued again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hops: u32,
    /// Distinguishes messages of the same hop, which come from a message that was received twice;
    /// unused at the first one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hop_token: u64,
    /// How often the delivery was sent again after it had failed; its attempts count from 1 each
    /// time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub recovery: u32,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

impl DeliveryMessage {
    /// The identifier of the delivery, the same in all its attempts.
    pub fn delivery_id(&self) -> DeliveryId {
        DeliveryId::of(self.event.id, self.endpoint_id)
    }

    /// Whether there may be another message in its place, with another token. There is none for the
    /// first message of an event.
    pub fn needs_claim(&self) -> bool {
        self.attempt > 1 || self.recovery > 0 || self.hops > 0
    }

    /// The message that takes its place in the queue.
    pub fn next_hop(&self, random: &dyn Random) -> Self {
        Self {
            hops: self.hops.saturating_add(1),
            hop_token: random::number(random),
            ..self.clone()
        }
    }
}

/// A message of these queues.
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
    /// When its event happened or was enqueued.
    pub fn since(&self) -> Timestamp {
        match self {
            Self::End(message) => message.enqueued_at,
            Self::Library(message) => message.enqueued_at,
            Self::Delivery(message) => message.event.timestamp,
        }
    }

    /// How long it is not due yet.
    fn due_in(&self, now: Timestamp) -> Duration {
        match self {
            Self::Delivery(message) => message.not_before.since(now),
            Self::End(_) | Self::Library(_) => Duration::ZERO,
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
    /// Enqueues the notification that an operation is about to end. Returns once the queue has it.
    ///
    /// A finished result depends on this call. So a slow queue gets the full time limit, and after
    /// [`HEDGE_DELAY`] the message is sent a second time in parallel.
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

    /// The lane that a message was received from, by the ARN of its event source. An unknown source
    /// counts as the fast lane, which moves deliveries to slow endpoints on. If both lanes are one
    /// queue, that is the slow one: what is in it is attempted there.
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

    /// Sends a message to the fast lane, received after `delay`, at most [`MAX_DELAY`]. Returns
    /// once the queue has it.
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

    /// The same with a time limit for all tries together.
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

    /// Sets the visibility timeout of a message of a lane: it is received again after `delay`.
    pub async fn postpone_notification(
        &self,
        lane: Lane,
        receipt_handle: &str,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.change_visibility(self.lane_url(lane), receipt_handle, delay).await
    }

    /// Sends messages to the fast lane, received at once, or a delivery when it is due. Returns once
    /// the queue has all of them.
    ///
    /// # Errors
    ///
    /// Some or all were not sent; sending them again sends some of them twice.
    pub async fn enqueue_notifications(
        &self,
        notifications: &[Notification],
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        let mut batches = Vec::new();
        for batch in notifications.chunks(BATCH) {
            let mut entries = Vec::with_capacity(batch.len());
            for (position, notification) in batch.iter().enumerate() {
                let body = serde_json::to_string(notification)
                    .map_err(|_| StoreError::corrupt("message"))?;
                let entry = SendMessageBatchRequestEntry::builder()
                    .id(position.to_string())
                    .message_body(body)
                    .delay_seconds(seconds(notification.due_in(now)))
                    // The account is the tenant of SQS fair queues: a burst of one account does not
                    // delay others.
                    .message_group_id(notification.account().unique())
                    .build()
                    .map_err(|error| StoreError::unavailable("queue", error))?;
                entries.push(entry);
            }
            batches.push(self.send_entries(entries));
        }
        // Side by side, since one request sends ten batches and must be answered in time.
        try_join_all(batches).await.map(drop)
    }

    /// Sends a batch; sends the entries that SQS refused once more.
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

/// A slow try is not abandoned for a retry: the queue might receive both messages.
fn patient(time: Duration) -> aws_sdk_sqs::config::Builder {
    let timeouts =
        TimeoutConfig::builder().disable_operation_attempt_timeout().operation_timeout(time);
    Config::builder().timeout_config(timeouts.build())
}

/// Whole seconds, rounded up, so that a message is never received too early.
fn seconds(delay: Duration) -> i32 {
    let seconds = delay.min(MAX_DELAY).as_millis().div_ceil(1_000);
    i32::try_from(seconds).unwrap_or(0)
}
