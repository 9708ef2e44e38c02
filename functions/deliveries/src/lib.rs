//! Delivers events to webhook endpoints.

use std::time::Duration;

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use futures::{FutureExt, future::BoxFuture};
use sqs_consumer::{Batch, Consumer, ProcessingError, SqsHandler, bodies};
use store::{
    StoreError,
    webhooks::deliveries::Acceptance,
    webhooks::queue::{Lane, Notification},
};
use webhook_delivery::{Deliveries, DeliveryBatch};

/// How long the work on a batch may take. The function has 29 s: six more for what the queue is told of messages that
/// failed, and four for the records.
const BUDGET: Duration = Duration::from_secs(18);
/// How long the records of what was accepted may take.
const RECORD_TIMEOUT: Duration = Duration::from_secs(4);
/// When a message comes back that was sent again.
const RE_ENQUEUE_DELAY: Duration = Duration::from_secs(60);
/// When a message comes back after a permanent error: soon it is among the dead letters.
const PERMANENT_FAILURE_DELAY: Duration = Duration::from_secs(1);

/// What the function needs.
#[derive(Clone, Debug)]
pub struct DeliveriesFunction {
    /// Processes messages.
    pub deliveries: Deliveries,
}

impl SqsHandler for DeliveriesFunction {
    fn handle(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        let clock = self.deliveries.store.clock().clone();
        let until = clock.now() + BUDGET;
        let batch = Batch::new(clock, Some(until));
        async move {
            let notifications = bodies::<Notification>(&event.records);
            let prefetched =
                batch.isolate(self.deliveries.prefetch(notifications.iter().flatten())).await;
            let shared = prefetched.unwrap_or_else(|_| self.deliveries.new_batch());
            let consumer = DeliveryConsumer { deliveries: &self.deliveries, shared };
            let response = batch.process(&consumer, event.records, &notifications).await;
            self.record(consumer.shared.take_accepted()).await;
            response
        }
        .boxed()
    }
}

impl DeliveriesFunction {
    /// Records what a batch has delivered, for the owners of the endpoints. Nothing depends on it, so that a failure
    /// repeats no attempt.
    async fn record(&self, accepted: Vec<Acceptance>) {
        let store = &self.deliveries.store;
        let ids: Vec<_> = accepted.iter().map(|acceptance| acceptance.id().to_string()).collect();
        let clock = store.clock().clone();
        let until = clock.now() + RECORD_TIMEOUT;
        let recording = async { Ok(store.record_accepted(accepted).await?) };
        if let Err(error) = Batch::new(clock, Some(until)).isolate(recording).await.flatten() {
            let deliveries = ids.join(",");
            tracing::warn!(deliveries, %error, "accepted deliveries may not be recorded");
        }
    }
}

/// Processes one batch.
struct DeliveryConsumer<'a> {
    deliveries: &'a Deliveries,
    /// What its messages have in common.
    shared: DeliveryBatch,
}

impl DeliveryConsumer<'_> {
    fn lane(&self, message: &SqsMessage) -> Lane {
        self.deliveries.store.lane_of(message.event_source_arn.as_deref())
    }
}

impl Consumer for DeliveryConsumer<'_> {
    type Body = Notification;

    async fn process(
        &self,
        message: &SqsMessage,
        body: &Notification,
    ) -> Result<(), ProcessingError> {
        Ok(self.deliveries.process(body, &self.shared, self.lane(message)).await?)
    }

    fn backoff(&self, error: &ProcessingError, receives: u32) -> Option<Duration> {
        Some(match error.is_transient() {
            true => Duration::from_secs(2 << receives.min(7)),
            false => PERMANENT_FAILURE_DELAY,
        })
    }

    async fn postpone(
        &self,
        message: &SqsMessage,
        receipt_handle: &str,
        delay: Duration,
    ) -> Result<(), StoreError> {
        let lane = self.lane(message);
        self.deliveries.store.postpone_notification(lane, receipt_handle, delay).await
    }

    /// An event is sent again until it expires.
    async fn re_enqueue(
        &self,
        message: &SqsMessage,
        body: &Notification,
        error: &ProcessingError,
    ) -> Result<bool, StoreError> {
        let is_worth_it = error.is_transient() && !self.deliveries.is_expired(body);
        if is_worth_it {
            self.deliveries.re_enqueue(body, RE_ENQUEUE_DELAY, self.lane(message)).await?;
        }
        Ok(is_worth_it)
    }
}
