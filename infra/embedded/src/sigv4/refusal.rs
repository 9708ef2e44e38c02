//! Why a request is refused.

use std::fmt;

/// What is wrong with a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is none.
    Missing,
    /// It cannot be read, or does not cover what it must.
    Malformed,
    /// Nobody has this key.
    UnknownKey,
    /// It is of another request, or of another secret.
    Signature,
    /// The request's time is too far from ours.
    Skewed,
    /// The URL was for an earlier time.
    Expired,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "The request is not signed.",
            Self::Malformed => "The signature is incomplete, or its scope is of something else.",
            Self::UnknownKey => "The access key is not that of this data folder.",
            Self::Signature => "The signature does not match the request and the secret key.",
            Self::Skewed => {
                "The difference between the request time and the current time is too large."
            }
            Self::Expired => "The presigned URL has expired.",
        })
    }
}
