//! The processor's handling of messages: it trusts only the record.

use std::time::Duration;

use domain::{Operation, Problem, Status, Timestamp, operation::MAX_ATTEMPTS};
use futures::future::join;
use store::{
    StoreError,
    operations::idempotency_key_expires_at,
    operations::queue::{Message, OperationMessage},
};

use crate::{Attempt, Deadlines, Run, Workflow};

/// Age from which an operation without a record never gets one: its transaction is not sent after
/// [`START_BUDGET`](crate::start::START_BUDGET), and a call to storage ends four seconds later.
const ORPHAN_AFTER: Duration = Duration::from_secs(20);
/// Age up to which a receiver waits for the record: a start usually commits within milliseconds,
/// and a receiver that waits for an orphan keeps others from being received.
const WAITING_AGE: Duration = Duration::from_millis(300);
/// Pause between two looks at the record, and how many at most, should clocks differ.
const LOOK_PAUSE: Duration = Duration::from_millis(40);
const LOOKS: usize = 8;

/// When a message comes back after an end, to see that nothing is left.
const SWEEP_DELAY: Duration = Duration::from_secs(1);
/// How long after an end the bucket or the table may still store what a dead attempt has sent: its process has
/// given up the call after three seconds.
const LATE_WRITES: Duration = Duration::from_secs(60);

/// What happens with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// It is done and can be deleted.
    Done,
    /// It is received again after this long.
    RetryAfter(Duration),
}

impl Workflow {
    /// Handles a message, as far as the record says that there is still work.
    ///
    /// With `receipt_handle` the message is hidden as long as an attempt has its lease.
    ///
    /// # Errors
    ///
    /// Storage failed: the message has to be received again.
    pub async fn process(
        &self,
        message: Message,
        receipt_handle: Option<&str>,
    ) -> Result<Disposition, StoreError> {
        match message {
            Message::Operation(message) => self.process_operation(message, receipt_handle).await,
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
        receipt_handle: Option<&str>,
    ) -> Result<Disposition, StoreError> {
        let OperationMessage { account_id: account, operation_id: id } = message;
        let now = self.now();
        let Some(operation) = self.await_record(message).await? else {
            // By the age of the operation, not of the message, which may have been sent again.
            let age = self.now().since(id.created_at());
            let left = ORPHAN_AFTER.saturating_sub(age);
            return Ok(match left.is_zero() {
                true => Disposition::Done,
                false => Disposition::RetryAfter((age * 3).min(left) + Duration::from_secs(1)),
            });
        };
        if operation.status.is_final() {
            return self.sweep(&operation, now).await;
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
            // Another attempt or a cancellation came first; the next receive shows which.
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
                    let hiding = self.hide_until(operation.lease_until, receipt_handle);
                    join(hiding, self.run(&attempt, deadline)).await.1?
                }
                None => self.fail(&operation, input_expired()).await?,
            }
        };
        Ok(match run {
            // Nothing but the recorded body was written.
            Run::Succeeded(..) if operation.attempt == 1 && operation.uploads.is_empty() => {
                Disposition::Done
            }
            Run::Succeeded(..) | Run::Failed(..) => Disposition::RetryAfter(SWEEP_DELAY),
            Run::OutOfTime => {
                Disposition::RetryAfter(lease_remaining(operation.lease_until, self.now()))
            }
            Run::Superseded => Disposition::RetryAfter(Duration::from_secs(1)),
        })
    }
}

impl Workflow {
    /// Removes what attempts at an operation that has ended left in the bucket and the table: the process that
    /// ended it may have crashed before it cleaned up, and no attempt removes its own body.
    async fn sweep(&self, ended: &Operation, now: Timestamp) -> Result<Disposition, StoreError> {
        self.clean_up(ended).await?;
        let late_until = ended.completed_at.unwrap_or(now) + LATE_WRITES;
        if ended.attempt > 1 && now < late_until {
            return Ok(Disposition::RetryAfter(late_until.since(now)));
        }
        if ended.status == Status::Failed {
            self.store.discard_body(ended).await?;
        }
        let recorded = u32::from(ended.status == Status::Succeeded);
        self.store.discard_bodies(ended, 1..=ended.attempt - recorded).await?;
        Ok(Disposition::Done)
    }

    /// Hides the message of a running attempt until its lease ends: no other receiver counts it in
    /// vain, and one takes over right after a crash. A failure delays that only, to the queue's own
    /// visibility timeout.
    async fn hide_until(&self, lease_until: Timestamp, receipt_handle: Option<&str>) {
        let Some(receipt_handle) = receipt_handle else { return };
        let delay = lease_remaining(lease_until, self.now());
        if let Err(error) = self.store.postpone(receipt_handle, delay).await {
            tracing::warn!(%error, "the message of an attempt is not hidden for its lease");
        }
    }

    /// The record of a message's operation; a start that has just enqueued it gets a moment to
    /// commit.
    async fn await_record(
        &self,
        message: OperationMessage,
    ) -> Result<Option<Operation>, StoreError> {
        let OperationMessage { account_id, operation_id } = message;
        for _ in 1..LOOKS {
            let found = self.store.operation_record(account_id, operation_id).await?;
            if found.is_some() || self.now().since(operation_id.created_at()) >= WAITING_AGE {
                return Ok(found);
            }
            self.clock().sleep_until(self.now() + LOOK_PAUSE).await;
        }
        self.store.operation_record(account_id, operation_id).await
    }
}

/// Whole seconds until a lease has certainly ended.
fn lease_remaining(until: Timestamp, now: Timestamp) -> Duration {
    Duration::from_secs(until.since(now).as_secs() + 1)
}

fn attempts_exhausted() -> Problem {
    Problem {
        code: "provider_timeout".to_owned(),
        message: format!("The operation did not finish in {MAX_ATTEMPTS} attempts."),
    }
}

fn input_expired() -> Problem {
    Problem {
        code: "internal_error".to_owned(),
        message: "The operation waited longer than its input is kept.".to_owned(),
    }
}
