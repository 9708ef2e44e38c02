//! URLs of endpoints.

use edge::{ApiError, Code, Detail};
use outbound::{FetchError, Unreachable, UnsafeUrl};

/// The error for a URL that an endpoint cannot have.
pub fn url_error(reason: FetchError) -> ApiError {
    let code = match &reason {
        FetchError::Unsafe(UnsafeUrl::Malformed | UnsafeUrl::TooLong) => Code::InvalidRequest,
        // Whether the host is public cannot be determined now.
        FetchError::Unreachable(Unreachable::Resolver | Unreachable::Timeout) => {
            return ApiError::new(Code::DnsUnavailable).caused_by(reason);
        }
        _ => Code::UnsafeUrl,
    };
    let refused = ApiError::new(code).with_details(vec![Detail::new("/url", reason.to_string())]);
    match reason {
        FetchError::Unreachable(Unreachable::Name) => {
            refused.with_message("The host of the URL does not exist.")
        }
        _ => refused,
    }
}
