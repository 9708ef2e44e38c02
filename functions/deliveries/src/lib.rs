//! Delivers events to webhook endpoints.

use std::{panic::AssertUnwindSafe, time::Duration};

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use delivery::{Deliveries, LookedUp};
use domain::Timestamp;
use futures::{FutureExt, future::join_all};
use store::{
    StoreError,
    events::{Lane, Notice},
};

/// How long the work on a batch may take: the function has 29 s.
const BUDGET: Duration = Duration::from_secs(22);
/// How long the queue is given to take a message again, or to put it off.
const POSTPONING: Duration = Duration::from_secs(3);
/// Receives from which a message is sent again instead: the queue gives it up after twenty.
const LAST_RECEIVES: u32 = 8;
/// When such a message comes back.
const ANEW_AFTER: Duration = Duration::from_secs(60);
/// When a message comes back that no time will make better: soon it is among the dead letters.
const HOPELESS: Duration = Duration::from_secs(1);

/// What the function needs.
#[derive(Clone, Debug)]
pub struct DeliveriesFunction {
    /// Works on messages.
    pub deliveries: Deliveries,
}

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
enum Stays {
    #[error("the message is not one of ours")]
    Unreadable,
    #[error("the work on it panicked")]
    Panicked,
    #[error("the work on it took too long")]
    Late,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Stays {
    /// Whether another try may go better.
    fn may_pass(&self) -> bool {
        match self {
            Self::Late => true,
            Self::Store(error) => error.may_pass(),
            Self::Unreadable | Self::Panicked => false,
        }
    }
}

impl DeliveriesFunction {
    /// Works on a batch of messages, each by itself: one that fails, panics or does not come to an end does
    /// not bring the others back.
    pub async fn handle(&self, event: SqsEvent) -> SqsBatchResponse {
        let until = self.now() + BUDGET;
        let notices: Vec<Option<Notice>> = event.records.iter().map(read).collect();
        let looking = self.deliveries.look_up(notices.iter().flatten());
        let looked_up = self.within(until, looking).await;
        let looked_up = looked_up.unwrap_or_else(|_| self.deliveries.nothing_looked_up());
        let work = event.records.iter().zip(&notices);
        // Boxed, since they are large, and would be moved about.
        let work = work.map(|(message, notice)| {
            self.attempt(message, notice.as_ref(), &looked_up, until).boxed()
        });
        let worked = join_all(work).await;
        let mut response = SqsBatchResponse::default();
        for (message, outcome) in event.records.into_iter().zip(worked) {
            let Err(stays) = outcome else { continue };
            let id = message.message_id.unwrap_or_default();
            let cause = std::error::Error::source(&stays).map(ToString::to_string);
            tracing::error!(message_id = id, error = %stays, cause, "a message failed");
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = id;
            response.batch_item_failures.push(failure);
        }
        response
    }

    /// Works on a message; one that fails comes back sooner than the queue would have it by itself, which
    /// must assume a whole function's timeout.
    async fn attempt(
        &self,
        message: &SqsMessage,
        notice: Option<&Notice>,
        looked_up: &LookedUp,
        until: Timestamp,
    ) -> Result<(), Stays> {
        let lane = self.deliveries.store.lane_of(message.event_source_arn.as_deref());
        let stays = match notice {
            None => Stays::Unreadable,
            Some(notice) => {
                match self.within(until, self.deliveries.work(notice, looked_up, lane)).await {
                    Ok(Ok(())) => return Ok(()),
                    Ok(Err(error)) => Stays::Store(error),
                    Err(stays) => stays,
                }
            }
        };
        let receives = receives(message);
        if let Some(notice) = notice.filter(|_| receives >= LAST_RECEIVES && stays.may_pass())
            && self.is_sent_anew(notice, lane).await
        {
            return Ok(());
        }
        let wait = match stays.may_pass() {
            true => Duration::from_secs(2 << receives.min(7)),
            false => HOPELESS,
        };
        if let Some(receipt) = &message.receipt_handle {
            let postponing = self.deliveries.store.postpone_notice(lane, receipt, wait);
            let postponed = self.within(self.now() + POSTPONING, postponing).await;
            if !matches!(postponed, Ok(Ok(()))) {
                tracing::warn!("a message comes back later than it should");
            }
        }
        Err(stays)
    }

    /// Sends a message again before the queue gives it up for something that is none of its own, as long as
    /// what it is about is still told.
    async fn is_sent_anew(&self, notice: &Notice, lane: Lane) -> bool {
        if self.deliveries.is_too_old(notice) {
            return false;
        }
        let sending = self.deliveries.send_anew(notice, ANEW_AFTER, lane);
        let sent = self.within(self.now() + POSTPONING, sending).await;
        matches!(sent, Ok(Ok(())))
    }

    /// Waits for work until a given instant; a panic is that work's alone.
    async fn within<T>(&self, until: Timestamp, work: impl Future<Output = T>) -> Result<T, Stays> {
        tokio::select! {
            biased;
            worked = AssertUnwindSafe(work).catch_unwind() => worked.map_err(|_| Stays::Panicked),
            () = self.deliveries.store.clock().sleep_until(until) => Err(Stays::Late),
        }
    }

    fn now(&self) -> Timestamp {
        self.deliveries.store.clock().now()
    }
}

fn read(message: &SqsMessage) -> Option<Notice> {
    serde_json::from_str(message.body.as_deref().unwrap_or_default()).ok()
}

/// How often a message was received, this time included.
fn receives(message: &SqsMessage) -> u32 {
    let count = message.attributes.get("ApproximateReceiveCount");
    count.and_then(|count| count.parse().ok()).unwrap_or(1)
}
