//! Reads what an enqueued message is about, and fans the event out to the subscribed endpoints.

use std::time::Duration;

use domain::{
    AccountId, Operation, OperationId, Status, Timestamp,
    webhook::{UsageResource, UsageThreshold},
};
use store::{
    StoreError,
    webhooks::Subscriptions,
    webhooks::attempts::EndedOperation,
    webhooks::queue::{
        DeliveryMessage, Event, Notification, OperationEndMessage, VisibilityMessage,
    },
    webhooks::usage_thresholds::{Reporter, Usage},
};

use crate::{Deliveries, events};

/// Age at which a message without its record is an orphan: longer than the sender may take for the
/// write. A later attempt at the same write enqueues its own message.
const ORPHAN_AFTER: Duration = Duration::from_secs(300);
/// Reads before a message is re-enqueued: the write usually follows its message within
/// milliseconds.
const MAX_POLLS: u32 = 5;
/// Pause between these reads.
const POLL_INTERVAL: Duration = Duration::from_millis(40);
/// Pause before the usage thresholds are checked again after a failure.
const THRESHOLDS_RETRY_DELAY: Duration = Duration::from_secs(15);

impl Deliveries {
    /// If the operation has ended, fans out its end and the thresholds that the account's usage has
    /// reached with it. If the thresholds cannot be checked, only they are checked later.
    pub(crate) async fn notify_of_end(
        &self,
        message: &OperationEndMessage,
    ) -> Result<(), StoreError> {
        let OperationEndMessage { account_id, operation_id, .. } = *message;
        let ended = self.poll(|| self.ended(account_id, operation_id)).await?;
        let Some((operation, subscriptions)) = ended else {
            let notification = Notification::End(message.clone());
            return self.poll_later(&notification, message.enqueued_at).await;
        };
        if !message.thresholds_only {
            self.fan_out(account_id, events::of_operation(&operation).as_slice(), &subscriptions)
                .await?;
        }
        let notified = match self.usage_events(&operation, &subscriptions).await {
            Ok(thresholds) => self.fan_out(account_id, &thresholds, &subscriptions).await,
            Err(error) => Err(error),
        };
        match notified {
            Err(error) if !message.thresholds_only => {
                tracing::warn!(%error, "usage thresholds are checked later");
                let thresholds = OperationEndMessage { thresholds_only: true, ..message.clone() };
                self.store
                    .enqueue_notification(&Notification::End(thresholds), THRESHOLDS_RETRY_DELAY)
                    .await
            }
            notified => notified,
        }
    }

    /// Fans out a change of a library item's visibility, if it was committed.
    pub(crate) async fn notify_of_visibility(
        &self,
        message: &VisibilityMessage,
    ) -> Result<(), StoreError> {
        let changed = self.poll(|| self.store.visibility_change(message)).await?;
        let Some((change, subscriptions)) = changed else {
            let notification = Notification::Library(message.clone());
            return self.poll_later(&notification, message.enqueued_at).await;
        };
        self.fan_out(change.owner, &[events::of_library_item(&change)], &subscriptions).await
    }

    /// The operation, if it has ended.
    async fn ended(
        &self,
        account: AccountId,
        id: OperationId,
    ) -> Result<Option<(Operation, Subscriptions)>, StoreError> {
        let EndedOperation { operation, subscriptions } = self.store.ended(account, id).await?;
        let operation = operation.filter(|operation| operation.status.is_final());
        Ok(operation.map(|operation| (operation, subscriptions)))
    }

    /// Reads until there is a result, at most [`MAX_POLLS`] times.
    async fn poll<T, F>(&self, read: impl Fn() -> F) -> Result<Option<T>, StoreError>
    where
        F: Future<Output = Result<Option<T>, StoreError>>,
    {
        for _ in 1..MAX_POLLS {
            if let Some(found) = read().await? {
                return Ok(Some(found));
            }
            let clock = self.store.clock();
            clock.sleep_until(clock.now() + POLL_INTERVAL).await;
        }
        read().await
    }

    /// Re-enqueues a message, each time with a longer delay; drops it once it is an orphan.
    async fn poll_later(
        &self,
        notification: &Notification,
        enqueued_at: Timestamp,
    ) -> Result<(), StoreError> {
        let age = self.now().since(enqueued_at);
        if age >= ORPHAN_AFTER {
            return Ok(());
        }
        let pause = age.clamp(Duration::from_secs(1), Duration::from_secs(30));
        self.store.enqueue_notification(notification, pause).await
    }

    /// The thresholds of the account's usage that this operation reports: those that it has reported
    /// before, and those that are reached and have no reporter yet.
    async fn usage_events(
        &self,
        ended: &Operation,
        subscriptions: &Subscriptions,
    ) -> Result<Vec<Event>, StoreError> {
        let (mut events, mut unclaimed) = (Vec::new(), Vec::new());
        if ended.status != Status::Succeeded {
            return Ok(events);
        }
        let subscribed = subscriptions.all();
        for threshold in UsageThreshold::ALL.into_iter().filter(|it| subscribed.contains(it.kind()))
        {
            match subscriptions.reporters().of(threshold, ended) {
                Reporter::This(limit) => events.push(events::of_usage(ended, threshold, limit)),
                Reporter::Nobody => unclaimed.push(threshold),
                Reporter::Another => {}
            }
        }
        if unclaimed.is_empty() {
            return Ok(events);
        }
        let Usage { allowance, used, storage } = self.store.usage_after(ended, self.limits).await?;
        for threshold in unclaimed {
            let (used, limit) = match threshold.resource {
                UsageResource::Credits => (used.map(u64::from), allowance.monthly_credits.into()),
                UsageResource::Storage => (Some(storage.bytes), allowance.stored_bytes),
            };
            if used.is_some_and(|used| used >= threshold.of(limit))
                && self.store.claim_threshold(ended, threshold, limit).await?
            {
                events.push(events::of_usage(ended, threshold, limit));
            }
        }
        Ok(events)
    }

    /// Enqueues a delivery of each event for each subscribed endpoint.
    async fn fan_out(
        &self,
        account: AccountId,
        events: &[Event],
        subscriptions: &Subscriptions,
    ) -> Result<(), StoreError> {
        let now = self.now();
        let deliveries = events.iter().flat_map(|event| {
            subscriptions.of(event.kind).map(move |endpoint_id| {
                Notification::Delivery(DeliveryMessage {
                    account_id: account,
                    endpoint_id,
                    event: event.clone(),
                    attempt: 1,
                    not_before: now,
                    deferrals: 0,
                    hops: 0,
                    hop_token: 0,
                    claim_token: 0,
                    recovery: 0,
                })
            })
        });
        self.store.enqueue_notifications(&deliveries.collect::<Vec<_>>()).await
    }
}
