//! What the processor does with a message: believe only the record.

use std::time::Duration;

use domain::{Operation, Problem, Timestamp, operation::MAX_ATTEMPTS};
use futures::future::join;
use store::{
    StoreError,
    operations::key_expires_at,
    queue::{Message, OperationMessage},
};

use crate::{Attempt, Deadlines, Run, Workflow};

/// How long a message without a record is kept: far longer than a start may take.
const PHANTOM_AGE: Duration = Duration::from_secs(120);
/// How often the first receiver of a message looks for its record: the start that announced it is
/// usually a few milliseconds from being committed.
const FIRST_LOOKS: u32 = 8;
/// Pause between these looks.
const LOOK_PAUSE: Duration = Duration::from_millis(40);

/// What is to become of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is left to do: it may be deleted.
    Done,
    /// It shall be looked at again after this long.
    LookAgain(Duration),
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
    ) -> Result<Verdict, StoreError> {
        match message {
            Message::Operation(message) => self.process_operation(message, sent_at, receives).await,
            Message::Deletion(message) => {
                self.store.purge_history(message.account_id, message.history_id).await?;
                Ok(Verdict::Done)
            }
            Message::PresetBody(message) => {
                self.store.discard_preset_body(message).await?;
                Ok(Verdict::Done)
            }
        }
    }

    async fn process_operation(
        &self,
        message: OperationMessage,
        sent_at: Timestamp,
        receives: u32,
    ) -> Result<Verdict, StoreError> {
        let OperationMessage { account_id: account, operation_id: id } = message;
        let now = self.now();
        let looks = if receives == 1 { FIRST_LOOKS } else { 1 };
        let Some(operation) = self.look_for(message, looks).await? else {
            // Perhaps it is not committed yet.
            let waited = Duration::from_secs(4 << receives.saturating_sub(1).min(3));
            let forgotten = now.since(sent_at) >= PHANTOM_AGE;
            return Ok(if forgotten { Verdict::Done } else { Verdict::LookAgain(waited) });
        };
        if operation.status.is_final() {
            // Whoever ended it may have died before it cleared up.
            self.clear_up(&operation).await?;
            return Ok(Verdict::Done);
        }
        if !operation.is_claimable(now) {
            return Ok(Verdict::LookAgain(rest_of_lease(operation.lease_until, now)));
        }
        let task = self.task_of(&operation).await?;
        if task.is_none() && now < key_expires_at(operation.created_at()) {
            // Items of one transaction become visible one by one.
            return Ok(Verdict::LookAgain(Duration::from_secs(1)));
        }
        let lease = self.deadlines.processing + Deadlines::SETTLING;
        let begins = task.as_ref().and_then(|wanted| wanted.task.begins());
        let (claimed, directory) =
            join(self.store.claim(account, id, lease), self.directory(account, begins)).await;
        let Some(operation) = claimed? else {
            // Another attempt or a cancellation came first; what it was, the next look tells.
            return Ok(Verdict::LookAgain(Duration::from_secs(1)));
        };
        let deadline = now + self.deadlines.processing;
        let run = if operation.attempt > MAX_ATTEMPTS {
            self.fail(&operation, worn_out()).await?
        } else {
            match task {
                Some(assignment) => {
                    let attempt = Attempt { operation: operation.clone(), assignment, directory };
                    self.run(&attempt, deadline).await?
                }
                None => self.fail(&operation, expired()).await?,
            }
        };
        Ok(match run {
            // With uploads it is looked at once more, for what may be left of them.
            Run::Succeeded(..) | Run::Failed(..) if !operation.uploads.is_empty() => {
                Verdict::LookAgain(Duration::from_secs(1))
            }
            Run::Succeeded(..) | Run::Failed(..) => Verdict::Done,
            Run::OutOfTime => Verdict::LookAgain(rest_of_lease(operation.lease_until, self.now())),
            Run::Superseded => Verdict::LookAgain(Duration::from_secs(1)),
        })
    }
}

impl Workflow {
    async fn look_for(
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
fn rest_of_lease(until: Timestamp, now: Timestamp) -> Duration {
    Duration::from_secs(until.since(now).as_secs() + 1)
}

fn worn_out() -> Problem {
    Problem {
        code: "provider_timeout".to_owned(),
        message: format!("The operation did not come to an end in {MAX_ATTEMPTS} attempts."),
    }
}

fn expired() -> Problem {
    Problem {
        code: "internal_error".to_owned(),
        message: "The operation waited longer than its input is kept.".to_owned(),
    }
}
