//! Cross-origin requests: any origin may GET, HEAD and PUT with the headers of an upload.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
        ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
    },
};

const METHODS: &str = "GET, HEAD, PUT";
const ALLOWED: [&str; 6] =
    ["content-disposition", "content-md5", "content-type", "if-match", "if-none-match", "range"];
const EXPOSED: &str = "etag, content-range, x-amz-request-id, x-amz-checksum-crc32, \
                       x-amz-checksum-crc32c, x-amz-checksum-crc64nvme, x-amz-checksum-sha256";

/// Answers preflight requests itself and allows any origin on all other responses.
pub(super) async fn handle(request: Request, next: Next) -> Response {
    if request.method() == Method::OPTIONS {
        return preflight(request.headers());
    }
    let mut response = next.run(request).await;
    set(&mut response, ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(&mut response, ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    response
}

fn preflight(headers: &HeaderMap) -> Response {
    let method = headers.get(ACCESS_CONTROL_REQUEST_METHOD).and_then(|method| method.to_str().ok());
    let (Some(method), true) = (method, headers.contains_key(ORIGIN)) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let wanted = headers.get(ACCESS_CONTROL_REQUEST_HEADERS);
    let wanted = wanted.and_then(|names| names.to_str().ok()).unwrap_or_default();
    let header_allowed = |name: &str| {
        let name = name.trim().to_ascii_lowercase();
        name.is_empty() || name.starts_with("x-amz-") || ALLOWED.contains(&name.as_str())
    };
    if !METHODS.split(", ").any(|allowed| allowed == method)
        || !wanted.split(',').all(header_allowed)
    {
        return StatusCode::FORBIDDEN.into_response();
    }
    let mut response = StatusCode::OK.into_response();
    set(&mut response, ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(&mut response, ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    set(&mut response, ACCESS_CONTROL_MAX_AGE, "3000");
    if let Ok(wanted) = HeaderValue::from_str(wanted) {
        response.headers_mut().insert(ACCESS_CONTROL_ALLOW_HEADERS, wanted);
    }
    response
}

fn set(response: &mut Response, name: HeaderName, value: &'static str) {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
}
