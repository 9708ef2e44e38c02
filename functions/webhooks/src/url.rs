//! The addresses that endpoints may have.

use edge::{ApiError, Code, Detail};
use outbound::{FetchError, Unreachable, UnsafeUrl};

/// What a caller is told of an address that cannot be an endpoint's.
pub fn url_error(reason: FetchError) -> ApiError {
    let code = match &reason {
        FetchError::Unsafe(UnsafeUrl::Malformed | UnsafeUrl::TooLong) => Code::InvalidRequest,
        // Whether the name is a public host's cannot be known now.
        FetchError::Unreachable(Unreachable::Resolver | Unreachable::Timeout) => {
            return ApiError::new(Code::DnsUnavailable).caused_by(reason);
        }
        _ => Code::UnsafeUrl,
    };
    let refused = ApiError::new(code).with_details(vec![Detail::new("/url", reason.to_string())]);
    match reason {
        FetchError::Unreachable(Unreachable::Name) => {
            refused.with_message("The address names no host that is known.")
        }
        _ => refused,
    }
}
