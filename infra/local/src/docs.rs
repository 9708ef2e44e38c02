//! The API's page at `/docs`, with the key of the local account filled in.
//!
//! The deployment has the same page without a key, under its own address.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State},
    http::HeaderMap,
    response::Response,
    routing::get,
};
use embedded::web_pages::has_loopback_host;
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
    docs::page(if has_loopback_host(&headers) { &api_key } else { "" })
}
