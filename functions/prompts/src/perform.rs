//! What all AI operations share: admit, start, run, respond.

use std::future::Future;

use axum::response::{IntoResponse, Response};
use domain::{AccountId, Kind, Timestamp};
use edge::{
    ApiError, Call, Code, Data, Detail, Sent,
    input::idempotency,
    input::{Body, IdempotencyKey, Input, Prefer, RESPOND_ASYNC},
    middleware::{IDEMPOTENT_REPLAYED, PREFERENCE_APPLIED},
    permission::Permission,
    response::OperationObject,
};
use http::{HeaderValue, StatusCode, header};
use serde_json::Value;
use store::{StoreError, accounts::storage::QuotaError};
use workflow::{Assignment, Attempt, Begun, Deadlines, Intent, Run, Waited, Workflow};

use crate::{Prompts, uploads};

/// `Retry-After` for an operation that is still running, in seconds.
const POLL_INTERVAL: u64 = 2;
/// `Retry-After` while the service is overloaded, in seconds.
const OVERLOAD_INTERVAL: u64 = 5;
/// `Retry-After` for an operation that the processor finishes, in seconds.
const PROCESSOR_INTERVAL: u64 = 10;

/// A request body for an AI operation.
pub(crate) trait Request: Send {
    /// What is wrong with it, as far as nothing has to be looked up.
    fn check(workflow: &Workflow, sent: &Sent) -> Vec<ApiError>;

    /// The task, once everything that it refers to is found.
    fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> impl Future<Output = Result<Assignment, ApiError>> + Send;

    /// The kind of the operation.
    const KIND: Kind;
}

/// A request for an operation, from any form of input.
pub(crate) struct Asked<R> {
    /// The idempotency key.
    pub key: IdempotencyKey,
    /// Whether the caller waits for the result.
    pub prefer: Prefer,
    /// SHA-256 of the request.
    pub fingerprint: [u8; 32],
    /// The request body.
    pub request: R,
}

/// The input of a call that starts an AI operation.
pub(crate) trait IntoOperationRequest: Input {
    /// The request body in it.
    type Request: Send;

    /// The request for an operation.
    fn into_operation_request(self) -> Asked<Self::Request>;
}

impl<R: Send> IntoOperationRequest for (IdempotencyKey, Prefer, Body<R>)
where
    Self: Input,
{
    type Request = R;

    fn into_operation_request(self) -> Asked<R> {
        let (key, prefer, body) = self;
        Asked { key, prefer, fingerprint: body.fingerprint, request: body.value }
    }
}

/// The response of an AI operation.
#[derive(Debug)]
pub enum Performed {
    /// It has succeeded.
    Completed {
        /// Its result.
        result: Value,
        /// Whether an earlier request gave the result.
        replayed: bool,
    },
    /// It goes on without the caller.
    Accepted {
        /// The operation, as the caller sees it.
        operation: Box<OperationObject>,
        /// Its URL.
        location: String,
        /// Whether an earlier request started it.
        replayed: bool,
    },
}

impl IntoResponse for Performed {
    fn into_response(self) -> Response {
        let (mut response, replayed) = match self {
            Performed::Completed { result, replayed } => {
                (Data::new(result).into_response(), replayed)
            }
            Performed::Accepted { operation, location, replayed } => {
                let mut data = Data::new(operation).with_status(StatusCode::ACCEPTED);
                if let Ok(location) = HeaderValue::from_str(&location) {
                    data.headers.insert(header::LOCATION, location);
                }
                let applied = HeaderValue::from_static(RESPOND_ASYNC);
                data.headers.insert(PREFERENCE_APPLIED, applied);
                (data.into_response(), replayed)
            }
        };
        if replayed {
            let yes = HeaderValue::from_static("true");
            response.headers_mut().insert(IDEMPOTENT_REPLAYED, yes);
        }
        response
    }
}

impl Prompts {
    /// Performs the operation that a call requests.
    pub(crate) async fn perform<S: Permission, I: IntoOperationRequest<Request: Request>>(
        &self,
        call: Call<S, I>,
    ) -> Result<Performed, ApiError> {
        let check = |sent: &Sent| I::Request::check(&self.workflow, sent);
        let into_task = |request: I::Request, account| request.into_task(&self.workflow, account);
        self.perform_as(call, I::Request::KIND, check, into_task).await
    }

    /// Performs an operation of the kind `kind`, whose task `into_task` makes of the request, unless `check` refuses it.
    pub(crate) async fn perform_as<S: Permission, I: IntoOperationRequest, F>(
        &self,
        mut call: Call<S, I>,
        kind: Kind,
        check: impl FnOnce(&Sent) -> Vec<ApiError>,
        into_task: impl FnOnce(I::Request, AccountId) -> F,
    ) -> Result<Performed, ApiError>
    where
        F: Future<Output = Result<Assignment, ApiError>> + Send,
    {
        let arrived = call.arrived();
        let uploads = uploads::of_body(&call.sent().content);
        let invalid = call.examine(check);
        let (caller, (intent, known, task)) = call
            .admit_with(|account, input| async move {
                let asked = input.into_operation_request();
                let intent = Intent {
                    account,
                    kind,
                    key: idempotency::key_hash(kind, &asked.key.text),
                    fingerprint: asked.fingerprint,
                    key_lasts: asked.key.lifetime,
                    asynchronous: asked.prefer.respond_async,
                    arrived,
                };
                let (known, task) = tokio::join!(
                    self.workflow.key_record(&intent),
                    into_task(asked.request, account),
                );
                let task = ApiError::both(invalid.map_or(Ok(()), Err), task);
                Ok((intent, known?, task.map(|((), task)| task)))
            })
            .await?;
        let begun = self.workflow.begin(intent, known, task, &caller.admission).await?;
        match begun {
            Begun::Run(attempt, deadline) => {
                caller.started(attempt.operation.id);
                self.run(*attempt, deadline).await
            }
            Begun::Wait(waiting) => {
                caller.started(waiting.operation);
                match self.workflow.wait(waiting).await {
                    Ok(Waited::Claimed(attempt, deadline)) => self.run(*attempt, deadline).await,
                    Ok(Waited::Over(run)) => answer_to(Ok(run)),
                    Err(error) => answer_to(Err(error)),
                }
            }
            Begun::Accepted { operation, replayed } => {
                let operation = OperationObject::as_accepted(&operation);
                let location = format!("{}/operations/{}", self.edge.base_url(), operation.id);
                Ok(Performed::Accepted { operation: Box::new(operation), location, replayed })
            }
            Begun::Finished(result) => Ok(Performed::Completed { result, replayed: true }),
            Begun::InProgress(id) => {
                caller.started(id);
                Err(ApiError::new(Code::IdempotencyInProgress).with_retry_after(POLL_INTERVAL))
            }
            Begun::KeyReused => Err(ApiError::new(Code::IdempotencyKeyReused)),
            Begun::OverConcurrency => Err(ApiError::over_concurrency(&caller.admission)),
            Begun::UploadsNotReady(stand) => {
                Err(uploads::taken(&uploads, &stand, self.edge.clock().now()))
            }
            Begun::Overloaded => Err(ApiError::new(Code::ProviderUnavailable)
                .with_message("The service is overloaded, and nothing was started; try again.")
                .with_retry_after(OVERLOAD_INTERVAL)),
            Begun::NotEnqueued(error) => {
                Err(ApiError::new(Code::QueueUnavailable).caused_by(error))
            }
            Begun::OutOfStorage => {
                let limit = caller.admission.allowance.stored_bytes;
                Err(QuotaError::Bytes { limit }.into())
            }
            Begun::OutOfCredits => {
                let renewal = self.edge.clock().now().next_month_start();
                Err(ApiError::new(Code::CreditsExhausted).with_message(format!(
                    "The credits left this month do not cover this operation; the next ones are there at {renewal}."
                )))
            }
        }
    }

    /// Runs an attempt to its end, even if the caller disconnects.
    async fn run(&self, attempt: Attempt, deadline: Timestamp) -> Result<Performed, ApiError> {
        let workflow = self.workflow.clone();
        let running = tokio::spawn(async move { workflow.run(&attempt, deadline).await });
        let over = self.edge.clock().sleep_until(deadline + Deadlines::ANSWERING);
        let ended = tokio::select! {
            ended = running => ended,
            // A slow settlement, or work without await points such as decoding images, goes on
            // without the caller as long as the process runs. The processor finishes what it stops.
            () = over => return Err(out_of_time()),
        };
        // The message of a panic may quote what a user wrote; the log has its place.
        answer_to(ended.map_err(|_| ApiError::new(Code::InternalError))?)
    }
}

/// The response to a call whose operation ran, or has to be finished by the processor: its message was sent when it
/// started.
fn answer_to(ran: Result<Run, StoreError>) -> Result<Performed, ApiError> {
    match ran {
        Ok(Run::Succeeded(result)) => Ok(Performed::Completed { result, replayed: false }),
        Ok(Run::Failed(failure)) => Err(failed(failure)),
        Ok(Run::OutOfTime | Run::Superseded) => Err(out_of_time()),
        Err(error) if error.is_transient() => Err(out_of_time().caused_by(error)),
        Err(error) => Err(error.into()),
    }
}

fn out_of_time() -> ApiError {
    ApiError::new(Code::ProviderTimeout).with_retry_after(PROCESSOR_INTERVAL)
}

/// The error response for an operation that failed.
fn failed(domain::Failure { problem, lost, retry_after }: domain::Failure) -> ApiError {
    let code = Code::ALL.iter().find(|code| code.as_str() == problem.code);
    let details = lost.into_iter().map(|loss| Detail::new(loss.path, loss.message));
    let failure = ApiError::new(code.copied().unwrap_or(Code::InternalError))
        .with_message(problem.message)
        .with_details(details.collect());
    match retry_after {
        Some(wait) => failure.with_retry_after(wait.as_secs()),
        None => failure,
    }
}
