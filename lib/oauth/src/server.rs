//! The resource server: whom it trusts, and what a token is worth to it.

use std::{sync::Arc, time::Duration};

use domain::Clock;

use crate::{Claims, Fetch, JwksCache, Jws, TokenError, Unavailable, VerifiedClaims};

/// Why a token opens nothing.
#[derive(Clone, Debug, thiserror::Error)]
pub enum VerifyError {
    /// It is no good.
    #[error(transparent)]
    Invalid(#[from] TokenError),
    /// Nobody can tell of any token of its issuer at present.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The issuer's keys are known, this one's is not among them, and whether it is new is not to be had
    /// at present: the issuer was asked a moment ago, or did not answer.
    #[error("the token's key is not known yet")]
    KeyPending {
        /// When the issuer may be asked again.
        retry_after: Duration,
    },
}

/// Accepts access tokens of its issuers. Cheap to clone; clones share what they know of keys.
#[derive(Clone, Debug)]
pub struct ResourceServer(Arc<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    issuers: Vec<TrustedIssuer>,
    audiences: Vec<String>,
    clock: Arc<dyn Clock>,
}

#[derive(Clone, Debug)]
struct TrustedIssuer {
    issuer: String,
    /// The name of the issuer that its subjects' accounts follow from.
    account_issuer: String,
    jwks_cache: Arc<JwksCache>,
}

impl ResourceServer {
    /// A resource server that accepts what issuers make out for one of `audiences`. Issuers are compared
    /// character by character with what tokens say; each comes with what reads its documents.
    pub fn new(
        issuers: impl IntoIterator<Item = (String, Arc<dyn Fetch>)>,
        audiences: Vec<String>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let trusted = |(issuer, fetch): (String, Arc<dyn Fetch>)| TrustedIssuer {
            account_issuer: issuer.clone(),
            jwks_cache: JwksCache::new(issuer.clone(), fetch, clock.clone()),
            issuer,
        };
        let issuers = issuers.into_iter().map(trusted).collect();
        Self(Arc::new(Parts { issuers, audiences, clock }))
    }

    /// The same, with an issuer that had another name `before`: its subjects keep the accounts that they had
    /// under that.
    pub fn renamed(self, issuer: &str, before: &str) -> Self {
        let mut parts = Arc::unwrap_or_clone(self.0);
        for trusted in parts.issuers.iter_mut().filter(|trusted| trusted.issuer == issuer) {
            trusted.account_issuer = before.to_owned();
        }
        Self(Arc::new(parts))
    }

    /// Whom it trusts.
    pub fn issuers(&self) -> impl Iterator<Item = &str> {
        self.0.issuers.iter().map(|trusted| trusted.issuer.as_str())
    }

    /// What the audience of tokens must include one of.
    pub fn audiences(&self) -> &[String] {
        &self.0.audiences
    }

    /// What a token grants (RFC 9068, section 4).
    ///
    /// # Errors
    ///
    /// [`VerifyError`]
    pub async fn verify(&self, token: &str) -> Result<VerifiedClaims, VerifyError> {
        self.verify_for(token, &[]).await
    }

    /// The same where tokens for one of `further` audiences are as good: at a part of the API that is a
    /// resource by itself.
    ///
    /// # Errors
    ///
    /// [`VerifyError`]
    pub async fn verify_for(
        &self,
        token: &str,
        further: &[&str],
    ) -> Result<VerifiedClaims, VerifyError> {
        let Parts { issuers, audiences, clock } = &*self.0;
        let own = audiences.iter().map(String::as_str);
        let audiences: Vec<_> = own.chain(further.iter().copied()).collect();
        let token = Jws::parse(token)?;
        let claims = Claims::of(&token)?;
        let named = claims.issuer()?;
        let trusted = issuers.iter().find(|trusted| trusted.issuer == named);
        let TrustedIssuer { account_issuer, jwks_cache, .. } = trusted.ok_or(TokenError::Issuer)?;
        // Before the signature, so that what would be refused anyway asks nobody for keys.
        let mut verified = claims.validate(&audiences, clock.now())?;
        verified.subject.issuer.clone_from(account_issuer);
        let keys =
            jwks_cache.keys(|keys| keys.find(token.kid(), token.algorithm()).is_some()).await?;
        token.verify(&keys)?;
        Ok(verified)
    }
}
