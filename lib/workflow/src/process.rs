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

/// Age from which a message without a record is an orphan: far longer than a start may take.
const ORPHAN_AFTER: Duration = Duration::from_secs(120);
/// Polls for the record of a message at its first receive: the start that enqueued it usually
/// commits within milliseconds.
const FIRST_LOOKS: u32 = 8;
/// Pause between these polls.
const LOOK_PAUSE: Duration = Duration::from_millis(40);

/// When a message comes back after an end, to see that nothing is left.
const SWEEP_DELAY: Duration = Duration::from_secs(1);
/// How long after an end the bucket may still store what a dead attempt has sent: its process has
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
    /// `sent_at` is when the message was sent; `receives` is how often it was received, including
    /// this time. With `receipt_handle` the message is hidden as long as an attempt has its lease.
    ///
    /// # Errors
    ///
    /// Storage failed: the message has to be received again.
    pub async fn process(
        &self,
        message: Message,
        sent_at: Timestamp,
        receives: u32,
        receipt_handle: Option<&str>,
    ) -> Result<Disposition, StoreError> {
        match message {
            Message::Operation(message) => {
                self.process_operation(message, sent_at, receives, receipt_handle).await
            }
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
        receipt_handle: Option<&str>,
    ) -> Result<Disposition, StoreError> {
        let OperationMessage { account_id: account, operation_id: id } = message;
        let now = self.now();
        let looks = if receives == 1 { FIRST_LOOKS } else { 1 };
        let Some(operation) = self.poll_record(message, looks).await? else {
            // The start may not have committed yet.
            let waited = Duration::from_secs(4 << receives.saturating_sub(1).min(3));
            let forgotten = now.since(sent_at) >= ORPHAN_AFTER;
            return Ok(if forgotten { Disposition::Done } else { Disposition::RetryAfter(waited) });
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
    /// Removes what attempts at an operation that has ended left in the bucket: the process that
    /// ended it may have crashed before it cleaned up, and no attempt removes its own body.
    async fn sweep(&self, ended: &Operation, now: Timestamp) -> Result<Disposition, StoreError> {
        self.clean_up(ended).await?;
        let late_until = ended.completed_at.unwrap_or(now) + LATE_WRITES;
        if ended.attempt > 1 && now < late_until {
            return Ok(Disposition::RetryAfter(late_until.since(now)));
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
