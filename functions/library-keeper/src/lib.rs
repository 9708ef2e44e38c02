//! Keeps the shelves of the library: counts votes for them, writes their snapshots, and removes what is left
//! of both.
//!
//! A batch is worked on as a whole, since it repeats itself: a popular item is counted once for all the
//! votes in it, and a shelf is written once for all who asked.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use domain::LibraryId;
use futures::future::join_all;
use shelves::{Numbering, Rebuilt, rebuild};
use store::{Store, StoreError, library_queue::LibraryMessage};

/// What the function needs.
#[derive(Clone, Debug)]
pub struct LibraryKeeper {
    /// Where shelves are kept.
    pub store: Store,
    /// Numbers the target models.
    pub numbering: Numbering,
}

/// Messages that are postponed at once.
const TOGETHER: usize = 50;
/// When a message comes back that failed.
const AGAIN_AFTER: Duration = Duration::from_secs(15);

/// When one comes back that no time will make better: soon it is among the dead letters.
const HOPELESS: Duration = Duration::from_secs(1);

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
enum Stays {
    #[error("the message is not one of ours")]
    Unreadable,
    #[error("a shelf is being written")]
    Leased(Duration),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a batch asks for, once, and the messages that ask for it.
type Asked = HashMap<LibraryMessage, Vec<SqsMessage>>;
/// Messages that stay, and why.
type Failed = Vec<(Vec<SqsMessage>, Stays)>;

impl LibraryKeeper {
    /// Works on a batch of messages. Those that fail do not bring the others back.
    pub async fn handle(&self, event: SqsEvent) -> SqsBatchResponse {
        let mut failed = Failed::new();
        let mut asked = Asked::new();
        for message in event.records {
            match serde_json::from_str(message.body.as_deref().unwrap_or_default()) {
                Ok(asks) => asked.entry(asks).or_default().push(message),
                Err(_) => failed.push((vec![message], Stays::Unreadable)),
            }
        }
        // Counting is what somebody waits for; what takes long comes afterwards.
        let (tallies, others): (Vec<_>, Vec<_>) =
            asked.into_iter().partition(|(asks, _)| item_of(asks).is_some());
        failed.extend(self.tally(tallies).await);
        for (asks, messages) in others {
            if let Err(stays) = self.work(asks).await {
                failed.push((messages, stays));
            }
        }
        self.report(failed).await
    }

    async fn tally(&self, tallies: Vec<(LibraryMessage, Vec<SqsMessage>)>) -> Failed {
        let items: BTreeSet<_> = tallies.iter().filter_map(|(asks, _)| item_of(asks)).collect();
        let mut failed = Failed::new();
        match self.store.tally(&items).await {
            Ok(()) => {}
            // The others must not suffer from one that cannot be read.
            Err(StoreError::Corrupt { .. }) if tallies.len() > 1 => {
                for (asks, messages) in tallies {
                    if let Err(stays) = self.work(asks).await {
                        failed.push((messages, stays));
                    }
                }
            }
            Err(error) => {
                let messages = tallies.into_iter().flat_map(|(_, messages)| messages);
                failed.push((messages.collect(), error.into()));
            }
        }
        failed
    }

    async fn work(&self, asks: LibraryMessage) -> Result<(), Stays> {
        match asks {
            LibraryMessage::Tally { item_id } => {
                self.store.tally(&BTreeSet::from([item_id])).await?
            }
            LibraryMessage::Forget { item_id } => self.store.forget_counts(item_id).await?,
            LibraryMessage::Object { shelf, name } => {
                self.store.discard_snapshot(shelf, &name).await?;
            }
            LibraryMessage::Rebuild { shelf } => {
                if let Rebuilt::Leased(until) = rebuild(&self.store, self.numbering, shelf).await? {
                    return Err(Stays::Leased(until.since(self.store.clock().now())));
                }
            }
        }
        Ok(())
    }

    /// Lets messages come back sooner than the queue would by itself, which must assume a whole function's
    /// timeout.
    async fn report(&self, failed: Failed) -> SqsBatchResponse {
        let mut response = SqsBatchResponse::default();
        for (messages, stays) in failed {
            let wait = match &stays {
                Stays::Leased(wait) => *wait,
                Stays::Unreadable | Stays::Store(_) => {
                    let cause = std::error::Error::source(&stays).map(ToString::to_string);
                    tracing::error!(messages = messages.len(), error = %stays, cause, "upkeep failed");
                    match &stays {
                        Stays::Store(error) if error.may_pass() => AGAIN_AFTER,
                        _ => HOPELESS,
                    }
                }
            };
            for messages in messages.chunks(TOGETHER) {
                join_all(messages.iter().map(|message| self.postpone(message, wait))).await;
            }
            response.batch_item_failures.extend(messages.into_iter().map(|message| {
                let mut failure = BatchItemFailure::default();
                failure.item_identifier = message.message_id.unwrap_or_default();
                failure
            }));
        }
        response
    }

    async fn postpone(&self, message: &SqsMessage, wait: Duration) {
        let Some(receipt) = &message.receipt_handle else { return };
        if let Err(error) = self.store.postpone_upkeep(receipt, wait).await {
            tracing::warn!(%error, "a message comes back later than it should");
        }
    }
}

/// The item whose votes a message asks to be counted.
fn item_of(asks: &LibraryMessage) -> Option<LibraryId> {
    match asks {
        LibraryMessage::Tally { item_id } => Some(*item_id),
        LibraryMessage::Forget { .. }
        | LibraryMessage::Rebuild { .. }
        | LibraryMessage::Object { .. } => None,
    }
}
