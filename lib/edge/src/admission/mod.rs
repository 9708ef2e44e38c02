//! The admission of a request: the account item admits it before the handler gets its input.

pub mod internal;
pub(crate) mod refusal_cache;
mod refusals;

use std::{future::Future, marker::PhantomData, sync::Arc};

use axum::extract::{FromRef, FromRequest, Request};
use domain::{AccountId, OperationId, Plan, Scopes, Timestamp};
use serde_json::Value;
use store::{
    accounts::{AccountError, TokenSubject},
    admission::{Admission, AdmissionError, Rate},
};

use crate::{
    ApiError, Code, Edge,
    authentication::{self, Credential},
    context::RequestContext,
    input::{Input, RawRequest},
    permission::Permission,
    response::error::Challenge,
};

use self::{
    internal::InternalRequest,
    refusal_cache::Refusal,
    refusals::{check_refusal_cache, recent_refusal, refuse_rate},
};

/// A request for a handler that requires the scopes `S` and reads the input `I`.
///
/// Its content is reachable only through [`Call::admit`] or [`Call::admit_with`], so a handler
/// cannot forget the account item. Errors are reported in the order in which a caller can fix them:
/// credential (401), rate (429), scope and suspension (403), then every problem of the input (400).
#[derive(Debug)]
pub struct Call<S, I> {
    edge: Edge,
    context: Arc<RequestContext>,
    credential: Credential,
    input: Result<I, ApiError>,
    sent: Sent,
    required: PhantomData<S>,
}

/// What a request has sent, be its form right or wrong.
#[derive(Debug)]
pub struct Sent {
    /// Its account.
    pub account: AccountId,
    /// The text of `{id}` in its path; empty if there is none.
    pub id: String,
    /// Its body or its query as JSON; null if it has none that can be read.
    pub content: Value,
}

/// The caller, as admitted by the account item.
#[derive(Clone, Debug)]
pub struct Caller {
    /// What the account item returned.
    pub admission: Admission,
    /// The presented credential.
    pub credential: Credential,
    context: Arc<RequestContext>,
}

impl Caller {
    /// The account that owns everything the request touches.
    pub fn account(&self) -> AccountId {
        self.admission.account
    }

    /// Computes something on an input of so many characters that is no operation. Meanwhile it takes the place of one
    /// among those that the plan allows at once.
    ///
    /// # Errors
    ///
    /// The places are taken, or the input takes more work than its length allows.
    pub async fn compute<T: Send + 'static>(
        &self,
        characters: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let Admission { allowance, credits, .. } = &self.admission;
        let free = allowance.concurrent_operations.saturating_sub(credits.running);
        let _place = compute::place(self.account(), free)
            .ok_or_else(|| ApiError::over_concurrency(&self.admission))?;
        let computed =
            compute::run(self.account(), compute::steps(characters), async move { work() });
        computed.await.map_err(ApiError::from)
    }

    /// Records the operation that the request started or repeated, for the log and progress.
    pub fn started(&self, operation: OperationId) {
        self.context.operation.send_replace(Some(operation));
    }
}

impl<S: Permission, I: Input> Call<S, I> {
    /// When the request arrived, before any of it was read.
    pub fn arrived(&self) -> Timestamp {
        self.context.started_at
    }

    /// Refuses what `check` finds in what was sent. It runs even if the schema has found problems, so that one response
    /// names all.
    pub fn check<P: IntoIterator<Item = ApiError>>(
        mut self,
        check: impl FnOnce(&Sent) -> P,
    ) -> Self {
        if let Some(problems) = self.examine(check) {
            self.input = Err(problems);
        }
        self
    }

    /// As [`Call::check`], but leaves what `check` finds in an input of the right form to the caller, who may find more.
    pub fn examine<P: IntoIterator<Item = ApiError>>(
        &mut self,
        check: impl FnOnce(&Sent) -> P,
    ) -> Option<ApiError> {
        let found = ApiError::all(check(&self.sent))?;
        match &mut self.input {
            Ok(_) => return Some(found),
            Err(problems) => *problems = problems.clone().and(found),
        }
        None
    }

    /// What was sent.
    pub fn sent(&self) -> &Sent {
        &self.sent
    }

    /// Asks the account item, then returns the input.
    pub async fn admit(self) -> Result<(Caller, I), ApiError> {
        self.admit_with(|_, input| async { Ok(input) }).await
    }

    /// Asks the account item while `work` already runs. The result of `work` is used only if the
    /// request is admitted, so `work` must not change anything. It does not run for an access token
    /// that lacks a scope.
    pub async fn admit_with<T, F>(
        self,
        work: impl FnOnce(AccountId, I) -> F,
    ) -> Result<(Caller, T), ApiError>
    where
        F: Future<Output = Result<T, ApiError>>,
    {
        let Self { edge, context, credential, input, sent, .. } = self;
        drop(sent);
        let authorizing = authorize::<S>(&edge, &context, &credential);
        let (admitted, found) = match input {
            Ok(_) if is_token_without_scopes::<S>(&credential) => {
                (authorizing.await, Err(insufficient_scope::<S>()))
            }
            Ok(input) => tokio::join!(authorizing, work(credential.account(), input)),
            Err(problems) => (authorizing.await, Err(problems)),
        };
        let admission = admitted?;
        Ok((Caller { admission, credential, context }, found?))
    }
}

/// Asks the account item. A subject that is new gets an account, if its token allows the request;
/// concurrent first requests find the account created.
async fn admit<S: Permission>(
    edge: &Edge,
    context: &RequestContext,
    credential: &Credential,
) -> Result<Admission, AdmissionError> {
    let (store, presented) = (edge.store(), credential.presented());
    let admitted = store.admit(&presented, edge.limits()).await;
    let (Err(AdmissionError::UnknownAccount), Credential::AccessToken(token)) =
        (&admitted, credential)
    else {
        return admitted;
    };
    if !may_create_account::<S>(context, credential) {
        return admitted;
    }
    let subject = &token.claims.subject;
    let token_subject =
        TokenSubject { issuer: subject.issuer.clone(), subject: subject.name.clone() };
    let (name, plan) = (&token.claims.name, Plan::Free);
    match store.create_account_of(token.account, name, plan, &token_subject).await {
        Err(AccountError::Store(error)) => return Err(error.into()),
        Ok(()) | Err(AccountError::Exists | AccountError::NoRoomForKey) => {}
    }
    store.admit(&presented, edge.limits()).await
}

/// One check by the account item: live key, rate, suspension, scopes.
async fn authorize<S: Permission>(
    edge: &Edge,
    context: &RequestContext,
    credential: &Credential,
) -> Result<Admission, ApiError> {
    let remember =
        |refusal| edge.refusals().insert(credential.refusal_key(), refusal, edge.clock().now());
    let admission = admit::<S>(edge, context, credential).await.map_err(|error| match error {
        AdmissionError::UnknownKey => {
            remember(Refusal::UnknownKey);
            ApiError::new(Code::InvalidCredentials)
        }
        AdmissionError::UnknownAccount if may_create_account::<S>(context, credential) => {
            ApiError::new(Code::InternalError).caused_by(error)
        }
        AdmissionError::UnknownAccount => {
            remember(Refusal::UnknownAccount);
            without_account::<S>(edge, context)
        }
        AdmissionError::Store(error) => error.into(),
    })?;
    let rate = admission.rate;
    if rate.is_exceeded() {
        remember(Refusal::Rate(rate));
        return Err(refuse_rate(edge, context, admission.account, rate));
    }
    let _ = context.account.set(admission.account);
    let _ = context.rate.set(rate);
    if admission.suspended {
        return Err(ApiError::new(Code::AccountSuspended));
    }
    if has_required_scopes::<S>(admission.scopes) {
        Ok(admission)
    } else {
        Err(insufficient_scope::<S>())
    }
}

/// Whether this request may create an account: only if its token allows the request. A request that
/// requires no scope may carry a message of another protocol; then the token needs at least one.
fn may_create_account<S: Permission>(context: &RequestContext, credential: &Credential) -> bool {
    match credential {
        Credential::AccessToken(token) => {
            let scopes = token.claims.scopes;
            has_required_scopes::<S>(scopes)
                && (context.resource.get().is_none() || scopes != Scopes::NONE)
        }
        Credential::ApiKey(_) => false,
    }
}

/// Whether these scopes are sufficient.
fn has_required_scopes<S: Permission>(scopes: Scopes) -> bool {
    S::required().iter().all(|scope| scopes.contains(scope))
}

/// Whether the credential itself shows that the request will be refused.
fn is_token_without_scopes<S: Permission>(credential: &Credential) -> bool {
    matches!(credential, Credential::AccessToken(token) if !has_required_scopes::<S>(token.claims.scopes))
}

/// The response to a subject that has no account, and gets none by this request. Without an account
/// nothing is counted.
fn without_account<S: Permission>(edge: &Edge, context: &RequestContext) -> ApiError {
    let allowance = edge.limits().allowance(Plan::Free);
    let _ = context.rate.set(Rate::untouched(allowance, edge.clock().now()));
    insufficient_scope::<S>()
}

/// The response to a credential that lacks a scope.
fn insufficient_scope<S: Permission>() -> ApiError {
    let required = S::required();
    if required == Scopes::NONE {
        return ApiError::new(Code::InsufficientScope)
            .with_message("The access token grants no scope of this service.")
            .with_challenge(Challenge::insufficient_scope(String::new()));
    }
    let names: Vec<_> = required.iter().map(domain::Scope::as_str).collect();
    let names = names.join(" ");
    ApiError::new(Code::InsufficientScope)
        .with_message(format!("This operation requires the scope {names}."))
        .with_challenge(Challenge::insufficient_scope(names))
}

impl<S, I, St> FromRequest<St> for Call<S, I>
where
    S: Permission,
    I: Input,
    St: Send + Sync,
    Edge: FromRef<St>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &St) -> Result<Self, ApiError> {
        let edge = Edge::from_ref(state);
        let context = request.extensions().get::<Arc<RequestContext>>().cloned();
        let context = context.ok_or_else(|| ApiError::new(Code::InternalError))?;
        let credential = match request.extensions().get::<InternalRequest>() {
            Some(internal) => internal.credential().clone(),
            None => authentication::credential(request.headers(), &edge).await?,
        };
        // Before the body is read: many refused requests must cost as little as possible.
        check_refusal_cache(&edge, &context, &credential)?;
        if matches!(recent_refusal(&edge, &credential), Some(Refusal::UnknownAccount))
            && !may_create_account::<S>(&context, &credential)
        {
            return Err(without_account::<S>(&edge, &context));
        }
        let mut raw = RawRequest::of(request, I::READS_BODY).await;
        let input = I::read(&mut raw);
        let (account, id) = (credential.account(), raw.id().to_owned());
        let sent = Sent { account, id, content: raw.content };
        Ok(Self { edge, context, credential, input, sent, required: PhantomData })
    }
}
