//! What every page of the service is answered with.

use axum::response::{Html, IntoResponse as _, Response};
use http::header;

/// A page under a content security policy, for nobody to keep.
pub fn answer(html: String, policy: String) -> Response {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
    ];
    (headers, Html(html)).into_response()
}
