//! Refusals from the refusal cache and their responses.

use domain::AccountId;

use super::refusal_cache::Refusal;
use crate::{ApiError, Code, Edge, authentication::Credential, context::RequestContext};

/// The response to a credential that the account item refuses.
pub(crate) fn refuse(
    edge: &Edge,
    context: &RequestContext,
    account: AccountId,
    refusal: Refusal,
) -> ApiError {
    match refusal {
        Refusal::UnknownKey => ApiError::new(Code::InvalidCredentials),
        Refusal::Rate(rate) => {
            let _ = context.account.set(account);
            let _ = context.rate.set(rate);
            ApiError::new(Code::RateLimited).with_retry_after(rate.seconds_left(edge.clock().now()))
        }
    }
}

/// Repeats a recent refusal of the account item.
pub(crate) fn check_refusal_cache(
    edge: &Edge,
    context: &RequestContext,
    credential: &Credential,
) -> Result<(), ApiError> {
    match edge.refusals().get(credential.refusal_key(), edge.clock().now()) {
        Some(refusal) => Err(refuse(edge, context, credential.account(), refusal)),
        None => Ok(()),
    }
}
