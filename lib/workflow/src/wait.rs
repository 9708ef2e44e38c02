//! The wait of a call for an operation that the processor runs: so a language model is asked once, however long it
//! takes. The processor has time for that, the call does not.

use std::time::Duration;

use domain::{AccountId, Operation, OperationId, Status, Timestamp};
use futures::future::{Either, select};
use store::StoreError;

use crate::{Attempt, Deadlines, Intent, Run, Workflow, task::result_of};

/// How long after its arrival a call looks at the record often, since most models answer by then.
const OFTEN: Duration = Duration::from_secs(5);
/// Pause between two looks in that time, and later: thirty looks in a wait of 25 s.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(1)];
/// How long after its arrival a call runs the operation itself, if no processor has begun: all are busy, or the host
/// has none.
const CLAIMING_BEGINS: Duration = Duration::from_secs(2);
/// How long after its arrival it does not any more, since too little time is left for a model.
pub(crate) const CLAIMING_ENDS: Duration = Duration::from_secs(5);

/// A call that waits for its operation.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The operation.
    pub operation: OperationId,
    account: AccountId,
    arrived: Timestamp,
}

impl Waiting {
    pub(crate) fn of(intent: &Intent, operation: OperationId) -> Self {
        Self { operation, account: intent.account, arrived: intent.arrived }
    }
}

/// The outcome of a wait.
#[derive(Debug)]
pub enum Waited {
    /// The operation has ended, or the call's time has: [`Run::OutOfTime`].
    Over(Run),
    /// No processor has begun: the call runs this attempt, until the given instant.
    Claimed(Box<Attempt>, Timestamp),
}

impl Workflow {
    /// Waits for the end of an operation that was left to the processor, as long as its call has time. A wait that is
    /// given up changes nothing.
    ///
    /// # Errors
    ///
    /// Storage failed for good. What passes only costs looks.
    pub async fn wait(&self, waiting: Waiting) -> Result<Waited, StoreError> {
        let until = waiting.arrived + self.deadlines.call;
        let over = self.clock().sleep_until(until + Deadlines::ANSWERING);
        match select(Box::pin(self.watch(waiting, until)), over).await {
            Either::Left((waited, _)) => waited,
            // Storage is slow.
            Either::Right(_) => Ok(Waited::Over(Run::OutOfTime)),
        }
    }

    async fn watch(&self, waiting: Waiting, until: Timestamp) -> Result<Waited, StoreError> {
        while self.now() < until {
            let is_early = self.now() < waiting.arrived + OFTEN;
            let pause = PAUSES[usize::from(!is_early)];
            self.clock().sleep_until(until.min(self.now() + pause)).await;
            match self.look(waiting, until).await {
                Ok(Some(waited)) => return Ok(waited),
                Ok(None) => {}
                Err(error) if error.is_transient() => {
                    tracing::warn!(operation = %waiting.operation, %error, "a look at it failed");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Waited::Over(Run::OutOfTime))
    }

    /// One look at the record; `None` if the wait goes on.
    async fn look(&self, waiting: Waiting, until: Timestamp) -> Result<Option<Waited>, StoreError> {
        let Waiting { operation: id, account, arrived } = waiting;
        let Some(operation) = self.store.glance_at_operation(account, id).await? else {
            return Ok(None);
        };
        if operation.status.is_final() {
            return Ok(self.end_of(&operation).await?.map(Waited::Over));
        }
        if !(arrived + CLAIMING_BEGINS..arrived + CLAIMING_ENDS).contains(&self.now()) {
            return Ok(None);
        }
        let attempt = self.take_over(&operation).await?;
        Ok(attempt.map(|attempt| Waited::Claimed(Box::new(attempt), until)))
    }

    /// How an operation has ended; `None` as long as its result is not visible.
    async fn end_of(&self, ended: &Operation) -> Result<Option<Run>, StoreError> {
        if ended.status != Status::Succeeded {
            return Ok(ended.problem.clone().map(|failure| Run::Failed(*failure)));
        }
        let found = self.store.operation(ended.account, ended.id).await?;
        let body = found.and_then(|found| found.body);
        Ok(body.as_deref().and_then(result_of).map(Run::Succeeded))
    }
}
