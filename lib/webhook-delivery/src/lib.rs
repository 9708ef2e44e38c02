//! How events reach webhook endpoints.
//!
//! An event is announced before it is true, so its message is believed only as far as the record goes:
//! [`fan_out`] looks there, and makes one message for each endpoint that wants to be told. [`attempts`]
//! is what becomes of such a message: it is signed and posted, and sent again for later where that fails.
//! All waiting is done by the queue; there is no table of deliveries and nothing that has to be swept.

pub mod attempts;
pub mod events;
pub mod fan_out;
pub mod re_encryption;
pub mod secret;
pub mod sender;
pub mod signature;

use std::{collections::BTreeSet, time::Duration};

use domain::{Timestamp, webhook::LIFETIME};
use store::{
    Store, StoreError,
    admission::Limits,
    webhooks::EndpointsFound,
    webhooks::queue::{Lane, Notification},
};

pub use secret::{EncryptionKey, SigningSecret};
pub use sender::{Failure, WebhookSender};

/// Everything that deliveries need.
#[derive(Clone, Debug)]
pub struct Deliveries {
    /// Where endpoints, operations and messages are.
    pub store: Store,
    /// Who posts.
    pub sender: WebhookSender,
    /// What secrets are encrypted with.
    pub encryption_key: EncryptionKey,
    /// What an account's plan allows here.
    pub limits: Limits,
}

/// Endpoints as they were looked up for a batch of messages.
#[derive(Debug)]
pub struct Prefetched {
    /// When the batch came, by which it is judged what of it is due.
    now: Timestamp,
    endpoints: EndpointsFound,
}

impl Deliveries {
    /// Reads the endpoints that are due to be told something: one call for all messages of a batch. Whatever
    /// keeps some of them from being read leaves them to the messages that need them.
    pub async fn prefetch(&self, notifications: impl Iterator<Item = &Notification>) -> Prefetched {
        let nothing = self.nothing_prefetched();
        let wanted: BTreeSet<_> = notifications
            .filter_map(|notification| match notification {
                Notification::Delivery(message) if message.not_before <= nothing.now => {
                    Some((message.account_id, message.endpoint_id))
                }
                _ => None,
            })
            .collect();
        if wanted.is_empty() {
            return nothing;
        }
        match self.store.endpoints_of(wanted).await {
            Ok(endpoints) => Prefetched { endpoints, ..nothing },
            Err(error) => {
                tracing::warn!(%error, "endpoints are read one by one");
                nothing
            }
        }
    }

    /// For messages each of which looks its endpoint up itself.
    pub fn nothing_prefetched(&self) -> Prefetched {
        Prefetched { now: self.now(), endpoints: EndpointsFound::new() }
    }

    /// Works on a message that was received in a lane.
    ///
    /// # Errors
    ///
    /// Storage failed: the message shall be received again.
    pub async fn process(
        &self,
        notification: &Notification,
        prefetched: &Prefetched,
        lane: Lane,
    ) -> Result<(), StoreError> {
        match notification {
            Notification::End(message) => self.notify_of_end(message).await,
            Notification::Library(message) => self.notify_of_visibility(message).await,
            Notification::Delivery(message) if prefetched.now < message.not_before => {
                self.send_later(message.clone(), message.not_before, lane).await
            }
            Notification::Delivery(message) => {
                let key = (message.account_id, message.endpoint_id);
                // Not looked up is another thing than looked for and not there.
                let endpoint = match prefetched.endpoints.get(&key) {
                    Some(found) => found.clone(),
                    None => self.store.endpoint(key.0, key.1).await?,
                };
                match endpoint {
                    Some(endpoint) => self.deliver(message, &endpoint, lane).await,
                    None => Ok(()),
                }
            }
        }
    }

    /// Whether what a message is about happened so long ago that nobody is told any more.
    pub fn is_expired(&self, notification: &Notification) -> bool {
        self.now().since(notification.since()) >= LIFETIME
    }

    /// Sends a message again in its lane, which the queue then counts the receives of anew.
    ///
    /// # Errors
    ///
    /// The queue did not take it.
    pub async fn re_enqueue(
        &self,
        notification: &Notification,
        delay: Duration,
        lane: Lane,
    ) -> Result<(), StoreError> {
        self.store.enqueue_notification_in(lane, notification, delay).await
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.store.clock().now()
    }
}
