//! How events reach webhook endpoints.
//!
//! An event's message is enqueued before the write that makes the event true, so [`fan_out`]
//! believes only the record: it reads that, and enqueues one delivery for each subscribed endpoint.
//! [`attempts`] signs and posts a delivery, and enqueues the retry if that fails. All waiting is
//! done by the queue. A record of each delivery, which expires after a week, says what became of it;
//! [`recovery`] sends from there again what has failed for good.

pub mod attempts;
pub mod events;
pub mod fan_out;
pub mod re_encryption;
pub mod recovery;
pub mod secret;
pub mod sender;
pub mod signature;

use std::{
    collections::BTreeSet,
    mem,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use domain::{Timestamp, webhook::LIFETIME};
use store::{
    Store, StoreError,
    admission::Limits,
    webhooks::EndpointsFound,
    webhooks::deliveries::Acceptance,
    webhooks::queue::{Lane, Notification},
};

pub use secret::{EncryptionKey, SigningSecret};
pub use sender::{Failure, WebhookSender};

/// What deliveries need.
#[derive(Clone, Debug)]
pub struct Deliveries {
    /// Endpoints, operations and queues.
    pub store: Store,
    /// Posts the events.
    pub sender: WebhookSender,
    /// Key that signing secrets are encrypted with.
    pub encryption_key: EncryptionKey,
    /// What each plan allows.
    pub limits: Limits,
}

/// What the messages of a batch have in common.
#[derive(Debug)]
pub struct DeliveryBatch {
    /// When the batch was received; decides which of its messages are due.
    now: Timestamp,
    /// Endpoints that were read for all of them at once.
    endpoints: EndpointsFound,
    /// Deliveries that were accepted and are not recorded yet.
    accepted: Mutex<Vec<Acceptance>>,
}

impl DeliveryBatch {
    fn note_accepted(&self, acceptance: Acceptance) {
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner).push(acceptance);
    }

    /// The records that are to be written once all messages are processed: [`Store::record_accepted`].
    pub fn take_accepted(&self) -> Vec<Acceptance> {
        mem::take(&mut *self.accepted.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Deliveries {
    /// Reads the endpoints of all due deliveries of a batch in one call. If that fails, each
    /// message reads its own endpoint.
    pub async fn prefetch(
        &self,
        notifications: impl Iterator<Item = &Notification>,
    ) -> DeliveryBatch {
        let batch = self.new_batch();
        let wanted: BTreeSet<_> = notifications
            .filter_map(|notification| match notification {
                Notification::Delivery(message) if message.not_before <= batch.now => {
                    Some((message.account_id, message.endpoint_id))
                }
                _ => None,
            })
            .collect();
        if wanted.is_empty() {
            return batch;
        }
        match self.store.endpoints_of(wanted).await {
            Ok(endpoints) => DeliveryBatch { endpoints, ..batch },
            Err(error) => {
                tracing::warn!(%error, "endpoints are read one by one");
                batch
            }
        }
    }

    /// For messages that read their endpoints themselves.
    pub fn new_batch(&self) -> DeliveryBatch {
        DeliveryBatch {
            now: self.now(),
            endpoints: EndpointsFound::new(),
            accepted: Mutex::default(),
        }
    }

    /// Processes a message that was received in a lane.
    ///
    /// # Errors
    ///
    /// Storage failed: the message has to be received again.
    pub async fn process(
        &self,
        notification: &Notification,
        batch: &DeliveryBatch,
        lane: Lane,
    ) -> Result<(), StoreError> {
        match notification {
            Notification::End(message) => self.notify_of_end(message).await,
            Notification::Library(message) => self.notify_of_visibility(message).await,
            Notification::Delivery(message) if batch.now < message.not_before => {
                self.send_on(message, lane).await
            }
            Notification::Delivery(message) => {
                let key = (message.account_id, message.endpoint_id);
                let read;
                // `None` was not read; `Some(None)` was read and does not exist.
                let endpoint = match batch.endpoints.get(&key) {
                    Some(found) => found,
                    None => {
                        read = self.store.endpoint(key.0, key.1).await?;
                        &read
                    }
                };
                match endpoint {
                    // An attempt is large, and nothing else that a message may be about.
                    Some(endpoint) => Box::pin(self.deliver(message, endpoint, lane, batch)).await,
                    None => Ok(()),
                }
            }
        }
    }

    /// Whether the event of a message is too old ([`LIFETIME`]) to be delivered.
    pub fn is_expired(&self, notification: &Notification) -> bool {
        self.now().since(notification.since()) >= LIFETIME
    }

    /// Re-enqueues a message in its lane, which resets the queue's count of its receives.
    ///
    /// # Errors
    ///
    /// The queue did not accept it.
    pub async fn re_enqueue(
        &self,
        notification: &Notification,
        delay: Duration,
        lane: Lane,
    ) -> Result<(), StoreError> {
        let again = match notification {
            Notification::Delivery(message) => {
                &Notification::Delivery(message.next_hop(&**self.store.random()))
            }
            Notification::End(_) | Notification::Library(_) => notification,
        };
        self.store.enqueue_notification_in(lane, again, delay).await
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.store.clock().now()
    }
}
