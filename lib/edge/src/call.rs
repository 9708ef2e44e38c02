//! A call on its way to a handler: authority and input, opened by the account's gate.

use std::{future::Future, marker::PhantomData, sync::Arc};

use axum::extract::{FromRef, FromRequest, Request};
use domain::AccountId;
use store::gate::{Admission, GateError, PresentedKey};

use crate::{
    Code, Edge, Failure,
    auth::{self, Credential},
    exchange::Exchange,
    failure::Challenge,
    flood::Refusal,
    input::{self, Input, Problems, Raw},
    permission::Permission,
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
}

impl Caller {
    /// The account that everything belongs to.
    pub fn account(&self) -> AccountId {
        self.admission.account
    }
}

impl<S: Permission, I: Input> Call<S, I> {
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
        let Credential::ApiKey(key) = &credential;
        let account = key.account;
        let (admitted, found) = match input {
            Ok(input) => {
                let (admitted, found) =
                    tokio::join!(pass::<S>(&edge, &exchange, key), work(account, input));
                (admitted, found)
            }
            Err(problems) => (pass::<S>(&edge, &exchange, key).await, Err(problems.into())),
        };
        let admission = admitted?;
        Ok((Caller { admission, credential }, found?))
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

/// One passage through the gate: live key, rate, suspension, scopes.
async fn pass<S: Permission>(
    edge: &Edge,
    exchange: &Exchange,
    key: &PresentedKey,
) -> Result<Admission, Failure> {
    let refuse = |refusal| {
        edge.flood().remember(key.fingerprint, refusal, edge.clock().now());
        refuse(edge, exchange, key.account, refusal)
    };
    let admission = edge.store().admit(key, edge.caps()).await.map_err(|error| match error {
        GateError::UnknownKey => refuse(Refusal::UnknownKey),
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
    let required = S::required();
    if required.iter().all(|scope| admission.scopes.contains(scope)) {
        return Ok(admission);
    }
    let names: Vec<_> = required.iter().map(domain::Scope::as_str).collect();
    let names = names.join(" ");
    Err(Failure::new(Code::InsufficientScope)
        .saying(format!("This operation requires the scope {names}."))
        .challenging(Challenge::InsufficientScope(names)))
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
        let credential = auth::credential(request.headers(), edge.secrets())?;
        // Before the body is read: a flood shall cost as little as it can.
        let Credential::ApiKey(key) = &credential;
        if let Some(refusal) = edge.flood().refusal(&key.fingerprint, edge.clock().now()) {
            return Err(refuse(&edge, &exchange, key.account, refusal));
        }
        let input = input::read(&Raw::of(request, I::READS_BODY).await);
        Ok(Self { edge, exchange, credential, input, required: PhantomData })
    }
}
