//! How a request can fail.

use crate::UnsafeUrl;

/// Why nothing was fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The address, or one that it led to, must not be asked: no connection to it was made.
    #[error(transparent)]
    Unsafe(#[from] UnsafeUrl),
    /// The address may be asked, but gave nothing that can be used.
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
}

/// Why a public address gave nothing, in words meant for whoever named it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    /// Its name has no address.
    #[error("the host's name could not be resolved")]
    Name,
    /// Names cannot be resolved at present, through no fault of this one's.
    #[error("names cannot be resolved at present")]
    Resolver,
    /// No connection came about: refused, no answer, or no valid certificate.
    #[error("no connection to the host could be made")]
    Connect,
    /// It took longer than allowed.
    #[error("the host took too long to answer")]
    Timeout,
    /// It did not speak HTTP as it should.
    #[error("the host's answer could not be read")]
    Protocol,
    /// It redirected more often than allowed.
    #[error("the page redirects too often")]
    Redirects,
    /// It answered with a status other than success; pages behind a login are among these.
    #[error("the host answered with status {0}")]
    Status(u16),
    /// It sent more than allowed.
    #[error("the page is too large")]
    TooLarge,
    /// It sent something else than a page or a text.
    #[error("the address leads to no page or text")]
    ContentType,
}
