//! Keeps the listings of the library: counts votes for them, writes their snapshots, and removes what is left
//! of both.
//!
//! A batch is worked on as a whole, since it repeats itself: a popular item is counted once for all the
//! votes in it, and a listing is written once for all who jobs.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use domain::LibraryId;
use futures::future::join_all;
use library_search::{Compaction, ModelNumbering, compact};
use store::{Store, StoreError, library::queue::LibraryJob};

/// What the function needs.
#[derive(Clone, Debug)]
pub struct LibraryIndexer {
    /// Where listings are kept.
    pub store: Store,
    /// Numbers the target models.
    pub numbering: ModelNumbering,
}

/// Messages that are postponed at once.
const BATCH: usize = 50;
/// When a message comes back that failed.
const RETRY_DELAY: Duration = Duration::from_secs(15);

/// When one comes back that no time will make better: soon it is among the dead letters.
const PERMANENT_FAILURE_DELAY: Duration = Duration::from_secs(1);

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
enum ProcessingError {
    #[error("the message is not one of ours")]
    Unreadable,
    #[error("a listing is being written")]
    Leased(Duration),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a batch job for, once, and the messages that ask for it.
type JobsByContent = HashMap<LibraryJob, Vec<SqsMessage>>;
/// Messages that stay, and why.
type Failed = Vec<(Vec<SqsMessage>, ProcessingError)>;

impl LibraryIndexer {
    /// Works on a batch of messages. Those that fail do not bring the others back.
    pub async fn handle(&self, event: SqsEvent) -> SqsBatchResponse {
        let mut failed = Failed::new();
        let mut jobs = JobsByContent::new();
        for message in event.records {
            match serde_json::from_str(message.body.as_deref().unwrap_or_default()) {
                Ok(job) => jobs.entry(job).or_default().push(message),
                Err(_) => failed.push((vec![message], ProcessingError::Unreadable)),
            }
        }
        // Counting is what somebody waits for; what takes long comes afterwards.
        let (counts, others): (Vec<_>, Vec<_>) =
            jobs.into_iter().partition(|(job, _)| item_of(job).is_some());
        failed.extend(self.count_votes(counts).await);
        for (job, messages) in others {
            if let Err(error) = self.process(job).await {
                failed.push((messages, error));
            }
        }
        self.report(failed).await
    }

    async fn count_votes(&self, counts: Vec<(LibraryJob, Vec<SqsMessage>)>) -> Failed {
        let items: BTreeSet<_> = counts.iter().filter_map(|(job, _)| item_of(job)).collect();
        let mut failed = Failed::new();
        match self.store.count_votes(&items).await {
            Ok(()) => {}
            // The others must not suffer from one that cannot be read.
            Err(StoreError::Corrupt { .. }) if counts.len() > 1 => {
                for (job, messages) in counts {
                    if let Err(error) = self.process(job).await {
                        failed.push((messages, error));
                    }
                }
            }
            Err(error) => {
                let messages = counts.into_iter().flat_map(|(_, messages)| messages);
                failed.push((messages.collect(), error.into()));
            }
        }
        failed
    }

    async fn process(&self, job: LibraryJob) -> Result<(), ProcessingError> {
        match job {
            LibraryJob::CountVotes { item_id } => {
                self.store.count_votes(&BTreeSet::from([item_id])).await?
            }
            LibraryJob::DeleteCounters { item_id } => self.store.delete_counters(item_id).await?,
            LibraryJob::DiscardSnapshot { listing, name } => {
                self.store.discard_snapshot(listing, &name).await?;
            }
            LibraryJob::Compact { listing } => {
                if let Compaction::Leased(until) =
                    compact(&self.store, self.numbering, listing).await?
                {
                    return Err(ProcessingError::Leased(until.since(self.store.clock().now())));
                }
            }
        }
        Ok(())
    }

    /// Lets messages come back sooner than the queue would by itself, which must assume a whole function's
    /// timeout.
    async fn report(&self, failed: Failed) -> SqsBatchResponse {
        let mut response = SqsBatchResponse::default();
        for (messages, error) in failed {
            let wait = match &error {
                ProcessingError::Leased(wait) => *wait,
                ProcessingError::Unreadable | ProcessingError::Store(_) => {
                    let cause = std::error::Error::source(&error).map(ToString::to_string);
                    tracing::error!(messages = messages.len(), %error, cause, "a library job failed");
                    match &error {
                        ProcessingError::Store(error) if error.is_transient() => RETRY_DELAY,
                        _ => PERMANENT_FAILURE_DELAY,
                    }
                }
            };
            for messages in messages.chunks(BATCH) {
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
        if let Err(error) = self.store.postpone_library_job(receipt, wait).await {
            tracing::warn!(%error, "a message comes back later than it should");
        }
    }
}

/// The item whose votes a message job to be counted.
fn item_of(job: &LibraryJob) -> Option<LibraryId> {
    match job {
        LibraryJob::CountVotes { item_id } => Some(*item_id),
        LibraryJob::DeleteCounters { .. }
        | LibraryJob::Compact { .. }
        | LibraryJob::DiscardSnapshot { .. } => None,
    }
}
