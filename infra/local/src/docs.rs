//! An interactive page of the API: Swagger UI over the OpenAPI document, at `/docs`.
//!
//! It is part of the development server only. Its files are in the program, so it needs no other
//! host, and the key of the local account is filled in already.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header, uri::Authority},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use utoipa_swagger_ui::Config;

/// Path of the page on the development server.
pub const PATH: &str = "/docs";

const PAGE: &str = include_str!("docs/page.html");
const SCRIPT: &str = include_str!("docs/page.js");
/// Placeholder of the key in the page.
const KEY: &str = "{{key}}";
/// Files of Swagger UI that the page uses.
const TAKEN: [&str; 3] = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
/// The page connects to no other host and cannot be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The routes of the page, with `api_key` filled in.
pub fn router(api_key: &str) -> Router {
    Router::new()
        .route(PATH, get(page))
        .route(&format!("{PATH}/{{file}}"), get(file))
        .with_state(Arc::from(api_key))
}

async fn page(State(api_key): State<Arc<str>>, headers: HeaderMap) -> Response {
    let key = if is_loopback(&headers) { &*api_key } else { "" };
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, Html(PAGE.replace(KEY, key))).into_response()
}

/// Whether the request names this machine by a loopback name. A page of another site can make its
/// own name resolve to 127.0.0.1 and read the responses; it must not get the key.
fn is_loopback(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.and_then(|host| host.parse::<Authority>().ok());
    host.is_some_and(|host| matches!(host.host(), "127.0.0.1" | "localhost" | "[::1]"))
}

async fn file(Path(name): Path<String>) -> Response {
    if name == "page.js" {
        return ([(header::CONTENT_TYPE, "text/javascript")], SCRIPT).into_response();
    }
    if !TAKEN.contains(&name.as_str()) {
        return StatusCode::NOT_FOUND.into_response();
    }
    match utoipa_swagger_ui::serve(&name, Arc::new(Config::default())) {
        Ok(Some(file)) => {
            ([(header::CONTENT_TYPE, file.content_type)], file.bytes.into_owned()).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
