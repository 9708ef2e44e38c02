//! What the processor does with a message: believe only the record.

use std::time::Duration;

use domain::{Operation, Problem, Timestamp, operation::MAX_ATTEMPTS};
use futures::future::join;
use store::{
    StoreError,
    operations::idempotency_key_expires_at,
    operations::queue::{Message, OperationMessage},
};

use crate::{Attempt, Deadlines, Run, Workflow};

/// How long a message without a record is kept: far longer than a start may take.
const ORPHAN_AGE: Duration = Duration::from_secs(120);
/// How often the first receiver of a message looks for its record: the start that announced it is
/// usually a few milliseconds from being committed.
const FIRST_LOOKS: u32 = 8;
/// Pause between these looks.
const LOOK_PAUSE: Duration = Duration::from_millis(40);

/// What is to become of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// Nothing is left to do: it may be deleted.
    Done,
    /// It shall be looked at again after this long.
    RetryAfter(Duration),
}

impl Workflow {
    /// Does what a message asks for, as far as the record says that it is still to be done.
    ///
    /// `sent_at` is when the message was sent and `receives` how often it was received, this time
    /// included.
    ///
    /// # Errors
    ///
    /// Storage failed: the message shall be received again.
    pub async fn process(
        &self,
        message: Message,
        sent_at: Timestamp,
        receives: u32,
    ) -> Result<Disposition, StoreError> {
        match message {
            Message::Operation(message) => self.process_operation(message, sent_at, receives).await,
            Message::Deletion(message) => {
                self.store.purge_history(message.account_id, message.history_id).await?;
                Ok(Disposition::Done)
            }
            Message::PresetBody(message) => {
                self.store.discard_preset_body(message).await?;
                Ok(Disposition::Done)
            }
        }
    }

    async fn process_operation(
        &self,
        message: OperationMessage,
        sent_at: Timestamp,
        receives: u32,
    ) -> Result<Disposition, StoreError> {
        let OperationMessage { account_id: account, operation_id: id } = message;
        let now = self.now();
        let looks = if receives == 1 { FIRST_LOOKS } else { 1 };
        let Some(operation) = self.poll_record(message, looks).await? else {
            // Perhaps it is not committed yet.
            let waited = Duration::from_secs(4 << receives.saturating_sub(1).min(3));
            let forgotten = now.since(sent_at) >= ORPHAN_AGE;
            return Ok(if forgotten { Disposition::Done } else { Disposition::RetryAfter(waited) });
        };
        if operation.status.is_final() {
            // Whoever ended it may have died before it cleared up.
            self.clean_up(&operation).await?;
            return Ok(Disposition::Done);
        }
        if !operation.is_claimable(now) {
            return Ok(Disposition::RetryAfter(lease_remaining(operation.lease_until, now)));
        }
        let task = self.task_of(&operation).await?;
        if task.is_none() && now < idempotency_key_expires_at(operation.created_at()) {
            // Items of one transaction become visible one by one.
            return Ok(Disposition::RetryAfter(Duration::from_secs(1)));
        }
        let lease = self.deadlines.processing + Deadlines::SETTLING;
        let begins = task.as_ref().and_then(|wanted| wanted.task.begins());
        let (claimed, offset_index) =
            join(self.store.claim(account, id, lease), self.offset_index(account, begins)).await;
        let Some(operation) = claimed? else {
            // Another attempt or a cancellation came first; what it was, the next look tells.
            return Ok(Disposition::RetryAfter(Duration::from_secs(1)));
        };
        let deadline = now + self.deadlines.processing;
        let run = if operation.attempt > MAX_ATTEMPTS {
            self.fail(&operation, attempts_exhausted()).await?
        } else {
            match task {
                Some(assignment) => {
                    let attempt =
                        Attempt { operation: operation.clone(), assignment, offset_index };
                    self.run(&attempt, deadline).await?
                }
                None => self.fail(&operation, input_expired()).await?,
            }
        };
        Ok(match run {
            // With uploads it is looked at once more, for what may be left of them.
            Run::Succeeded(..) | Run::Failed(..) if !operation.uploads.is_empty() => {
                Disposition::RetryAfter(Duration::from_secs(1))
            }
            Run::Succeeded(..) | Run::Failed(..) => Disposition::Done,
            Run::OutOfTime => {
                Disposition::RetryAfter(lease_remaining(operation.lease_until, self.now()))
            }
            Run::Superseded => Disposition::RetryAfter(Duration::from_secs(1)),
        })
    }
}

impl Workflow {
    async fn poll_record(
        &self,
        message: OperationMessage,
        looks: u32,
    ) -> Result<Option<Operation>, StoreError> {
        let OperationMessage { account_id, operation_id } = message;
        for _ in 1..looks {
            if let Some(found) = self.store.operation_record(account_id, operation_id).await? {
                return Ok(Some(found));
            }
            self.clock().sleep_until(self.now() + LOOK_PAUSE).await;
        }
        self.store.operation_record(account_id, operation_id).await
    }
}

/// Whole seconds until a lease has surely lapsed.
fn lease_remaining(until: Timestamp, now: Timestamp) -> Duration {
    Duration::from_secs(until.since(now).as_secs() + 1)
}

fn attempts_exhausted() -> Problem {
    Problem {
        code: "provider_timeout".to_owned(),
        message: format!("The operation did not come to an end in {MAX_ATTEMPTS} attempts."),
    }
}

fn input_expired() -> Problem {
    Problem {
        code: "internal_error".to_owned(),
        message: "The operation waited longer than its input is kept.".to_owned(),
    }
}
