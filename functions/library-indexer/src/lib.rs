//! Writes the index of the library: counts votes for it, writes the snapshots of its listings, and removes what is
//! left of both.
//!
//! A batch is processed as a whole, since it repeats itself: a popular item is counted once for all the votes in it,
//! and a listing is compacted once for all requests.

use std::{
    collections::{BTreeMap, BTreeSet},
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

/// How long the work on a batch may take: two thirds of the function's time.
const BUDGET: Duration = Duration::from_secs(200);
/// How long postponing what failed may take afterwards.
const POSTPONING_BUDGET: Duration = Duration::from_secs(60);
/// Messages that are postponed at once.
const POSTPONED_AT_ONCE: usize = 50;
/// When a message comes back that was sent again.
const RE_ENQUEUE_DELAY: Duration = Duration::from_secs(60);
/// When a message comes back after a transient error.
const RETRY_DELAY: Duration = Duration::from_secs(15);
/// When a message comes back after a permanent error: soon it is among the dead letters.
const PERMANENT_FAILURE_DELAY: Duration = Duration::from_secs(1);

/// A job, with the messages that request it.
type Requested = (LibraryJob, Vec<SqsMessage>);

/// Messages that failed for one reason.
struct Failure {
    /// With their jobs; `None` if they cannot be read.
    messages: Vec<(Option<LibraryJob>, SqsMessage)>,
    error: ProcessingError,
}

impl Failure {
    fn of(jobs: impl IntoIterator<Item = Requested>, error: ProcessingError) -> Self {
        let jobs = jobs.into_iter();
        let messages = jobs.flat_map(|(job, messages)| {
            messages.into_iter().map(move |message| (Some(job.clone()), message))
        });
        Self { messages: messages.collect(), error }
    }
}

impl SqsHandler for LibraryIndexer {
    fn handle(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        self.handle_batch(event).boxed()
    }
}

impl LibraryIndexer {
    async fn handle_batch(&self, event: SqsEvent) -> SqsBatchResponse {
        let batch = self.batch(BUDGET);
        // In an order of their own, so that a run can be repeated exactly.
        let (mut failed, mut jobs) = (Vec::new(), BTreeMap::<_, Vec<_>>::new());
        for (job, message) in bodies(&event.records).into_iter().zip(event.records) {
            match job {
                Some(job) => jobs.entry(job).or_default().push(message),
                None => failed.push(Failure {
                    messages: vec![(None, message)],
                    error: ProcessingError::Unreadable,
                }),
            }
        }
        // Users wait for counts; what takes long comes afterwards.
        let (counts, others): (Vec<_>, Vec<_>) =
            jobs.into_iter().partition(|(job, _)| item_of(job).is_some());
        failed.extend(self.count_votes(&batch, counts).await);
        failed.extend(self.run_each(&batch, others).await);
        response(self.postpone_all(failed).await)
    }

    fn batch(&self, budget: Duration) -> Batch {
        let clock = self.store.clock().clone();
        let until = clock.now() + budget;
        Batch::new(clock, Some(until))
    }

    /// Postpones messages or sends them again. Returns those that stay in the queue.
    async fn postpone_all(&self, failed: Vec<Failure>) -> Vec<SqsMessage> {
        let batch = self.batch(POSTPONING_BUDGET);
        let mut stay = Vec::new();
        for Failure { messages, error } in failed {
            for messages in messages.chunks(POSTPONED_AT_ONCE) {
                let postponed = messages
                    .iter()
                    .map(|(job, message)| batch.failed(self, message, job.as_ref(), &error));
                // Without an answer of the queue they come back after its visibility timeout.
                let kept = batch.isolate(join_all(postponed)).await;
                let kept = kept.unwrap_or_else(|_| vec![true; messages.len()]);
                let kept = messages.iter().zip(kept).filter(|(_, is_kept)| *is_kept);
                stay.extend(kept.map(|((_, message), _)| message.clone()));
            }
        }
        stay
    }

    async fn count_votes(&self, batch: &Batch, counts: Vec<Requested>) -> Vec<Failure> {
        let items: BTreeSet<_> = counts.iter().filter_map(|(job, _)| item_of(job)).collect();
        let counted = batch.isolate(self.store.count_votes(&items)).await;
        match counted.and_then(|counted| Ok(counted?)) {
            Ok(()) => Vec::new(),
            // The others must not suffer from one that cannot be read.
            Err(ProcessingError::Store(StoreError::Corrupt { .. })) if counts.len() > 1 => {
                self.run_each(batch, counts).await
            }
            Err(error) => vec![Failure::of(counts, error)],
        }
    }

    async fn run_each(&self, batch: &Batch, jobs: Vec<Requested>) -> Vec<Failure> {
        let mut failed = Vec::new();
        for requested in jobs {
            if let Err(error) = batch.isolate(self.run(&requested.0)).await.flatten() {
                failed.push(Failure::of([requested], error));
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
            LibraryJob::DiscardSnapshots { listing } => {
                self.store.discard_snapshots(*listing).await?;
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

    /// A job is sent again as long as storage cannot do it: nothing else requests it again.
    async fn re_enqueue(
        &self,
        _: &SqsMessage,
        job: &LibraryJob,
        error: &ProcessingError,
    ) -> Result<bool, StoreError> {
        let delay = match error {
            ProcessingError::RetryAfter(delay) => *delay,
            _ if error.is_transient() => RE_ENQUEUE_DELAY,
            _ => return Ok(false),
        };
        self.store.enqueue_library_job(job, delay).await?;
        Ok(true)
    }
}

/// The item whose votes a job counts.
fn item_of(job: &LibraryJob) -> Option<LibraryId> {
    match job {
        LibraryJob::CountVotes { item_id } => Some(*item_id),
        LibraryJob::DeleteCounters { .. }
        | LibraryJob::Compact { .. }
        | LibraryJob::DiscardSnapshots { .. } => None,
    }
}
