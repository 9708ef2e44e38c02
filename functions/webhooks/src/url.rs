//! URLs of endpoints.

use edge::{ApiError, Code, Sent};
use outbound::{FetchError, Unreachable};

use crate::Webhooks;

const URL: &str = "/url";

impl Webhooks {
    /// The problem of a URL in a body that no endpoint can have, whatever its host resolves to.
    pub(crate) fn check_url(&self, sent: &Sent) -> Option<ApiError> {
        let refused = self.sender.parse(sent.content["url"].as_str()?).err()?;
        Some(ApiError::unsafe_url(URL, refused))
    }
}

/// The error for a URL that an endpoint cannot have.
pub fn url_error(reason: FetchError) -> ApiError {
    match reason {
        FetchError::Unsafe(reason) => ApiError::unsafe_url(URL, reason),
        FetchError::Unreachable(Unreachable::Name) => {
            ApiError::problem(Code::UrlUnreachable, URL, reason.to_string())
        }
        // Whether the host is public cannot be determined now.
        FetchError::Unreachable(_) => ApiError::new(Code::DnsUnavailable).caused_by(reason),
    }
}
