//! The API's page at `/docs`, with the key of the local account filled in.
//!
//! The deployment has the same page without a key, under its own address.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State},
    http::{HeaderMap, header, uri::Authority},
    response::Response,
    routing::get,
};
use system::docs;

/// Path of the page on the development server.
pub const PATH: &str = "/docs";

/// The routes of the page, with `api_key` filled in.
pub fn router(api_key: &str) -> Router {
    Router::new()
        .route(PATH, get(page))
        .route(&format!("{PATH}/{{file}}"), get(async |Path(name): Path<String>| docs::file(&name)))
        .with_state(Arc::from(api_key))
}

async fn page(State(api_key): State<Arc<str>>, headers: HeaderMap) -> Response {
    docs::page(if is_loopback(&headers) { &api_key } else { "" })
}

/// Whether the request names this machine by a loopback name. A page of another site can make its
/// own name resolve to 127.0.0.1 and read the responses; it must not get the key.
fn is_loopback(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.and_then(|host| host.parse::<Authority>().ok());
    host.is_some_and(|host| matches!(host.host(), "127.0.0.1" | "localhost" | "[::1]"))
}
