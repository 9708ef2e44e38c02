//! The start of an operation: enqueue first, commit second.

use std::time::Duration;

use domain::{
    AccountId, EventKinds, Kind, Operation, OperationId, Status, Timestamp, operation::MAX_ATTEMPTS,
};
use futures::future::join;
use serde_json::Value;
use store::{
    StoreError,
    admission::Admission,
    body::Lifetime,
    operations::queue::OperationMessage,
    operations::start::{IdempotencyRecord, NewOperation, Started},
};

use crate::{
    Attempt, Deadlines, Workflow,
    task::{Assignment, result_of},
};

/// Time limit of a start from the arrival of its request; later it is not committed. The processor
/// drops an orphan message only long after this.
pub const START_BUDGET: Duration = Duration::from_secs(5);
/// Tries of a start while its key moves from one operation to the next.
const KEY_CHANGES: u32 = 4;

/// A request for an operation, before anything is recorded.
#[derive(Clone, Debug)]
pub struct Intent {
    /// The account that the operation belongs to.
    pub account: AccountId,
    /// The kind of the operation.
    pub kind: Kind,
    /// Hash of the idempotency key.
    pub key: String,
    /// SHA-256 of the request.
    pub fingerprint: [u8; 32],
    /// How long after its start an ended operation keeps its key, if less than the idempotency
    /// record is kept.
    pub key_lasts: Option<Duration>,
    /// Whether the caller does not wait.
    pub asynchronous: bool,
    /// When the request arrived; the time limit of a call starts here.
    pub arrived: Timestamp,
}

/// Proof that the operation's message is in the queue, so that it may be committed.
#[derive(Debug)]
pub struct Enqueued {
    intent: Intent,
    id: OperationId,
    at: Timestamp,
    known: Option<IdempotencyRecord>,
}

/// Why the message was not enqueued.
#[derive(Debug, thiserror::Error)]
pub enum EnqueueError {
    /// The queue did not accept the message.
    #[error("the operation could not be queued")]
    Queue(#[source] StoreError),
    /// Storage failed.
    #[error(transparent)]
    Store(StoreError),
}

/// The outcome of a request for an operation.
#[derive(Debug)]
pub enum Begun {
    /// The caller runs this attempt now, until the given instant.
    Run(Box<Attempt>, Timestamp),
    /// The processor runs it.
    Accepted {
        /// The operation as it was accepted, also if its status has changed since.
        operation: Operation,
        /// Whether an earlier request started it.
        replayed: bool,
    },
    /// An earlier request started it; this is its result.
    Finished(Value),
    /// An earlier request started this operation, which is still running.
    InProgress(OperationId),
    /// The key was used with another request.
    KeyReused,
    /// As many operations as the plan allows are pending or running.
    OverConcurrency,
    /// The month's credits do not cover it.
    OutOfCredits,
    /// An upload is no longer ready, or another operation has consumed it.
    UploadNotReady,
}

/// What a used key means for a request.
enum Known {
    Answer(Begun),
    /// The operation failed, or its key has expired: another operation may take the key over.
    Released(OperationId),
}

impl Workflow {
    /// Enqueues the operation's message and looks the key up, in parallel. A message whose
    /// operation is never committed is an orphan, which its receiver drops.
    pub async fn enqueue(&self, intent: Intent) -> Result<Enqueued, EnqueueError> {
        let id = OperationId::new(self.clock(), &**self.store.random());
        let delay = if intent.asynchronous { Duration::ZERO } else { self.deadlines.watchdog() };
        let message = OperationMessage { account_id: intent.account, operation_id: id };
        let (sent, known) = join(
            self.store.enqueue(message, delay),
            self.store.idempotency_record(intent.account, &intent.key),
        )
        .await;
        sent.map_err(EnqueueError::Queue)?;
        let known = known.map_err(EnqueueError::Store)?;
        Ok(Enqueued { intent, id, at: id.created_at(), known })
    }

    /// Commits the enqueued operation, or returns what its key already belongs to.
    ///
    /// `task` is used only if the key is free: a retry receives the first response even if what its
    /// request refers to is gone by then.
    pub async fn begin<E: From<StoreError>>(
        &self,
        enqueued: Enqueued,
        task: Result<Assignment, E>,
        admission: &Admission,
    ) -> Result<Begun, E> {
        let Enqueued { intent, id, at, mut known } = enqueued;
        let (mut task, mut replaces, mut changes) = (task, None, 0);
        loop {
            if let Some(record) = known.take() {
                match self.look_up(&intent, &record).await? {
                    Known::Answer(answer) => return Ok(answer),
                    Known::Released(failed) => replaces = Some(failed),
                }
            }
            let wanted = match task {
                Ok(wanted) => wanted,
                Err(error) => return self.answer_or(error, &intent).await,
            };
            let mut operation = self.new_operation(&intent, &wanted, id, at);
            operation.subscribed_events = admission.subscribed_events;
            let input =
                serde_json::to_vec(&wanted).map_err(|_| StoreError::Corrupt { what: "input" })?;
            let name = format!("{}/{id}/input", intent.account);
            let input = self.store.stage_body(input, Lifetime::Temporary, &name).await?;
            let new = NewOperation { operation, fingerprint: intent.fingerprint, input, replaces };
            let begins = wanted.task.begins().filter(|_| !intent.asynchronous);
            let (started, offset_index) = join(
                self.store.start(new, admission.allowance, at + START_BUDGET),
                self.offset_index(intent.account, begins),
            )
            .await;
            match started? {
                Started::Begun(operation) if intent.asynchronous => {
                    return Ok(Begun::Accepted { operation, replayed: false });
                }
                Started::Begun(operation) => {
                    let attempt = Attempt { operation, assignment: wanted, offset_index };
                    let until = intent.arrived + self.deadlines.call;
                    return Ok(Begun::Run(Box::new(attempt), until));
                }
                Started::OverConcurrency => return Ok(Begun::OverConcurrency),
                Started::OutOfCredits => return Ok(Begun::OutOfCredits),
                Started::UploadNotReady => return Ok(Begun::UploadNotReady),
                Started::KeyTaken(record) => {
                    changes += 1;
                    if changes == KEY_CHANGES {
                        return Ok(Begun::InProgress(record.operation));
                    }
                    known = Some(record);
                    task = Ok(wanted);
                }
            }
        }
    }

    /// The response to a request that cannot start: that of a concurrent retry with the same key,
    /// which may have consumed what the request refers to; otherwise the error.
    async fn answer_or<E: From<StoreError>>(&self, error: E, intent: &Intent) -> Result<Begun, E> {
        match self.store.idempotency_record(intent.account, &intent.key).await? {
            Some(record) => match self.look_up(intent, &record).await? {
                Known::Answer(answer) => Ok(answer),
                Known::Released(_) => Err(error),
            },
            None => Err(error),
        }
    }

    fn new_operation(
        &self,
        intent: &Intent,
        wanted: &Assignment,
        id: OperationId,
        at: Timestamp,
    ) -> Operation {
        let (status, attempt, started_at) = if intent.asynchronous {
            (Status::Pending, 0, None)
        } else {
            (Status::Running, 1, Some(at))
        };
        Operation {
            id,
            account: intent.account,
            kind: intent.kind,
            status,
            asynchronous: intent.asynchronous,
            attempt,
            lease_until: at + self.deadlines.call + Deadlines::SETTLING,
            started_at,
            completed_at: None,
            period: at.month_start(),
            idempotency: intent.key.clone(),
            problem: None,
            uploads: wanted.attachments.iter().map(|attachment| attachment.id).collect(),
            subscribed_events: EventKinds::NONE,
        }
    }

    async fn look_up(
        &self,
        intent: &Intent,
        record: &IdempotencyRecord,
    ) -> Result<Known, StoreError> {
        let account = intent.account;
        // The record outlives the key by far. If it is missing, its transaction is becoming
        // visible.
        let Some(found) = self.store.operation(account, record.operation).await? else {
            return Ok(Known::Answer(Begun::InProgress(record.operation)));
        };
        let operation = found.operation;
        let id = operation.id;
        // Only for ended operations: the input of a running one is in its idempotency record.
        let has_lapsed = operation.status.is_final()
            && intent.key_lasts.is_some_and(|lasts| id.created_at() + lasts <= intent.arrived);
        if operation.status == Status::Failed || has_lapsed {
            return Ok(Known::Released(id));
        }
        if record.fingerprint != intent.fingerprint {
            return Ok(Known::Answer(Begun::KeyReused));
        }
        if operation.asynchronous {
            return Ok(Known::Answer(Begun::Accepted { operation, replayed: true }));
        }
        if operation.status == Status::Succeeded {
            let result = found.body.as_deref().and_then(result_of);
            return Ok(Known::Answer(result.map_or(Begun::InProgress(id), Begun::Finished)));
        }
        // After the last attempt only the processor fails the operation.
        if operation.is_claimable(self.now()) && operation.attempt < MAX_ATTEMPTS {
            let lease = self.deadlines.call + Deadlines::SETTLING;
            if let Some(operation) = self.store.claim(account, id, lease).await?
                && let Some(assignment) = self.task_of(&operation).await?
            {
                let offset_index = self.offset_index(account, assignment.task.begins()).await;
                let attempt = Attempt { operation, assignment, offset_index };
                let deadline = intent.arrived + self.deadlines.call;
                return Ok(Known::Answer(Begun::Run(Box::new(attempt), deadline)));
            }
        }
        Ok(Known::Answer(Begun::InProgress(id)))
    }

    /// The input of an operation; `None` if it is no longer kept.
    pub(crate) async fn task_of(
        &self,
        operation: &Operation,
    ) -> Result<Option<Assignment>, StoreError> {
        let Some(input) = self.store.input(operation).await? else { return Ok(None) };
        serde_json::from_slice(&input).map(Some).map_err(|_| StoreError::Corrupt { what: "input" })
    }
}
