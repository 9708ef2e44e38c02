//! The start of an operation: enqueue first, commit second.

use std::time::Duration;

use domain::{
    AccountId, EventKinds, Kind, Operation, OperationId, Status, Timestamp, Upload,
    operation::{MAX_ATTEMPTS, NO_LEASE},
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
    Attempt, Deadlines, Waiting, Workflow,
    task::{Assignment, result_of},
    wait::CLAIMING_ENDS,
};

/// Time limit of a start from the creation of its identifier; later it is not committed. The
/// processor drops an orphan message only long after this.
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

/// Proof that the message of the operation with this identifier is in the queue, so that it may be
/// committed.
struct Enqueued(OperationId);

/// The outcome of a request for an operation.
#[derive(Debug)]
pub enum Begun {
    /// The caller runs this attempt now, until the given instant.
    Run(Box<Attempt>, Timestamp),
    /// The processor runs it, and the caller waits for its end.
    Wait(Waiting),
    /// The processor runs it, and the caller goes away.
    Accepted {
        /// The operation as it was accepted, also if its status has changed since.
        operation: Box<Operation>,
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
    /// The account keeps as many bytes as it may, and the result would be kept, too.
    OutOfStorage,
    /// Uploads are no longer ready, or another operation has consumed them: what they are.
    UploadsNotReady(Vec<Upload>),
    /// Storage is so slow that the operation would end too late; nothing is started.
    Overloaded,
    /// The queue did not accept the operation's message; nothing is started.
    NotEnqueued(StoreError),
}

/// What a used key means for a request.
enum Known {
    Answer(Begun),
    /// The operation failed, or its key has expired: another operation may take the key over.
    Released(OperationId),
}

/// The limit that refuses an operation by the figures of the request's admission. The transaction
/// checks concurrency and credits again; results may exceed the stored bytes by what runs at once.
fn over_limit(kind: Kind, admission: &Admission) -> Option<Begun> {
    let Admission { allowance, credits, storage, .. } = admission;
    if kind.is_kept_in_history() && storage.is_full(allowance) {
        return Some(Begun::OutOfStorage);
    }
    if credits.running >= allowance.concurrent_operations {
        return Some(Begun::OverConcurrency);
    }
    let committed = credits.used.saturating_add(credits.held).saturating_add(kind.credits());
    (committed > allowance.monthly_credits).then_some(Begun::OutOfCredits)
}

impl Workflow {
    /// The record of an intent's key, to be read beside the admission of its request.
    pub async fn key_record(
        &self,
        intent: &Intent,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        self.store.idempotency_record(intent.account, &intent.key).await
    }

    /// Enqueues and commits the operation, or returns what its key, `known`, already belongs to.
    ///
    /// Only an admitted request may come here, and one that its account's limits refuse enqueues
    /// nothing: each message without an operation costs the processor several receives. `task` is
    /// used only if the key is free: a retry receives the first response even if what its request
    /// refers to is gone by then.
    pub async fn begin<E: From<StoreError>>(
        &self,
        intent: Intent,
        mut known: Option<IdempotencyRecord>,
        mut task: Result<Assignment, E>,
        admission: &Admission,
    ) -> Result<Begun, E> {
        let (mut enqueued, mut replaces, mut changes) = (None, None, 0);
        loop {
            if let Some(record) = known.take() {
                match self.look_up(&intent, &record).await? {
                    Known::Answer(answer) => return Ok(answer),
                    Known::Released(failed) => replaces = Some(failed),
                }
            }
            let wanted = match task {
                Ok(wanted) => wanted,
                Err(error) => return self.answered(&intent).await?.ok_or(error),
            };
            let Enqueued(id) = match enqueued {
                Some(enqueued) => enqueued,
                None => {
                    if let Some(refused) = over_limit(intent.kind, admission) {
                        return Ok(self.answered(&intent).await?.unwrap_or(refused));
                    }
                    if self.store.is_overloaded() {
                        return Ok(Begun::Overloaded);
                    }
                    match self.enqueue(&intent).await {
                        Ok(enqueued) => enqueued,
                        Err(error) => return Ok(Begun::NotEnqueued(error)),
                    }
                }
            };
            let at = id.created_at();
            let mut operation = self.new_operation(&intent, &wanted, id);
            operation.subscribed_events = admission.subscribed_events;
            let input =
                serde_json::to_vec(&wanted).map_err(|_| StoreError::Corrupt { what: "input" })?;
            let name = format!("{}/{id}/input", intent.account);
            let input = self.store.stage_body(input, Lifetime::Temporary, &name).await?;
            let new = NewOperation { operation, fingerprint: intent.fingerprint, input, replaces };
            let begins = wanted.task.begins().filter(|_| !self.leaves_to_processor(&intent));
            let (started, offset_index) = join(
                self.store.start(new, admission.allowance, at + START_BUDGET),
                self.offset_index(intent.account, begins),
            )
            .await;
            match started? {
                Started::Begun(operation) if intent.asynchronous => {
                    return Ok(Begun::Accepted { operation: Box::new(operation), replayed: false });
                }
                Started::Begun(_) if self.asks_model() => {
                    return Ok(Begun::Wait(Waiting::of(&intent, id)));
                }
                Started::Begun(operation) => {
                    let attempt = Attempt { operation, assignment: wanted, offset_index };
                    let until = intent.arrived + self.deadlines.call;
                    return Ok(Begun::Run(Box::new(attempt), until));
                }
                Started::OverConcurrency => return Ok(Begun::OverConcurrency),
                Started::OutOfCredits => return Ok(Begun::OutOfCredits),
                Started::UploadsNotReady(uploads) => return Ok(Begun::UploadsNotReady(uploads)),
                Started::KeyTaken(record) => {
                    changes += 1;
                    if changes == KEY_CHANGES {
                        return Ok(Begun::InProgress(record.operation));
                    }
                    (known, enqueued, task) = (Some(record), Some(Enqueued(id)), Ok(wanted));
                }
            }
        }
    }

    /// Whether the call does not run its operation itself: nobody waits, or a language model may take longer than the
    /// call has, and would then be asked once more.
    fn leaves_to_processor(&self, intent: &Intent) -> bool {
        intent.asynchronous || self.asks_model()
    }

    /// Sends the operation's message. If the operation is never committed, its receiver drops it.
    async fn enqueue(&self, intent: &Intent) -> Result<Enqueued, StoreError> {
        let id = OperationId::new(self.clock(), &**self.store.random());
        let delay = match self.leaves_to_processor(intent) {
            true => Duration::ZERO,
            false => self.deadlines.watchdog(),
        };
        let message = OperationMessage { account_id: intent.account, operation_id: id };
        self.store.enqueue(message, delay).await?;
        Ok(Enqueued(id))
    }

    /// The response to a request that cannot start, if a concurrent one with the same key has: it
    /// may have consumed what the request refers to, or its limits.
    async fn answered(&self, intent: &Intent) -> Result<Option<Begun>, StoreError> {
        let Some(record) = self.key_record(intent).await? else { return Ok(None) };
        Ok(match self.look_up(intent, &record).await? {
            Known::Answer(answer) => Some(answer),
            Known::Released(_) => None,
        })
    }

    fn new_operation(&self, intent: &Intent, wanted: &Assignment, id: OperationId) -> Operation {
        let at = id.created_at();
        let (attempt, lease_until) = match self.leaves_to_processor(intent) {
            true => (0, NO_LEASE),
            false => (1, at + self.deadlines.call + Deadlines::SETTLING),
        };
        Operation {
            id,
            account: intent.account,
            kind: intent.kind,
            status: if intent.asynchronous { Status::Pending } else { Status::Running },
            asynchronous: intent.asynchronous,
            attempt,
            lease_until,
            started_at: (!intent.asynchronous).then_some(at),
            completed_at: None,
            period: at.month_start(),
            idempotency: intent.key.clone(),
            problem: None,
            uploads: wanted.attachments.iter().map(|attachment| attachment.id).collect(),
            subscribed_events: EventKinds::NONE,
            model_usage: Vec::new(),
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
            let operation = Box::new(operation);
            return Ok(Known::Answer(Begun::Accepted { operation, replayed: true }));
        }
        if operation.status == Status::Succeeded {
            let result = found.body.as_deref().and_then(result_of);
            return Ok(Known::Answer(result.map_or(Begun::InProgress(id), Begun::Finished)));
        }
        // The call that started it may be about to run it.
        let is_new = operation.attempt == 0 && self.now() < id.created_at() + CLAIMING_ENDS;
        if self.asks_model() && operation.is_claimable(self.now()) && !is_new {
            return Ok(Known::Answer(Begun::Wait(Waiting::of(intent, id))));
        }
        if !self.asks_model()
            && let Some(attempt) = self.take_over(&operation).await?
        {
            let deadline = intent.arrived + self.deadlines.call;
            return Ok(Known::Answer(Begun::Run(Box::new(attempt), deadline)));
        }
        Ok(Known::Answer(Begun::InProgress(id)))
    }

    /// Begins an attempt of a call at an operation, unless another attempt is under way. `None` also after the last
    /// attempt: only the processor fails the operation.
    pub(crate) async fn take_over(
        &self,
        operation: &Operation,
    ) -> Result<Option<Attempt>, StoreError> {
        if operation.attempt >= MAX_ATTEMPTS || !operation.is_claimable(self.now()) {
            return Ok(None);
        }
        let lease = self.deadlines.call + Deadlines::SETTLING;
        let claimed = self.store.claim(operation.account, operation.id, lease).await?;
        let Some(operation) = claimed else { return Ok(None) };
        let Some(assignment) = self.task_of(&operation).await? else { return Ok(None) };
        let offset_index = self.offset_index(operation.account, assignment.task.begins()).await;
        Ok(Some(Attempt { operation, assignment, offset_index }))
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
