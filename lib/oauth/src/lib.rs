//! The service as an OAuth 2.0 resource server: JSON Web Tokens as access tokens (RFC 9068).
//!
//! What a token says is believed only once a key of its issuer has signed it, and that key comes from
//! nowhere but the issuer's own published set: nothing in a token tells where to look for keys or how to
//! use them. Everything that can be refused without the key is refused first. A made-up token that is right in
//! all else but names an unknown key makes its issuer be asked, as a token of a new key does: at most once in
//! half a minute, whatever comes.
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
