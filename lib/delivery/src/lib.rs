//! How events reach webhook endpoints.
//!
//! An event is announced before it is true, so its message is believed only as far as the record goes:
//! [`announced`] looks there, and makes one message for each endpoint that wants to be told. [`attempts`]
//! is what becomes of such a message: it is signed and posted, and sent again for later where that fails.
//! All waiting is done by the queue; there is no table of deliveries and nothing that has to be swept.

pub mod announced;
pub mod attempts;
pub mod courier;
pub mod events;
pub mod sealing;
pub mod secret;
pub mod signature;

use std::{collections::BTreeSet, time::Duration};

use domain::{Timestamp, webhook::LIFETIME};
use store::{
    Store, StoreError,
    events::{Lane, Notice},
    gate::Caps,
    webhooks::EndpointsFound,
};

pub use courier::{Courier, Failure};
pub use secret::{SealingKey, SigningSecret};

/// Everything that deliveries need.
#[derive(Clone, Debug)]
pub struct Deliveries {
    /// Where endpoints, operations and messages are.
    pub store: Store,
    /// Who posts.
    pub courier: Courier,
    /// What secrets are sealed with.
    pub sealing_key: SealingKey,
    /// What an account's plan allows here.
    pub caps: Caps,
}

/// Endpoints as they were looked up for a batch of messages.
#[derive(Debug)]
pub struct LookedUp {
    /// When the batch came, by which it is judged what of it is due.
    now: Timestamp,
    endpoints: EndpointsFound,
}

impl Deliveries {
    /// Reads the endpoints that are due to be told something: one call for all messages of a batch. Whatever
    /// keeps some of them from being read leaves them to the messages that need them.
    pub async fn look_up(&self, notices: impl Iterator<Item = &Notice>) -> LookedUp {
        let nothing = self.nothing_looked_up();
        let wanted: BTreeSet<_> = notices
            .filter_map(|notice| match notice {
                Notice::Delivery(message) if message.not_before <= nothing.now => {
                    Some((message.account_id, message.endpoint_id))
                }
                _ => None,
            })
            .collect();
        if wanted.is_empty() {
            return nothing;
        }
        match self.store.endpoints_of(wanted).await {
            Ok(endpoints) => LookedUp { endpoints, ..nothing },
            Err(error) => {
                tracing::warn!(%error, "endpoints are read one by one");
                nothing
            }
        }
    }

    /// For messages each of which looks its endpoint up itself.
    pub fn nothing_looked_up(&self) -> LookedUp {
        LookedUp { now: self.now(), endpoints: EndpointsFound::new() }
    }

    /// Works on a message that was received in a lane.
    ///
    /// # Errors
    ///
    /// Storage failed: the message shall be received again.
    pub async fn work(
        &self,
        notice: &Notice,
        looked_up: &LookedUp,
        lane: Lane,
    ) -> Result<(), StoreError> {
        match notice {
            Notice::End(message) => self.tell_of_end(message).await,
            Notice::Library(message) => self.tell_of_library(message).await,
            Notice::Delivery(message) if looked_up.now < message.not_before => {
                self.send_later(message.clone(), message.not_before, lane).await
            }
            Notice::Delivery(message) => {
                let key = (message.account_id, message.endpoint_id);
                // Not looked up is another thing than looked for and not there.
                let endpoint = match looked_up.endpoints.get(&key) {
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
    pub fn is_too_old(&self, notice: &Notice) -> bool {
        self.now().since(notice.since()) >= LIFETIME
    }

    /// Sends a message again in its lane, which the queue then counts the receives of anew.
    ///
    /// # Errors
    ///
    /// The queue did not take it.
    pub async fn send_anew(
        &self,
        notice: &Notice,
        delay: Duration,
        lane: Lane,
    ) -> Result<(), StoreError> {
        self.store.notify_in(lane, notice, delay).await
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.store.clock().now()
    }
}
