//! Errors of requests.

use crate::UnsafeUrl;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The URL, or one that it redirected to, is forbidden: no connection was made.
    #[error(transparent)]
    Unsafe(#[from] UnsafeUrl),
    /// The URL is allowed, but returned nothing usable.
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
}

/// Why a public URL returned nothing usable; the messages are for the user who chose it. They do not
/// tell whether a port is open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    /// The host name has no address.
    #[error("the host's name could not be resolved")]
    Name,
    /// The resolver does not work at present; the name may be fine.
    #[error("names cannot be resolved at present")]
    Resolver,
    /// No connection was established: refused, no answer, or no valid certificate.
    #[error("the host gave no readable answer in time")]
    Connect,
    /// It took longer than allowed.
    #[error("the host gave no readable answer in time")]
    Timeout,
    /// The response is not valid HTTP.
    #[error("the host gave no readable answer in time")]
    Protocol,
    /// It redirected more often than allowed.
    #[error("the page redirects too often")]
    Redirects,
    /// The status is not a success; pages behind a login are among these.
    #[error("the host answered with status {0}")]
    Status(u16),
    /// It sent more than allowed.
    #[error("the page is too large")]
    TooLarge,
    /// It is neither a page nor a text.
    #[error("the address does not lead to a page or text")]
    ContentType,
}
