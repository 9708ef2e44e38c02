//! `GET /openapi.json`

use axum::response::{IntoResponse, Response};
use edge::Edge;
use http::header::CONTENT_TYPE;

/// The document as it is checked in; a test holds it equal to the routers' declarations.
pub const DOCUMENT: &str = include_str!("../../../infra/openapi.json");

/// Address of the document.
pub fn url(edge: &Edge) -> String {
    format!("{}/openapi.json", edge.base_url())
}

/// The OpenAPI document, as it is and without an envelope: tools read it, not API clients.
pub async fn document() -> Response {
    ([(CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
}
