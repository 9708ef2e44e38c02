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

/// Why a public URL returned nothing usable; the messages are for the user who chose it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    /// The host name has no address.
    #[error("there is no host of this name")]
    Name,
    /// The resolver does not work at present; the name may be fine.
    #[error("names cannot be resolved at present")]
    Resolver,
    /// The host has nothing that listens there.
    #[error("the host refused the connection")]
    Refused,
    /// No connection was established otherwise, such as without a valid certificate.
    #[error("no secure connection to the host could be established")]
    Connect,
    /// It took longer than allowed.
    #[error("the host gave no answer in time")]
    Timeout,
    /// The response is not valid HTTP.
    #[error("the host's answer could not be read")]
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
