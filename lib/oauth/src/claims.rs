//! What an access token says (RFC 9068, section 2.2), and whether that is good here.

use std::time::Duration;

use domain::{Scope, Scopes, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Jws, Subject, TokenError, display_name,
    jws::{object, present},
};

/// How far the clocks of issuer and service may be apart.
pub const LEEWAY: Duration = Duration::from_secs(60);
/// Longest subject in characters, as OpenID Connect has it.
const SUBJECT_MAX: usize = 255;
/// The last second that RFC 3339 can write.
const LAST_SECOND: f64 = 253_402_300_799.0;

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// The claims of a token that nobody has verified yet. A claim that stands twice is an error.
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

/// What a verified token grants.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedClaims {
    /// Who made it out, as it says itself.
    pub issuer: String,
    /// Whom it speaks for. Its issuer here is the one that the account follows from, which is another name
    /// of the same if that has moved.
    pub subject: Subject,
    /// The client that it was given to.
    pub client_id: String,
    /// What it allows; scopes that this service does not know are left out.
    pub scopes: Scopes,
    /// When it lapses.
    pub expires_at: Timestamp,
    /// What to call the subject before others: the claim `name`, and nothing that they sign in with.
    pub name: String,
}

impl Claims {
    /// Reads the claims of an access token.
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

    /// Who says that they made the token.
    ///
    /// # Errors
    ///
    /// [`TokenError::MissingClaim`]
    pub fn issuer(&self) -> Result<&str, TokenError> {
        self.iss.as_deref().ok_or(TokenError::MissingClaim("iss"))
    }

    /// What the token grants at `now` to whoever presents it to one of `audiences`, if its signature is
    /// right.
    ///
    /// # Errors
    ///
    /// The first thing about it that is not as it should be.
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
