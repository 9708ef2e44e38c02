//! Runs an operation, for calls and the processor alike.

use std::time::Duration;

use compute::Spent;
use domain::{AccountId, Failure, HistoryType, Operation, Problem, Timestamp, VersionId};
use engine::{EngineError, Meter};
use futures::future::{Either, join3, select};
use outbound::{FetchError, Unreachable};
use serde::Serialize;
use serde_json::Value;
use store::{
    StoreError,
    body::{Lifetime, attempt_name},
    history::HistoryWrite,
    list::offset_index::{List, OffsetIndex},
    operations::settlement::{Completion, Ending, Settled},
};

use crate::{
    Workflow,
    failure::{failure_of, source_gone},
    task::{Assignment, Document, Task},
};

/// A failure that happens this close to the deadline counts as a timeout.
const MARGIN: Duration = Duration::from_secs(1);

/// Bytes of an attachment in a history detail, including its presigned URL.
const ATTACHMENT_BYTES: u64 = 4_000;

/// An attempt that has started, with everything that it needs.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The operation; its `attempt` is this one.
    pub operation: Operation,
    /// The task, with its files.
    pub assignment: Assignment,
    /// The offset index of the list that a new history item is added to, if it has one; may be out of date.
    pub(crate) offset_index: Option<OffsetIndex>,
}

/// The outcome of an attempt.
#[derive(Debug)]
pub enum Run {
    /// It succeeded; its result is recorded and its credits are spent.
    Succeeded(Value),
    /// It failed; that is recorded and its credits are returned.
    Failed(Failure),
    /// Its time was over. Nothing is recorded: another attempt starts once its lease has ended.
    OutOfTime,
    /// Another attempt has taken over.
    Superseded,
}

/// The result of a workflow, to be recorded.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub document: Document,
    pub history: Option<HistoryWrite>,
}

impl Outcome {
    /// The outcome of a task with its result; `parent` is the version that it builds on.
    pub(crate) fn new(
        task: Task,
        result: &impl Serialize,
        history: Option<HistoryWrite>,
        parent: Option<VersionId>,
    ) -> Result<Self, Abort> {
        let result = serde_json::to_value(result).map_err(|_| Abort::Malformed)?;
        let document = Document { task, attachments: Vec::new(), result, parent };
        Ok(Self { document, history })
    }
}

impl Outcome {
    /// Bytes in the detail of its history item: the body, the prompt once more for each version,
    /// and the characters that a Lambda response escapes a second time.
    fn detail_bytes(&self, json: &[u8]) -> u64 {
        let prompt = match &self.document.task {
            Task::AnalyzePrompt(task)
            | Task::OptimizePrompt(task)
            | Task::AnalyzeAndOptimizePrompt(task) => &task.prompt,
            _ => "",
        };
        let versions = self.history.as_ref().map_or(0, |history| u64::from(history.versions));
        // Escaped twice, a control character takes seven bytes.
        let prompt: u64 = prompt
            .bytes()
            .map(|byte| match byte {
                0..0x20 => 7,
                b'"' | b'\\' => 4,
                _ => 1,
            })
            .sum();
        let attachments = self.document.attachments.len() as u64 * ATTACHMENT_BYTES;
        domain::response_size::escaped_len(json) + (versions + 1) * prompt + attachments
    }
}

/// Why a workflow has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Abort {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("the history item that the operation continues is gone")]
    SourceGone,
    #[error("the file of an upload is gone")]
    FileGone,
    #[error("a document does not have the expected form")]
    Malformed,
    #[error(transparent)]
    Spent(#[from] Spent),
}

impl Abort {
    /// Whether the cause may be a lack of time.
    fn is_timeout(&self) -> bool {
        matches!(
            self,
            Self::Engine(
                EngineError::Timeout
                    | EngineError::Unavailable { .. }
                    | EngineError::Unusable { .. }
            ) | Self::Fetch(FetchError::Unreachable(Unreachable::Timeout))
        )
    }
}

impl Workflow {
    /// Runs an attempt, until `deadline` at the latest.
    ///
    /// # Errors
    ///
    /// Storage failed: nothing is recorded, and another attempt starts once the lease has ended.
    pub async fn run(&self, attempt: &Attempt, deadline: Timestamp) -> Result<Run, StoreError> {
        let Attempt { operation, assignment, offset_index } = attempt;
        let meter = self.meter().await?;
        let metered = Self { engine: self.engine.clone().metered(&meter), ..self.clone() };
        let work = Box::pin(metered.compute(operation.clone(), assignment.clone(), deadline));
        let worked = match select(work, self.clock().sleep_until(deadline)).await {
            // A process that stood still may be done only now, when nobody awaits its writes any more.
            Either::Left((worked, _)) if self.now() < deadline => worked,
            _ => return Ok(Run::OutOfTime),
        };
        let operation = &Operation { model_usage: meter.read(), ..operation.clone() };
        let (ending, result) = match worked {
            Ok(mut outcome) => {
                let result = outcome.document.result.clone();
                if outcome.history.is_some() {
                    outcome.document.attachments = assignment.attachments.clone();
                }
                match self.prepare_success(operation, outcome, offset_index).await {
                    Ok(ending) => (ending, Some(result)),
                    Err(Abort::Store(error)) => return Err(error),
                    Err(abort) => (Ending::Failure(failure_of(abort)), None),
                }
            }
            Err(Abort::Store(error)) => return Err(error),
            // The process ends, and another one takes the operation over.
            Err(Abort::Spent(Spent::Stopped)) => return Ok(Run::OutOfTime),
            // An engine that ran out of time has not failed: another attempt may succeed.
            Err(abort) if abort.is_timeout() && self.now() + MARGIN >= deadline => {
                return Ok(Run::OutOfTime);
            }
            Err(abort) => (Ending::Failure(failure_of(abort)), None),
        };
        match (self.conclude(operation, &ending).await?, ending, result) {
            (Settled::Done(_), Ending::Success(_), Some(result)) => Ok(Run::Succeeded(result)),
            (Settled::Done(_), Ending::Failure(failure), _) => Ok(Run::Failed(failure)),
            (Settled::HistoryGone, ..) => self.fail(operation, source_gone()).await,
            _ => Ok(Run::Superseded),
        }
    }

    /// The meter of an attempt. It refuses language models once what all accounts have asked this month has spent the
    /// budget. Operations that run meanwhile are not counted yet, so they may exceed it.
    async fn meter(&self) -> Result<Meter, StoreError> {
        if !self.asks_model() || self.budget.limit.is_none() {
            return Ok(Meter::default());
        }
        let month = self.now().month_start();
        if !self.budget.is_spent(&self.store.total_model_usage(month).await?) {
            return Ok(Meter::default());
        }
        let until = month.next_month_start();
        tracing::warn!(%until, "the budget for language models is spent");
        Ok(Meter::refusing_until(until))
    }

    /// Ends an attempt. What it and earlier ones have left in the bucket is removed once the
    /// operation's message is received again.
    async fn conclude(
        &self,
        operation: &Operation,
        ending: &Ending,
    ) -> Result<Settled, StoreError> {
        let settled = self.store.settle(operation, ending).await?;
        if let Err(error) = self.clean_up_after(operation, &settled).await {
            tracing::warn!(operation = %operation.id, %error, "the processor will remove the files");
        }
        Ok(settled)
    }

    /// Ends an attempt with a failure.
    pub(crate) async fn fail(
        &self,
        operation: &Operation,
        problem: Problem,
    ) -> Result<Run, StoreError> {
        let failure = Failure::from(problem);
        match self.conclude(operation, &Ending::Failure(failure.clone())).await? {
            Settled::Done(_) => Ok(Run::Failed(failure)),
            _ => Ok(Run::Superseded),
        }
    }

    /// Does the work of an attempt on the threads for it. What is large for its size fails; there is no time limit, since
    /// whoever waits stops it.
    async fn compute(
        self,
        operation: Operation,
        assignment: Assignment,
        until: Timestamp,
    ) -> Result<Outcome, Abort> {
        let task = serde_json::to_string(&assignment.task).map_err(|_| Abort::Malformed)?;
        let steps = compute::steps(task.chars().count());
        let account = operation.account;
        let work = async move { self.work(&operation, &assignment, until).await };
        compute::run(account, steps, work).await.unwrap_or_else(|spent| Err(spent.into()))
    }

    async fn work(
        &self,
        operation: &Operation,
        assignment: &Assignment,
        until: Timestamp,
    ) -> Result<Outcome, Abort> {
        let images = self.images(operation, assignment).await?;
        match &assignment.task {
            Task::GeneratePrompt(task) => self.generate(operation, task, images, until).await,
            Task::AnalyzePrompt(task) => self.analyze(operation, task, images, until).await,
            Task::OptimizePrompt(task) => self.optimize(operation, task, images, until).await,
            Task::AnalyzeAndOptimizePrompt(task) => {
                self.analyze_and_optimize(operation, task, images, until).await
            }
            Task::RefinePrompt(task) => self.refine(operation, task, images, until).await,
            Task::RefineOptimizedPrompt(task) => {
                self.refine_optimized(operation, task, images, until).await
            }
            Task::ReversePrompt(task) => self.reverse(operation, task, images, until).await,
        }
    }

    /// The offset index of the list that a new item is added to, so that the settlement need not
    /// read it. If reading fails, the settlement receives it from its failed condition.
    pub(crate) async fn offset_index(
        &self,
        account: AccountId,
        begins: Option<HistoryType>,
    ) -> Option<OffsetIndex> {
        let list = List::history(account, begins?);
        self.store.offset_index(list).await.unwrap_or_default()
    }

    async fn prepare_success(
        &self,
        operation: &Operation,
        outcome: Outcome,
        offset_index: &Option<OffsetIndex>,
    ) -> Result<Ending, Abort> {
        let json = serde_json::to_vec(&outcome.document)
            .map_err(|_| StoreError::Corrupt { what: "document" })?;
        let lifetime = match outcome.history {
            Some(_) => Lifetime::Durable,
            None => Lifetime::Temporary,
        };
        let name = attempt_name(operation, operation.attempt);
        let bytes = outcome.detail_bytes(&json);
        let files = outcome.document.attachments.iter();
        let file_bytes = files.map(|attachment| attachment.size).sum();
        // In parallel: the lease leaves little time for the settlement.
        let (body, kept, enqueued) = join3(
            self.store.stage_body(json, lifetime, &name),
            self.keep_attachments(operation, &outcome.document.attachments),
            self.store.enqueue_success(operation),
        )
        .await;
        kept?;
        let body = body?;
        Ok(Ending::Success(Box::new(Completion {
            body,
            bytes,
            file_bytes,
            history: outcome.history,
            offset_index: offset_index.clone(),
            is_enqueued: enqueued.unwrap_or_else(|error| {
                tracing::warn!(operation = %operation.id, %error, "the end will be enqueued later");
                false
            }),
        })))
    }
}
