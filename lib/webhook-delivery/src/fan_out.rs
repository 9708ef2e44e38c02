//! What was enqueued_at: looked up in the records, and told to every endpoint that wants it.

use std::time::Duration;

use domain::{AccountId, EventKind, Operation, OperationId, Status, Timestamp};
use store::{
    StoreError,
    webhooks::Subscriptions,
    webhooks::attempts::EndedOperation,
    webhooks::queue::{
        DeliveryMessage, Event, Notification, OperationEndMessage, VisibilityMessage,
    },
    webhooks::usage_thresholds::Reporter,
};

use crate::{Deliveries, events};

/// How long an announcement is looked after: longer than whoever made it may take to make it true. A later
/// attempt at the same thing makes an announcement of its own.
const ORPHAN_AFTER: Duration = Duration::from_secs(300);
/// How often the first receiver of an announcement looks: what it tells of is usually a few milliseconds
/// from being true.
const MAX_POLLS: u32 = 5;
/// Pause between these looks.
const POLL_INTERVAL: Duration = Duration::from_millis(40);
/// When the thresholds of usage are looked at again that could not be.
const THRESHOLDS_RETRY_DELAY: Duration = Duration::from_secs(15);
/// What a month's usage can reach.
const THRESHOLDS: [EventKind; 2] = [EventKind::UsageThresholdReached, EventKind::UsageLimitReached];

impl Deliveries {
    /// Tells of an operation's end, and of the thresholds that the account's usage has reached with it, if the
    /// operation has ended. What keeps the thresholds from being looked at does not keep the end from being told:
    /// they are looked at later.
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
                tracing::warn!(%error, "thresholds of usage are looked at later");
                let thresholds = OperationEndMessage { thresholds_only: true, ..message.clone() };
                self.store
                    .enqueue_notification(&Notification::End(thresholds), THRESHOLDS_RETRY_DELAY)
                    .await
            }
            notified => notified,
        }
    }

    /// Tells who sees a library item, if that has changed as enqueued_at.
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

    /// The operation, if it has come to its end.
    async fn ended(
        &self,
        account: AccountId,
        id: OperationId,
    ) -> Result<Option<(Operation, Subscriptions)>, StoreError> {
        let EndedOperation { operation, subscriptions } = self.store.ended(account, id).await?;
        let operation = operation.filter(|operation| operation.status.is_final());
        Ok(operation.map(|operation| (operation, subscriptions)))
    }

    /// Looks for something until it is there, a few times at most.
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

    /// Has an announcement looked at later, each time after a longer pause; finally forgets it.
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

    /// The thresholds of the month's usage that this operation tells of: those that it has told before, and those
    /// that have been reached and are told by none yet.
    async fn usage_events(
        &self,
        ended: &Operation,
        subscriptions: &Subscriptions,
    ) -> Result<Vec<Event>, StoreError> {
        let (mut events, mut unclaimed) = (Vec::new(), Vec::new());
        if ended.status != Status::Succeeded {
            return Ok(events);
        }
        for kind in THRESHOLDS.into_iter().filter(|kind| subscriptions.all().contains(*kind)) {
            match subscriptions.reporters().of(kind, ended) {
                Reporter::This(limit) => events.push(events::of_usage(ended, kind, limit)),
                Reporter::Nobody => unclaimed.push(kind),
                Reporter::Another => {}
            }
        }
        if unclaimed.is_empty() {
            return Ok(events);
        }
        let usage = self.store.usage_after(ended).await?;
        let limit = self.limits.allowance(usage.plan).monthly_credits;
        for kind in unclaimed {
            let threshold = events::usage_threshold(kind, limit);
            if usage.used.is_some_and(|used| used >= threshold)
                && self.store.claim_threshold(ended, kind, limit).await?
            {
                events.push(events::of_usage(ended, kind, limit));
            }
        }
        Ok(events)
    }

    /// Makes a message for each endpoint that wants to be told of each event.
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
                    deduplication_id: 0,
                })
            })
        });
        self.store.enqueue_notifications(&deliveries.collect::<Vec<_>>()).await
    }
}
