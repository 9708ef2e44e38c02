//! Credentials: what a request presents, checked as far as it can be without asking anyone.

pub mod api_key;

use axum::http::{HeaderMap, header::AUTHORIZATION};

use crate::{Code, Failure, Secrets};

/// A credential whose form and tag are right; whether it is live, the gate tells.
#[derive(Clone, Debug)]
pub enum Credential {
    /// An API key.
    ApiKey(store::gate::PresentedKey),
}

/// Reads `Authorization: Bearer …` (RFC 6750, section 2.1).
pub(crate) fn credential(headers: &HeaderMap, secrets: &Secrets) -> Result<Credential, Failure> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or_else(|| Failure::new(Code::MissingCredentials))?;
    let invalid = || Failure::new(Code::InvalidCredentials);
    if values.next().is_some() {
        return Err(invalid());
    }
    let (scheme, token) =
        value.to_str().map_err(|_| invalid())?.split_once(' ').ok_or_else(invalid)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(invalid());
    }
    api_key::parse(token.trim(), secrets).map(Credential::ApiKey).ok_or_else(invalid)
}
