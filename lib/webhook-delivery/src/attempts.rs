//! What becomes of a delivery: it is attempted, and sent again for later where that fails.

use std::time::Duration;

use domain::{
    Timestamp, random,
    webhook::{DISABLE_AFTER, DisabledReason, LIFETIME, LastDelivery, retry_pause},
};
use futures::future::{Either, join, select};
use store::{
    StoreError,
    webhooks::StoredEndpoint,
    webhooks::attempts::{Acquisition, AttemptResult},
    webhooks::queue::{DeliveryMessage, Lane, MAX_DELAY, Notification},
};

use crate::{Deliveries, Failure};

/// A receiver that has not answered by then is slow.
const SLOW_AFTER: Duration = Duration::from_secs(1);
/// Status with which a receiver wants no more (RFC 9110).
const GONE: u16 = 410;

impl Deliveries {
    /// Attempts a delivery that is due, unless the endpoint does not want it any more or it is too old. To one
    /// that is slow or fails few attempts are under way at once: the others wait, and no attempt of theirs is
    /// counted.
    ///
    /// In the fast lane nobody waits for an endpoint that is known to let others wait: its messages go over to
    /// the slow lane. There a message is worked on whatever its endpoint is like by now.
    pub(crate) async fn deliver(
        &self,
        message: &DeliveryMessage,
        stored: &StoredEndpoint,
        lane: Lane,
    ) -> Result<(), StoreError> {
        if !stored.endpoint.subscriptions().contains(message.event.kind) {
            return Ok(());
        }
        if self.now().since(message.event.timestamp) >= LIFETIME {
            tracing::warn!(delivery = %message.delivery_id(), "a delivery is too old");
            return Ok(());
        }
        if lane == Lane::Fast && stored.lane() == Lane::Slow {
            return self.send_later(message.clone(), self.now(), Lane::Slow).await;
        }
        let Ok(secret) = self.encryption_key.decrypt_and_re_encrypt(&self.store, stored).await
        else {
            // Nobody's fault but ours, and mended once the server has the right key again.
            tracing::error!(endpoint = %stored.endpoint.id, "a signing secret cannot be decrypted");
            return self.defer(message, lane).await;
        };
        let mut acquired = self.store.acquire_permit(stored).await?;
        if acquired == Acquisition::NoPermits {
            return self.defer(message, lane).await;
        }
        if message.attempt > 1 && !self.store.claim_attempt(message).await? {
            tracing::info!(delivery = %message.delivery_id(), "an attempt is another message's");
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
        let status =
            answered.as_ref().map_or_else(|failure| failure.status, |status| Some(*status));
        let last = LastDelivery { at: began, status, attempt: message.attempt };
        if let Err(error) = self.store.record_attempt(stored, last, result, acquired).await {
            tracing::warn!(endpoint = %stored.endpoint.id, %error, "an attempt is not noted");
        }
        match answered {
            Ok(_) => Ok(()),
            Err(failure) => {
                let lane = stored.lane_after(&last, result);
                self.after_failure(message, stored, began, failure, lane).await
            }
        }
    }

    async fn after_failure(
        &self,
        message: &DeliveryMessage,
        stored: &StoredEndpoint,
        began: Timestamp,
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
        let fails_since = |since| began.since(since) >= DISABLE_AFTER;
        let reason = if failure.status == Some(GONE) {
            Some(DisabledReason::Gone)
        } else {
            stored.failing_since.is_some_and(fails_since).then_some(DisabledReason::Failing)
        };
        if let Some(reason) = reason
            && self.store.disable_endpoint(stored, reason).await?
        {
            return Ok(());
        }
        self.schedule_retry(message, failure.retry_after, lane).await
    }

    /// Sends the next attempt of a delivery, unless this was the last one.
    async fn schedule_retry(
        &self,
        message: &DeliveryMessage,
        asked: Option<Duration>,
        lane: Lane,
    ) -> Result<(), StoreError> {
        let jitter = u16::from_be_bytes(random::bytes(&**self.store.random()));
        let Some(pause) = retry_pause(message.attempt, asked, jitter) else {
            tracing::warn!(delivery = %message.delivery_id(), "a delivery was given up");
            return Ok(());
        };
        let next = DeliveryMessage {
            attempt: message.attempt + 1,
            not_before: self.now() + pause,
            // It begins to wait anew, as soon as any younger one: else those would always be there first. Ten
            // attempts bound what that costs.
            deferrals: 0,
            deduplication_id: u64::from_be_bytes(random::bytes(&**self.store.random())),
            ..message.clone()
        };
        let due = next.not_before;
        self.send_later(next, due, lane).await
    }

    /// Puts an attempt off: each time for longer, up to the queue's longest delay, and for a random time, so
    /// that those who wait together do not come back together.
    async fn defer(&self, message: &DeliveryMessage, lane: Lane) -> Result<(), StoreError> {
        let longest = Duration::from_secs(4 << message.deferrals.min(8)).min(MAX_DELAY);
        let [jitter] = random::bytes::<1>(&**self.store.random());
        let due = self.now() + longest.mul_f64((f64::from(jitter) + 128.0) / 383.0);
        let deferred = DeliveryMessage {
            not_before: due,
            deferrals: message.deferrals.saturating_add(1),
            ..message.clone()
        };
        self.send_later(deferred, due, lane).await
    }

    /// Sends a message for later. What is due after the queue's longest delay gets there in hops.
    pub(crate) async fn send_later(
        &self,
        message: DeliveryMessage,
        due: Timestamp,
        lane: Lane,
    ) -> Result<(), StoreError> {
        let delay = due.since(self.now()).min(MAX_DELAY);
        self.store.enqueue_notification_in(lane, &Notification::Delivery(message), delay).await
    }

    /// Notes that an endpoint lets an attempt wait, unless that is known; what the attempt holds then.
    async fn record_slow(&self, stored: &StoredEndpoint, acquired: Acquisition) -> Acquisition {
        if acquired != Acquisition::Unlimited {
            return acquired;
        }
        self.store.record_slow(stored).await.unwrap_or_else(|error| {
            tracing::warn!(endpoint = %stored.endpoint.id, %error, "a slow endpoint is not noted");
            acquired
        })
    }
}
