//! Writes the index of the library: counts votes for it, writes the snapshots of its listings, and removes what is
//! left of both.
//!
//! A batch is processed as a whole, since it repeats itself: a popular item is counted once for all the votes in it,
//! and a listing is compacted once for all requests.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use domain::LibraryId;
use futures::{
    FutureExt,
    future::{BoxFuture, join_all},
};
use library_search::{Compaction, ModelNumbering, compact};
use sqs_consumer::{Batch, Consumer, ProcessingError, SqsHandler, bodies, response};
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
/// When a message comes back after a transient error.
const RETRY_DELAY: Duration = Duration::from_secs(15);
/// When a message comes back after a permanent error: soon it is among the dead letters.
const PERMANENT_FAILURE_DELAY: Duration = Duration::from_secs(1);

/// The jobs of a batch, each once, with the messages that request it.
type Jobs = HashMap<LibraryJob, Vec<SqsMessage>>;
/// Messages that stay, and why.
type Failed = Vec<(Vec<SqsMessage>, ProcessingError)>;

impl SqsHandler for LibraryIndexer {
    fn handle(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        self.handle_batch(event).boxed()
    }
}

impl LibraryIndexer {
    async fn handle_batch(&self, event: SqsEvent) -> SqsBatchResponse {
        let batch = Batch::new(self.store.clock().clone(), None);
        let (mut failed, mut jobs) = (Failed::new(), Jobs::new());
        for (job, message) in bodies(&event.records).into_iter().zip(event.records) {
            match job {
                Some(job) => jobs.entry(job).or_default().push(message),
                None => failed.push((vec![message], ProcessingError::Unreadable)),
            }
        }
        // Users wait for counts; what takes long comes afterwards.
        let (counts, others): (Vec<_>, Vec<_>) =
            jobs.into_iter().partition(|(job, _)| item_of(job).is_some());
        failed.extend(self.count_votes(&batch, counts).await);
        failed.extend(self.run_each(&batch, others).await);
        for (messages, error) in &failed {
            for messages in messages.chunks(BATCH) {
                join_all(messages.iter().map(|it| batch.failed(self, it, None, error))).await;
            }
        }
        response(failed.into_iter().flat_map(|(messages, _)| messages))
    }

    async fn count_votes(
        &self,
        batch: &Batch,
        counts: Vec<(LibraryJob, Vec<SqsMessage>)>,
    ) -> Failed {
        let items: BTreeSet<_> = counts.iter().filter_map(|(job, _)| item_of(job)).collect();
        let counted = batch.isolate(self.store.count_votes(&items)).await;
        match counted.and_then(|counted| Ok(counted?)) {
            Ok(()) => Failed::new(),
            // The others must not suffer from one that cannot be read.
            Err(ProcessingError::Store(StoreError::Corrupt { .. })) if counts.len() > 1 => {
                self.run_each(batch, counts).await
            }
            Err(error) => {
                let messages = counts.into_iter().flat_map(|(_, messages)| messages);
                vec![(messages.collect(), error)]
            }
        }
    }

    async fn run_each(&self, batch: &Batch, jobs: Vec<(LibraryJob, Vec<SqsMessage>)>) -> Failed {
        let mut failed = Failed::new();
        for (job, messages) in jobs {
            if let Err(error) = batch.isolate(self.run(&job)).await.flatten() {
                failed.push((messages, error));
            }
        }
        failed
    }

    async fn run(&self, job: &LibraryJob) -> Result<(), ProcessingError> {
        match job {
            LibraryJob::CountVotes { item_id } => {
                self.store.count_votes(&BTreeSet::from([*item_id])).await?
            }
            LibraryJob::DeleteCounters { item_id } => self.store.delete_counters(*item_id).await?,
            LibraryJob::DiscardSnapshot { listing, name } => {
                self.store.discard_snapshot(*listing, name).await?;
            }
            LibraryJob::Compact { listing } => {
                let compacted = compact(&self.store, self.numbering, *listing).await?;
                if let Compaction::Leased(until) = compacted {
                    let delay = until.since(self.store.clock().now());
                    return Err(ProcessingError::RetryAfter(delay));
                }
            }
        }
        Ok(())
    }
}

impl Consumer for LibraryIndexer {
    type Body = LibraryJob;

    async fn process(&self, _: &SqsMessage, job: &LibraryJob) -> Result<(), ProcessingError> {
        self.run(job).await
    }

    fn backoff(&self, error: &ProcessingError, _: u32) -> Option<Duration> {
        Some(match error {
            ProcessingError::RetryAfter(delay) => *delay,
            _ if error.is_transient() => RETRY_DELAY,
            _ => PERMANENT_FAILURE_DELAY,
        })
    }

    async fn postpone(
        &self,
        _: &SqsMessage,
        receipt_handle: &str,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.store.postpone_library_job(receipt_handle, delay).await
    }
}

/// The item whose votes a job counts.
fn item_of(job: &LibraryJob) -> Option<LibraryId> {
    match job {
        LibraryJob::CountVotes { item_id } => Some(*item_id),
        LibraryJob::DeleteCounters { .. }
        | LibraryJob::Compact { .. }
        | LibraryJob::DiscardSnapshot { .. } => None,
    }
}
