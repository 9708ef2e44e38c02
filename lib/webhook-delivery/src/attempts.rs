//! Attempts a delivery, and schedules the retry if that fails.

use std::time::Duration;

use domain::{
    Timestamp, random,
    webhook::{DISABLE_AFTER, DisabledReason, FailureReason, LIFETIME, LastDelivery, retry_pause},
};
use futures::future::{Either, join, select};
use store::{
    StoreError,
    webhooks::attempts::{Acquisition, AttemptResult},
    webhooks::deliveries::{Acceptance, DeliveryResult},
    webhooks::queue::{DeliveryMessage, Lane, MAX_DELAY, Notification},
    webhooks::{HostBudget, StoredEndpoint, host_number},
};

use crate::{Deliveries, DeliveryBatch, Failure};

/// A receiver that takes longer is slow.
const SLOW_AFTER: Duration = Duration::from_secs(1);
/// Status with which a receiver unsubscribes (RFC 9110, section 15.5.11).
const GONE: u16 = 410;

/// Why a delivery is no longer made. One that its owner has sent again needs no subscription: it
/// subscribed when the event happened.
fn unwanted(message: &DeliveryMessage, stored: &StoredEndpoint) -> Option<FailureReason> {
    let endpoint = &stored.endpoint;
    if !endpoint.enabled {
        return Some(FailureReason::EndpointDisabled);
    }
    let is_subscribed = message.recovery > 0 || endpoint.events.contains(message.event.kind);
    (!is_subscribed).then_some(FailureReason::NotSubscribed)
}

impl Deliveries {
    /// Attempts a delivery that is due, unless it is too old or the endpoint is no longer
    /// subscribed. A slow or failing endpoint gets few attempts at once: the other messages are
    /// deferred, which does not count as an attempt.
    ///
    /// The fast lane never waits for an endpoint that is known to be slow: its messages move to the
    /// slow lane. The slow lane processes every message, also if its endpoint has recovered.
    pub(crate) async fn deliver(
        &self,
        message: &DeliveryMessage,
        stored: &StoredEndpoint,
        lane: Lane,
        batch: &DeliveryBatch,
    ) -> Result<(), StoreError> {
        if let Some(reason) = unwanted(message, stored) {
            return self.store.record_delivery(message, None, DeliveryResult::Failed(reason)).await;
        }
        if self.now().since(message.event.timestamp) >= LIFETIME {
            tracing::warn!(delivery = %message.delivery_id(), "a delivery is too old and is dropped");
            return Ok(());
        }
        if lane == Lane::Fast && stored.lane() == Lane::Slow {
            return self.send_on(message, Lane::Slow).await;
        }
        let Ok(secret) = self.encryption_key.decrypt_and_re_encrypt(&self.store, stored).await
        else {
            // The server's fault: passes once it has the right key again.
            tracing::error!(endpoint = %stored.endpoint.id, "a signing secret cannot be decrypted");
            return self.defer(message, lane).await;
        };
        let mut acquired = self.acquire(message, stored).await?;
        if acquired == Acquisition::NoPermits {
            return self.defer(message, lane).await;
        }
        if !self.claim(message).await? {
            if let Acquisition::Held(permit) = acquired {
                self.store.release_permit(stored, permit, Duration::ZERO).await?;
            }
            return Ok(());
        }
        let began = self.now();
        let (id, event) = (message.delivery_id(), &message.event);
        let posting = self.sender.post(&stored.endpoint.url, &secret, id, event);
        let slow_timer = self.store.clock().sleep_until(began + SLOW_AFTER);
        let (answered, is_slow) = match select(Box::pin(posting), slow_timer).await {
            Either::Left((answered, _)) => (answered, false),
            Either::Right(((), posting)) => {
                let (answered, noted) = join(posting, self.record_slow(stored, acquired)).await;
                acquired = noted;
                (answered, true)
            }
        };
        let result = AttemptResult { accepted: answered.is_ok(), slow: is_slow };
        let (status, reason) = match &answered {
            Ok(status) => (Some(*status), None),
            Err(failure) => (failure.status, Some(failure.word())),
        };
        let last = LastDelivery { at: began, status, attempt: message.attempt, reason };
        let recorded = async {
            if let Err(error) = self.store.record_attempt(stored, last, result, acquired).await {
                tracing::warn!(endpoint = %stored.endpoint.id, %error, "an attempt was not recorded");
            }
        };
        match answered {
            Ok(_) => {
                join(recorded, self.record_accepted(message, &last, batch)).await;
                Ok(())
            }
            Err(failure) => {
                recorded.await;
                let lane = stored.lane_after(&last, result);
                self.after_failure(message, stored, &last, failure, lane).await
            }
        }
    }

    /// Records that an attempt was accepted, or has its batch do so. It is written at once where another message of the
    /// delivery may exist, which then finds it.
    async fn record_accepted(
        &self,
        message: &DeliveryMessage,
        last: &LastDelivery,
        batch: &DeliveryBatch,
    ) {
        let recorded = match Acceptance::new(message, last) {
            Ok(acceptance) if message.needs_claim() => {
                self.store.record_accepted(vec![acceptance]).await
            }
            Ok(acceptance) => {
                batch.note_accepted(acceptance);
                Ok(())
            }
            Err(error) => Err(error),
        };
        if let Err(error) = recorded {
            tracing::warn!(delivery = %message.delivery_id(), %error, "a result was not recorded");
        }
    }

    /// Records the result of an attempt for the endpoint's owner. Nothing depends on it, so that a
    /// failure repeats no attempt.
    async fn record(&self, message: &DeliveryMessage, last: &LastDelivery, result: DeliveryResult) {
        if let Err(error) = self.store.record_delivery(message, Some(last), result).await {
            tracing::warn!(delivery = %message.delivery_id(), %error, "a result was not recorded");
        }
    }

    /// Enqueues the retry of a delivery or gives it up. What is given up has no message any more: it
    /// is recorded before its message is deleted, or else attempted once more.
    async fn after_failure(
        &self,
        message: &DeliveryMessage,
        stored: &StoredEndpoint,
        last: &LastDelivery,
        failure: Failure,
        lane: Lane,
    ) -> Result<(), StoreError> {
        tracing::info!(
            endpoint = %stored.endpoint.id,
            delivery = %message.delivery_id(),
            attempt = message.attempt,
            status = failure.status,
            reason = %failure.reason,
            "a delivery failed"
        );
        let fails_since = |since| last.at.since(since) >= DISABLE_AFTER;
        let reason = if failure.status == Some(GONE) {
            Some(DisabledReason::Gone)
        } else {
            stored.failing_since.is_some_and(fails_since).then_some(DisabledReason::Failing)
        };
        let given_up = DeliveryResult::Failed(failure.word());
        if let Some(reason) = reason
            && self.store.disable_endpoint(stored, reason).await?
        {
            return self.store.record_delivery(message, Some(last), given_up).await;
        }
        if let Some(due) = self.schedule_retry(message, failure.retry_after, lane).await? {
            self.record(message, last, DeliveryResult::Retried(due)).await;
            return Ok(());
        }
        tracing::warn!(delivery = %message.delivery_id(), "a delivery was given up");
        self.store.record_delivery(message, Some(last), given_up).await
    }

    /// A permit to post to the endpoint, within a budget of its host. What is sent again has one of its own: one request
    /// can send a hundred.
    async fn acquire(
        &self,
        message: &DeliveryMessage,
        stored: &StoredEndpoint,
    ) -> Result<Acquisition, StoreError> {
        let acquired = self.store.acquire_permit(stored).await?;
        let budget = match message.recovery {
            0 if !stored.shares_host && !stored.unproven => return Ok(acquired),
            0 => HostBudget::Endpoints,
            _ => HostBudget::Recovery,
        };
        // Those from before hosts were recorded have none: their URL stands in for it.
        let host = stored.host.unwrap_or_else(|| host_number(&stored.endpoint.url));
        if acquired == Acquisition::NoPermits
            || self.store.count_delivery_to_host(stored.account, host, budget).await?
        {
            return Ok(acquired);
        }
        if let Acquisition::Held(permit) = acquired {
            self.store.release_permit(stored, permit, Duration::ZERO).await?;
        }
        Ok(Acquisition::NoPermits)
    }

    /// Enqueues the next attempt of a delivery and returns when it is due; `None` if this was the last
    /// one, or if its event would be too old by then.
    async fn schedule_retry(
        &self,
        message: &DeliveryMessage,
        asked: Option<Duration>,
        lane: Lane,
    ) -> Result<Option<Timestamp>, StoreError> {
        let jitter = u16::from_be_bytes(random::bytes(&**self.store.random()));
        let Some(pause) = retry_pause(message.attempt, asked, jitter) else {
            return Ok(None);
        };
        let next = DeliveryMessage {
            attempt: message.attempt + 1,
            not_before: self.now() + pause,
            // A retry starts with the shortest deferral again, else younger messages would always
            // get the permits first. Ten attempts bound the cost.
            deferrals: 0,
            hops: 0,
            hop_token: 0,
            claim_token: random::number(&**self.store.random()),
            ..message.clone()
        };
        let due = next.not_before;
        if due.since(message.event.timestamp) >= LIFETIME {
            return Ok(None);
        }
        self.send_later(next, lane).await?;
        Ok(Some(due))
    }

    /// Defers an attempt with exponential backoff up to the queue's longest delay. Jitter keeps
    /// messages that wait together from coming back together.
    async fn defer(&self, message: &DeliveryMessage, lane: Lane) -> Result<(), StoreError> {
        let longest = Duration::from_secs(4 << message.deferrals.min(8)).min(MAX_DELAY);
        let [jitter] = random::bytes::<1>(&**self.store.random());
        let due = self.now() + longest.mul_f64((f64::from(jitter) + 128.0) / 383.0);
        let deferred = DeliveryMessage {
            not_before: due,
            deferrals: message.deferrals.saturating_add(1),
            ..message.clone()
        };
        self.send_on(&deferred, lane).await
    }

    /// Enqueues a message in the place of the one that was received, unless that is a duplicate.
    pub(crate) async fn send_on(
        &self,
        message: &DeliveryMessage,
        lane: Lane,
    ) -> Result<(), StoreError> {
        if self.claim(message).await? {
            self.send_later(message.next_hop(&**self.store.random()), lane).await?;
        }
        Ok(())
    }

    /// Whether a message is the one that acts for its delivery.
    async fn claim(&self, message: &DeliveryMessage) -> Result<bool, StoreError> {
        let is_claimed = self.store.claim_delivery(message).await?;
        if !is_claimed {
            tracing::info!(delivery = %message.delivery_id(), "another message claimed this delivery");
        }
        Ok(is_claimed)
    }

    /// Enqueues a message for when it is due. If that is after the queue's longest delay, another
    /// message takes its place on the way.
    async fn send_later(&self, message: DeliveryMessage, lane: Lane) -> Result<(), StoreError> {
        let delay = message.not_before.since(self.now()).min(MAX_DELAY);
        self.store.enqueue_notification_in(lane, &Notification::Delivery(message), delay).await
    }

    /// Records that an endpoint is slow, unless that is known; returns the permit that the attempt
    /// then holds.
    async fn record_slow(&self, stored: &StoredEndpoint, acquired: Acquisition) -> Acquisition {
        if acquired != Acquisition::Unlimited {
            return acquired;
        }
        self.store.record_slow(stored).await.unwrap_or_else(|error| {
            tracing::warn!(endpoint = %stored.endpoint.id, %error, "a slow endpoint was not recorded");
            acquired
        })
    }
}
