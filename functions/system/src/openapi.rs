//! `GET /openapi.json`

use axum::response::{IntoResponse, Response};
use edge::Edge;
use http::header::CONTENT_TYPE;

/// The checked-in document; a test compares it with the routers' declarations.
pub const DOCUMENT: &str = include_str!("../../../infra/openapi.json");

/// URL of the document.
pub fn url(edge: &Edge) -> String {
    format!("{}/openapi.json", edge.base_url())
}

/// The OpenAPI document, without an envelope: tools read it, not API clients.
pub async fn document() -> Response {
    ([(CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
}
