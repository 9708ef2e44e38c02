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
mod jws;
mod keyring;
mod keys;
mod name;
mod server;
mod subject;

pub use claims::{Claims, Grant, LEEWAY};
pub use discovery::{DOCUMENT_MAX, DiscoveryError, Fetch, FetchError};
pub use jws::{Algorithm, Jws, Refused, TOKEN_MAX};
pub use keyring::{
    DEADLINE, FIRST_PAUSE, Keyring, LAST_AGE, MAX_AGE, PATIENCE, PAUSE, Unavailable,
};
pub use keys::{KEYS_MAX, KeySet, KeySetError};
pub use server::{ResourceServer, VerifyError};
pub use subject::Subject;
