//! The addresses that endpoints may have.

use edge::{Code, Detail, Failure};
use outbound::{FetchError, Unreachable, UnsafeUrl};

/// What a caller is told of an address that cannot be an endpoint's.
pub fn refused(reason: FetchError) -> Failure {
    let code = match &reason {
        FetchError::Unsafe(UnsafeUrl::Malformed | UnsafeUrl::TooLong) => Code::InvalidRequest,
        // Whether the name is a public host's cannot be known now.
        FetchError::Unreachable(Unreachable::Resolver | Unreachable::Timeout) => {
            return Failure::new(Code::DnsUnavailable).because(reason);
        }
        _ => Code::UnsafeUrl,
    };
    let refused = Failure::new(code).with_details(vec![Detail::new("/url", reason.to_string())]);
    match reason {
        FetchError::Unreachable(Unreachable::Name) => {
            refused.saying("The address names no host that is known.")
        }
        _ => refused,
    }
}
