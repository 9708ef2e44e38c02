//! Cross-origin requests: pages of the API may read and write. A page of any other origin may do what a presigned URL
//! is for, as with the deployed bucket: whoever has given it the URL has allowed that.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
        ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
    },
};

use super::signatures::is_presigned;

/// Headers that a page may send.
const ALLOWED: [&str; 2] = ["content-type", "if-none-match"];

/// Origins of the API's pages.
pub(super) type Origins = Arc<[String]>;

/// Answers preflight requests itself, and tells browsers which pages may read other answers.
pub(super) async fn handle(
    State(origins): State<Origins>,
    request: Request,
    next: Next,
) -> Response {
    let origin = request.headers().get(ORIGIN).cloned();
    let methods = methods(&origins, origin.as_ref(), request.uri());
    if request.method() == Method::OPTIONS {
        return match origin {
            Some(origin) => preflight(request.headers(), methods, origin),
            None => StatusCode::BAD_REQUEST.into_response(),
        };
    }
    let is_allowed = methods.contains(&request.method().as_str());
    let mut response = next.run(request).await;
    set(&mut response, VARY, HeaderValue::from_static("origin"));
    if let (Some(origin), true) = (origin, is_allowed) {
        set(&mut response, ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        set(&mut response, ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag"));
    }
    response
}

/// What a page may do at a URL.
fn methods(origins: &[String], origin: Option<&HeaderValue>, uri: &Uri) -> &'static [&'static str] {
    let is_ours =
        |origin: &HeaderValue| origins.iter().any(|ours| origin.as_bytes() == ours.as_bytes());
    if is_presigned(uri) || origin.is_some_and(is_ours) { &["GET", "HEAD", "PUT"] } else { &[] }
}

fn preflight(headers: &HeaderMap, methods: &[&str], origin: HeaderValue) -> Response {
    let method = headers.get(ACCESS_CONTROL_REQUEST_METHOD).and_then(|method| method.to_str().ok());
    let Some(method) = method else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let wanted = headers.get(ACCESS_CONTROL_REQUEST_HEADERS);
    let wanted = wanted.and_then(|names| names.to_str().ok()).unwrap_or_default();
    let header_allowed = |name: &str| {
        let name = name.trim().to_ascii_lowercase();
        name.is_empty() || ALLOWED.contains(&name.as_str())
    };
    if !methods.contains(&method) || !wanted.split(',').all(header_allowed) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let mut response = StatusCode::OK.into_response();
    set(&mut response, VARY, HeaderValue::from_static("origin"));
    set(&mut response, ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    set(&mut response, ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3000"));
    for (name, value) in [
        (ACCESS_CONTROL_ALLOW_METHODS, methods.join(", ")),
        (ACCESS_CONTROL_ALLOW_HEADERS, wanted.to_owned()),
    ] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            set(&mut response, name, value);
        }
    }
    response
}

fn set(response: &mut Response, name: HeaderName, value: HeaderValue) {
    response.headers_mut().insert(name, value);
}
