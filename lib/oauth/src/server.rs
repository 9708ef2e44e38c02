//! The resource server: verifies access tokens of its trusted issuers.

use std::sync::Arc;

use domain::Clock;

use crate::{Claims, Fetch, JwksCache, Jws, TokenError, Unavailable, VerifiedClaims};

/// Why a token is not accepted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum VerifyError {
    /// It is invalid.
    #[error(transparent)]
    Invalid(#[from] TokenError),
    /// No token of its issuer can be verified at present.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

/// Verifies access tokens of its issuers. Cheap to clone; clones share the cached keys.
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
    /// Name of the issuer that its subjects' accounts are derived from.
    account_issuer: String,
    jwks_cache: Arc<JwksCache>,
}

impl ResourceServer {
    /// A resource server that accepts tokens for one of `audiences`. Issuers are compared byte by
    /// byte with the tokens' `iss`; each comes with the client that reads its documents.
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

    /// Adds the earlier name of an issuer, `before`: its subjects keep the accounts derived from
    /// that.
    pub fn renamed(self, issuer: &str, before: &str) -> Self {
        let mut parts = Arc::unwrap_or_clone(self.0);
        for trusted in parts.issuers.iter_mut().filter(|trusted| trusted.issuer == issuer) {
            trusted.account_issuer = before.to_owned();
        }
        Self(Arc::new(parts))
    }

    /// The trusted issuers.
    pub fn issuers(&self) -> impl Iterator<Item = &str> {
        self.0.issuers.iter().map(|trusted| trusted.issuer.as_str())
    }

    /// The accepted audiences.
    pub fn audiences(&self) -> &[String] {
        &self.0.audiences
    }

    /// Verifies a token (RFC 9068, section 4).
    ///
    /// # Errors
    ///
    /// [`VerifyError`]
    pub async fn verify(&self, token: &str) -> Result<VerifiedClaims, VerifyError> {
        let audiences: Vec<_> = self.0.audiences.iter().map(String::as_str).collect();
        self.verify_for(token, &audiences).await
    }

    /// The same for a resource of its own: accepts only tokens for one of `audiences`.
    ///
    /// # Errors
    ///
    /// [`VerifyError`]
    pub async fn verify_for(
        &self,
        token: &str,
        audiences: &[&str],
    ) -> Result<VerifiedClaims, VerifyError> {
        let Parts { issuers, clock, .. } = &*self.0;
        let token = Jws::parse(token)?;
        let claims = Claims::of(&token)?;
        let named = claims.issuer()?;
        let trusted = issuers.iter().find(|trusted| trusted.issuer == named);
        let TrustedIssuer { account_issuer, jwks_cache, .. } = trusted.ok_or(TokenError::Issuer)?;
        // Before the signature: a token that would be rejected anyway must not trigger a request.
        let mut verified = claims.validate(audiences, clock.now())?;
        verified.subject.issuer.clone_from(account_issuer);
        let keys =
            jwks_cache.keys(|keys| keys.find(token.kid(), token.algorithm()).is_some()).await?;
        token.verify(&keys)?;
        Ok(verified)
    }
}
