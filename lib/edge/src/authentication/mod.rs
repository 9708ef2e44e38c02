//! Credentials: checked as far as possible without the account item.

pub mod api_key;
pub mod issuers;
pub(crate) mod protected_resource;

pub use protected_resource::MCP_PATH;

use std::time::Duration;

use axum::http::{HeaderMap, header::AUTHORIZATION};
use domain::AccountId;
use oauth::{VerifiedClaims, VerifyError};
use store::admission::{Presented, PresentedKey, PresentedToken};

use crate::{ApiError, Code, Edge, admission::refusal_cache::RefusalKey};

/// An authentic credential; the account item decides whether it is live.
#[derive(Clone, Debug)]
pub enum Credential {
    /// An API key with the right form and tag.
    ApiKey(PresentedKey),
    /// An access token with the right claims and signature.
    AccessToken(Box<AccessToken>),
}

/// A verified access token.
#[derive(Clone, Debug)]
pub struct AccessToken {
    /// Its claims.
    pub claims: VerifiedClaims,
    /// The account of its subject.
    pub account: AccountId,
}

impl Credential {
    /// The account that it belongs to.
    pub fn account(&self) -> AccountId {
        match self {
            Self::ApiKey(key) => key.account,
            Self::AccessToken(token) => token.account,
        }
    }

    /// Key of the refusal cache. A key may be revoked while others of its account live. Tokens are
    /// verified already, and one account may have any number of them.
    pub(crate) fn refusal_key(&self) -> RefusalKey {
        match self {
            Self::ApiKey(key) => RefusalKey::Key(key.fingerprint),
            Self::AccessToken(token) => RefusalKey::Subject(token.account),
        }
    }

    /// What the account item checks.
    pub(crate) fn presented(&self) -> Presented {
        match self {
            Self::ApiKey(key) => Presented::Key(key.clone()),
            Self::AccessToken(token) => Presented::Token(PresentedToken {
                account: token.account,
                scopes: token.claims.scopes,
                expires_at: token.claims.expires_at,
            }),
        }
    }
}

/// Reads `Authorization: Bearer …` (RFC 6750, section 2.1).
pub(crate) async fn credential(headers: &HeaderMap, edge: &Edge) -> Result<Credential, ApiError> {
    credential_for(headers, edge, &api_audiences(edge)).await
}

fn api_audiences(edge: &Edge) -> Vec<&str> {
    let server = edge.resource_server();
    server.into_iter().flat_map(|server| server.audiences()).map(String::as_str).collect()
}

/// The same for [`protected_resource::MCP_PATH`], a resource of its own that accepts only access
/// tokens: those for the endpoint, and those for the API if the operator allows it.
pub(crate) async fn mcp_token(headers: &HeaderMap, edge: &Edge) -> Result<Credential, ApiError> {
    let own = format!("{}{}", edge.base_url(), protected_resource::MCP_PATH);
    let mut audiences = vec![own.as_str()];
    if edge.mcp_accepts_api_tokens() {
        audiences.extend(api_audiences(edge));
    }
    let credential = credential_for(headers, edge, &audiences).await;
    match credential.map_err(|failure| match failure.code {
        Code::MissingCredentials => {
            failure.with_message("Send an access token as `Authorization: Bearer …`.")
        }
        _ => failure,
    })? {
        Credential::ApiKey(_) => Err(ApiError::new(Code::InvalidCredentials).with_message(
            "This interface takes OAuth access tokens; API keys open the REST API only.",
        )),
        token => Ok(token),
    }
}

async fn credential_for(
    headers: &HeaderMap,
    edge: &Edge,
    audiences: &[&str],
) -> Result<Credential, ApiError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or_else(|| ApiError::new(Code::MissingCredentials))?;
    let invalid = || ApiError::new(Code::InvalidCredentials);
    if values.next().is_some() {
        return Err(invalid());
    }
    let value = value.to_str().map_err(|_| invalid())?;
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        // Another scheme presents no token: no error code (RFC 6750, section 3.1).
        return Err(ApiError::new(Code::MissingCredentials));
    }
    let token = token.trim();
    match edge.resource_server() {
        Some(server) if !api_key::has_prefix(token) => {
            let claims = server.verify_for(token, audiences).await.map_err(token_error)?;
            let account = claims.subject.account();
            Ok(Credential::AccessToken(Box::new(AccessToken { claims, account })))
        }
        _ => api_key::parse(token, edge.secrets()).map(Credential::ApiKey).ok_or_else(invalid),
    }
}

/// The response to a token that is not accepted. If its issuer is unreachable, the caller did
/// nothing wrong and must not discard the token. It is an error of this service only if no token of
/// the issuer can be verified: an unknown key may simply be made up.
fn token_error(error: VerifyError) -> ApiError {
    match error {
        VerifyError::Invalid(reason) => ApiError::new(Code::InvalidCredentials)
            .with_message(format!("The access token is not accepted: {reason}.")),
        VerifyError::Unavailable(error) => ApiError::new(Code::InternalError)
            .with_message(
                "The access token cannot be verified: its issuer is unreachable at present.",
            )
            .with_retry_after(seconds(error.retry_after))
            .caused_by(error),
    }
}

/// Whole seconds, rounded up.
fn seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1000) as u64
}
