//! The one function that runs an operation: calls and the processor share it.

use std::time::Duration;

use domain::{Operation, Problem, Timestamp};
use engine::EngineError;
use futures::future::{Either, select};
use serde_json::Value;
use store::{
    StoreError,
    body::{Lifetime, attempt_name},
    generations::GenerationWrite,
    settlement::{Ending, Harvest, Settled},
};

use crate::{
    Workflow,
    task::{Document, Task},
};

/// What became of an attempt.
#[derive(Debug)]
pub enum Run {
    /// It succeeded; its result is recorded and its credits are spent.
    Succeeded(Operation, Value),
    /// It failed; that is recorded and its credits are returned.
    Failed(Problem, Option<Duration>),
    /// Its time was over first. Nothing is recorded: another attempt will begin once its lease
    /// has lapsed.
    OutOfTime,
    /// Another attempt has taken over.
    Superseded,
}

/// What a workflow leaves to be recorded.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub document: Document,
    pub history: Option<GenerationWrite>,
}

/// Why a workflow came to no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Abort {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("what the operation builds on is gone")]
    SourceGone,
    #[error("a document does not have the expected form")]
    Malformed,
}

fn problem(code: &str, message: impl Into<String>) -> Problem {
    Problem { code: code.to_owned(), message: message.into() }
}

pub(crate) fn source_gone() -> Problem {
    problem("source_conflict", "What the operation builds on was deleted or is full.")
}

impl Workflow {
    /// Runs the attempt that `operation` names, until `deadline` at the latest.
    ///
    /// # Errors
    ///
    /// Storage failed: nothing is recorded, and another attempt will begin once the lease has
    /// lapsed.
    pub async fn run(
        &self,
        operation: &Operation,
        task: &Task,
        deadline: Timestamp,
    ) -> Result<Run, StoreError> {
        let work = Box::pin(self.work(operation, task));
        let worked = match select(work, self.clock().sleep_until(deadline)).await {
            Either::Left((worked, _)) => worked,
            Either::Right(_) => return Ok(Run::OutOfTime),
        };
        let (ending, result, retry_after) = match worked {
            Ok(outcome) => {
                let result = outcome.document.result.clone();
                (self.harvest(operation, outcome).await?, Some(result), None)
            }
            Err(Abort::Store(error)) => return Err(error),
            Err(abort) => {
                let (problem, retry_after) = explain(abort);
                (Ending::Failure(problem), None, retry_after)
            }
        };
        match (self.conclude(operation, &ending).await?, ending, result) {
            (Settled::Done(ended), Ending::Success(_), Some(result)) => {
                Ok(Run::Succeeded(ended, result))
            }
            (Settled::Done(_), Ending::Failure(problem), _) => {
                Ok(Run::Failed(problem, retry_after))
            }
            (Settled::HistoryGone, ..) => self.fail(operation, source_gone()).await,
            _ => Ok(Run::Superseded),
        }
    }

    /// Ends an attempt, and removes the bodies that will never be recorded: those of earlier
    /// attempts, which are fenced off, and its own if it is not recorded either.
    async fn conclude(
        &self,
        operation: &Operation,
        ending: &Ending,
    ) -> Result<Settled, StoreError> {
        self.discard(operation, 1..operation.attempt).await;
        let settled = self.store.settle(operation, ending).await?;
        if let (Settled::Fenced | Settled::HistoryGone, Ending::Success(_)) = (&settled, ending) {
            self.discard(operation, operation.attempt..operation.attempt + 1).await;
        }
        Ok(settled)
    }

    /// A bucket that is away must not keep an operation from its end.
    async fn discard(&self, operation: &Operation, attempts: std::ops::Range<u32>) {
        if let Err(error) = self.store.discard_bodies(operation, attempts).await {
            tracing::warn!(operation = %operation.id, %error, "bodies of dead attempts are left");
        }
    }

    /// Ends an attempt with a failure.
    pub(crate) async fn fail(
        &self,
        operation: &Operation,
        problem: Problem,
    ) -> Result<Run, StoreError> {
        match self.conclude(operation, &Ending::Failure(problem.clone())).await? {
            Settled::Done(_) => Ok(Run::Failed(problem, None)),
            _ => Ok(Run::Superseded),
        }
    }

    async fn work(&self, operation: &Operation, task: &Task) -> Result<Outcome, Abort> {
        match task {
            Task::GeneratePrompt(task) => self.generate(operation, task).await,
        }
    }

    async fn harvest(&self, operation: &Operation, outcome: Outcome) -> Result<Ending, StoreError> {
        let json = serde_json::to_vec(&outcome.document)
            .map_err(|_| StoreError::Corrupt { what: "document" })?;
        let lifetime = match outcome.history {
            Some(_) => Lifetime::Durable,
            None => Lifetime::Temporary,
        };
        let name = attempt_name(operation, operation.attempt);
        let body = self.store.keep_body(json, lifetime, &name).await?;
        Ok(Ending::Success(Box::new(Harvest { body, history: outcome.history })))
    }
}

fn explain(abort: Abort) -> (Problem, Option<Duration>) {
    match abort {
        Abort::Engine(EngineError::Rejected { reason }) => (
            problem("content_rejected", format!("The content cannot be worked with: {reason}.")),
            None,
        ),
        Abort::Engine(EngineError::Unavailable { retry_after }) => {
            (problem("provider_unavailable", "The engine cannot answer at present."), retry_after)
        }
        Abort::Engine(EngineError::Timeout) => {
            (problem("provider_unavailable", "The engine did not answer in time."), None)
        }
        Abort::SourceGone => (source_gone(), None),
        Abort::Malformed | Abort::Store(_) => {
            (problem("internal_error", "Something went wrong on our side."), None)
        }
    }
}
