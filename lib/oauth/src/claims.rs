//! The claims of an access token (RFC 9068, section 2.2) and their validation.

use std::time::Duration;

use domain::{Scope, Scopes, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Jws, Subject, TokenError, display_name,
    jws::{object, present},
};

/// Tolerated difference between the clocks of issuer and service.
pub const LEEWAY: Duration = Duration::from_secs(60);
/// Most characters of a subject (OpenID Connect Core, section 2).
const SUBJECT_MAX: usize = 255;
/// The last second that RFC 3339 can represent.
const LAST_SECOND: f64 = 253_402_300_799.0;

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// The claims of an unverified token. A repeated claim is an error.
#[derive(Deserialize)]
pub struct Claims {
    iss: Option<String>,
    sub: Option<String>,
    aud: Option<OneOrMany>,
    exp: Option<f64>,
    nbf: Option<f64>,
    iat: Option<f64>,
    jti: Option<String>,
    client_id: Option<String>,
    scope: Option<OneOrMany>,
    name: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    cnf: bool,
}

/// The claims of a verified token.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedClaims {
    /// The issuer, as in the token.
    pub issuer: String,
    /// The subject. Its issuer is the one that the account is derived from: the earlier name if the
    /// issuer was renamed.
    pub subject: Subject,
    /// The client that received the token.
    pub client_id: String,
    /// The granted scopes, without those that this service does not know.
    pub scopes: Scopes,
    /// When the token expires.
    pub expires_at: Timestamp,
    /// Name of the subject that others may see: the claim `name`, never a login name.
    pub name: String,
}

impl Claims {
    /// Parses the claims of an access token.
    ///
    /// # Errors
    ///
    /// [`TokenError::Type`] if it is another kind of token, [`TokenError::Malformed`].
    pub fn of(token: &Jws<'_>) -> Result<Self, TokenError> {
        if token.media_type().as_deref() != Some("at+jwt") {
            return Err(TokenError::Type);
        }
        object(token.payload())
    }

    /// The claimed issuer, unverified.
    ///
    /// # Errors
    ///
    /// [`TokenError::MissingClaim`]
    pub fn issuer(&self) -> Result<&str, TokenError> {
        self.iss.as_deref().ok_or(TokenError::MissingClaim("iss"))
    }

    /// Validates the claims at `now` for one of `audiences`; the signature is not checked here.
    ///
    /// # Errors
    ///
    /// The first violation.
    pub fn validate(
        self,
        audiences: &[&str],
        now: Timestamp,
    ) -> Result<VerifiedClaims, TokenError> {
        let issuer = self.issuer()?.to_owned();
        match self.aud.ok_or(TokenError::MissingClaim("aud"))? {
            OneOrMany::One(one) if audiences.contains(&one.as_str()) => {}
            OneOrMany::Many(all) if all.iter().any(|one| audiences.contains(&one.as_str())) => {}
            _ => return Err(TokenError::Audience),
        }
        let expires = self.exp.ok_or(TokenError::MissingClaim("exp"))?;
        let issued = self.iat.ok_or(TokenError::MissingClaim("iat"))?;
        let (now, leeway) = (now.millis() as f64 / 1000.0, LEEWAY.as_secs_f64());
        if now >= expires + leeway {
            return Err(TokenError::Expired);
        }
        if issued > now + leeway || self.nbf.is_some_and(|begins| begins > now + leeway) {
            return Err(TokenError::NotYetValid);
        }
        let subject = self.sub.ok_or(TokenError::MissingClaim("sub"))?;
        if subject.is_empty() || subject.chars().count() > SUBJECT_MAX {
            return Err(TokenError::Subject);
        }
        let client_id = self.client_id.ok_or(TokenError::MissingClaim("client_id"))?;
        self.jti.ok_or(TokenError::MissingClaim("jti"))?;
        if self.cnf {
            return Err(TokenError::SenderConstrained);
        }
        let name = self.name.as_ref().and_then(Value::as_str).map(display_name::sanitize);
        Ok(VerifiedClaims {
            subject: Subject { issuer: issuer.clone(), name: subject },
            issuer,
            scopes: scopes(self.scope),
            expires_at: Timestamp::from_millis((expires.min(LAST_SECOND) * 1000.0) as i64),
            name: name.filter(|name| !name.is_empty()).unwrap_or_else(|| "OAuth user".to_owned()),
            client_id,
        })
    }
}

fn scopes(scope: Option<OneOrMany>) -> Scopes {
    let known = |name: &str| name.parse::<Scope>().ok();
    match scope {
        None => Scopes::NONE,
        Some(OneOrMany::One(names)) => names.split(' ').filter_map(known).collect(),
        Some(OneOrMany::Many(names)) => names.iter().filter_map(|name| known(name)).collect(),
    }
}
