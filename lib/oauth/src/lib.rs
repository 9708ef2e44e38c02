//! The service as an OAuth 2.0 resource server: JSON Web Tokens as access tokens (RFC 9068).
//!
//! A token is trusted only if a key of its issuer has signed it, and that key comes only from the
//! issuer's published set: nothing in a token tells where to find keys or how to use them. Every
//! check that needs no key comes first. A forged token that passes those and names an unknown key
//! triggers a request to its issuer, as a token with a new key does: at most one in half a minute,
//! however many arrive.
//!
//! No I/O here: documents come through [`Fetch`], time through [`domain::Clock`].

mod claims;
mod discovery;
mod display_name;
mod jwk_set;
mod jwks_cache;
mod jws;
mod server;
mod subject;

pub use claims::{Claims, LEEWAY, VerifiedClaims};
pub use discovery::{DOCUMENT_MAX, DiscoveryError, Fetch, FetchError};
pub use jwk_set::{JwkSet, JwkSetError, KEYS_MAX};
pub use jwks_cache::{
    COOLDOWN, INITIAL_COOLDOWN, JwksCache, MAX_AGE, MAX_STALE, REFRESH_TIMEOUT, REFRESH_WAIT,
    Unavailable,
};
pub use jws::{Algorithm, Jws, TOKEN_MAX, TokenError};
pub use server::{ResourceServer, VerifyError};
pub use subject::Subject;
