//! A call on its way to a handler: authority and input, opened by the account's gate.

use std::{future::Future, marker::PhantomData, sync::Arc};

use axum::extract::{FromRef, FromRequest, Request};
use domain::{AccountId, OperationId, Plan, Scopes, Timestamp};
use store::{
    accounts::{AccountError, Holder},
    gate::{Admission, GateError, Rate},
};

use crate::{
    Code, Edge, Failure,
    auth::{self, Credential},
    exchange::Exchange,
    failure::Challenge,
    flood::Refusal,
    input::{self, Input, Problems, Raw},
    permission::Permission,
    within::Within,
};

/// A request for a handler that requires the scopes `S` and reads the input `I`.
///
/// Nothing of it can be reached but through [`Call::admit`] or [`Call::admit_with`], so a handler
/// cannot forget the gate. Problems are told in the order in which a caller can mend them:
/// credential (401), rate (429), scope and suspension (403), then every problem of the input (400).
#[derive(Debug)]
pub struct Call<S, I> {
    edge: Edge,
    exchange: Arc<Exchange>,
    credential: Credential,
    input: Result<I, Problems>,
    required: PhantomData<S>,
}

/// Who calls, as the gate knows them.
#[derive(Clone, Debug)]
pub struct Caller {
    /// What the gate says.
    pub admission: Admission,
    /// What they presented.
    pub credential: Credential,
    exchange: Arc<Exchange>,
}

impl Caller {
    /// The account that everything belongs to.
    pub fn account(&self) -> AccountId {
        self.admission.account
    }

    /// Notes that their request has an operation, which is begun by now; by it or by one that it repeats.
    pub fn has_begun(&self, operation: OperationId) {
        self.exchange.operation.send_replace(Some(operation));
    }
}

impl<S: Permission, I: Input> Call<S, I> {
    /// When the request arrived, before anything of it was looked at.
    pub fn arrived(&self) -> Timestamp {
        self.exchange.began
    }

    /// Asks the gate, then hands out the input.
    pub async fn admit(self) -> Result<(Caller, I), Failure> {
        self.admit_with(|_, input| async { Ok(input) }).await
    }

    /// Asks the gate while `work` is already under way. What `work` finds is used only if the gate
    /// agrees; it must therefore change nothing that counts.
    pub async fn admit_with<T, F>(
        self,
        work: impl FnOnce(AccountId, I) -> F,
    ) -> Result<(Caller, T), Failure>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let Self { edge, exchange, credential, input, .. } = self;
        let passing = pass::<S>(&edge, &exchange, &credential);
        let (admitted, found) = match input {
            Ok(input) => tokio::join!(passing, work(credential.account(), input)),
            Err(problems) => (passing.await, Err(problems.into())),
        };
        let admission = admitted?;
        Ok((Caller { admission, credential, exchange }, found?))
    }
}

/// The answer to a credential that the gate does not let pass.
fn refuse(edge: &Edge, exchange: &Exchange, account: AccountId, refusal: Refusal) -> Failure {
    match refusal {
        Refusal::UnknownKey => Failure::new(Code::InvalidCredentials),
        Refusal::Rate(rate) => {
            let _ = exchange.account.set(account);
            let _ = exchange.rate.set(rate);
            Failure::new(Code::RateLimited).retry_in(rate.seconds_left(edge.clock().now()))
        }
    }
}

/// Repeats what the gate said a moment ago, if it refused.
pub(crate) fn remembered(
    edge: &Edge,
    exchange: &Exchange,
    credential: &Credential,
) -> Result<(), Failure> {
    match edge.flood().refusal(credential.presenter(), edge.clock().now()) {
        Some(refusal) => Err(refuse(edge, exchange, credential.account(), refusal)),
        None => Ok(()),
    }
}

/// Asks the gate. A subject that is seen for the first time gets an account, if they may do what they ask
/// for; who else sees them at the same moment finds it made.
async fn admit<S: Permission>(
    edge: &Edge,
    exchange: &Exchange,
    credential: &Credential,
) -> Result<Admission, GateError> {
    let (store, presented) = (edge.store(), credential.presented());
    let admitted = store.admit(&presented, edge.caps()).await;
    let (Err(GateError::UnknownAccount), Credential::AccessToken(token)) = (&admitted, credential)
    else {
        return admitted;
    };
    if !may_begin::<S>(exchange, credential) {
        return admitted;
    }
    let subject = &token.grant.subject;
    let holder = Holder { issuer: subject.issuer.clone(), subject: subject.name.clone() };
    let (name, plan) = (&token.grant.name, Plan::Free);
    match store.create_account_of(token.account, name, plan, &holder).await {
        Err(AccountError::Store(error)) => return Err(error.into()),
        Ok(()) | Err(AccountError::Exists | AccountError::NoRoomForKey) => {}
    }
    store.admit(&presented, edge.caps()).await
}

/// One passage through the gate: live key, rate, suspension, scopes.
async fn pass<S: Permission>(
    edge: &Edge,
    exchange: &Exchange,
    credential: &Credential,
) -> Result<Admission, Failure> {
    let refuse = |refusal| {
        edge.flood().remember(credential.presenter(), refusal, edge.clock().now());
        refuse(edge, exchange, credential.account(), refusal)
    };
    let admission = admit::<S>(edge, exchange, credential).await.map_err(|error| match error {
        GateError::UnknownKey => refuse(Refusal::UnknownKey),
        GateError::UnknownAccount if may_begin::<S>(exchange, credential) => {
            Failure::new(Code::InternalError).because(error)
        }
        // Nothing is counted for whoever has no account.
        GateError::UnknownAccount => {
            let allowance = edge.caps().allowance(Plan::Free);
            let _ = exchange.rate.set(Rate::untouched(allowance, edge.clock().now()));
            insufficient::<S>()
        }
        GateError::Store(error) => error.into(),
    })?;
    let rate = admission.rate;
    if rate.is_exceeded() {
        return Err(refuse(Refusal::Rate(rate)));
    }
    let _ = exchange.account.set(admission.account);
    let _ = exchange.rate.set(rate);
    if admission.suspended {
        return Err(Failure::new(Code::AccountSuspended));
    }
    if suffices::<S>(admission.scopes) { Ok(admission) } else { Err(insufficient::<S>()) }
}

/// Whether this may be the first request of an account: one that its token allows. What takes no scope here may
/// ask for none because it stands for a message of another protocol; there, some scope is needed.
fn may_begin<S: Permission>(exchange: &Exchange, credential: &Credential) -> bool {
    match credential {
        Credential::AccessToken(token) => {
            let scopes = token.grant.scopes;
            suffices::<S>(scopes) && (exchange.resource.get().is_none() || scopes != Scopes::NONE)
        }
        Credential::ApiKey(_) => false,
    }
}

/// Whether these scopes are all that is required.
fn suffices<S: Permission>(scopes: Scopes) -> bool {
    S::required().iter().all(|scope| scopes.contains(scope))
}

/// The answer to a credential that lacks a scope.
fn insufficient<S: Permission>() -> Failure {
    let required = S::required();
    if required == Scopes::NONE {
        return Failure::new(Code::InsufficientScope)
            .saying("The access token grants no scope of this service.")
            .challenging(Challenge::InsufficientScope(String::new()));
    }
    let names: Vec<_> = required.iter().map(domain::Scope::as_str).collect();
    let names = names.join(" ");
    Failure::new(Code::InsufficientScope)
        .saying(format!("This operation requires the scope {names}."))
        .challenging(Challenge::InsufficientScope(names))
}

impl<S, I, St> FromRequest<St> for Call<S, I>
where
    S: Permission,
    I: Input,
    St: Send + Sync,
    Edge: FromRef<St>,
{
    type Rejection = Failure;

    async fn from_request(request: Request, state: &St) -> Result<Self, Failure> {
        let edge = Edge::from_ref(state);
        let exchange = request.extensions().get::<Arc<Exchange>>().cloned();
        let exchange = exchange.ok_or_else(|| Failure::new(Code::InternalError))?;
        let credential = match request.extensions().get::<Within>() {
            Some(within) => within.credential().clone(),
            None => auth::credential(request.headers(), &edge).await?,
        };
        // Before the body is read: a flood shall cost as little as it can.
        remembered(&edge, &exchange, &credential)?;
        let input = input::read(&Raw::of(request, I::READS_BODY).await);
        Ok(Self { edge, exchange, credential, input, required: PhantomData })
    }
}
