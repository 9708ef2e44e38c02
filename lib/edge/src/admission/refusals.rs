//! Refusals from the refusal cache and their responses.

use domain::AccountId;
use store::admission::Rate;

use super::refusal_cache::Refusal;
use crate::{ApiError, Code, Edge, authentication::Credential, context::RequestContext};

/// The response to a request beyond the rate.
pub(crate) fn refuse_rate(
    edge: &Edge,
    context: &RequestContext,
    account: AccountId,
    rate: Rate,
) -> ApiError {
    let _ = context.account.set(account);
    let _ = context.rate.set(rate);
    let message = format!(
        "The account may make {} requests a minute, and they are made; the next minute begins at {}.",
        rate.limit, rate.ends_at
    );
    let left = rate.seconds_left(edge.clock().now());
    ApiError::new(Code::RateLimited).with_message(message).with_retry_after(left)
}

/// A recent refusal of the account item.
pub(crate) fn recent_refusal(edge: &Edge, credential: &Credential) -> Option<Refusal> {
    edge.refusals().get(credential.refusal_key(), edge.clock().now())
}

/// Repeats a recent refusal of the account item that holds for any request with this credential.
pub(crate) fn check_refusal_cache(
    edge: &Edge,
    context: &RequestContext,
    credential: &Credential,
) -> Result<(), ApiError> {
    match recent_refusal(edge, credential) {
        Some(Refusal::UnknownKey) => Err(ApiError::new(Code::InvalidCredentials)),
        Some(Refusal::Rate(rate)) => Err(refuse_rate(edge, context, credential.account(), rate)),
        Some(Refusal::UnknownAccount) | None => Ok(()),
    }
}
