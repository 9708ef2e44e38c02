//! Routers of functions, put together under the version prefix.

use axum::{Router, extract::Request, middleware::map_request};
use serde_json::Value;
use utoipa::{
    OpenApi as _,
    openapi::{OpenApi, Server},
};

use crate::{
    Edge,
    authentication::protected_resource,
    middleware,
    openapi::{self, Document},
};

/// The version prefix of every path.
pub const BASE_PATH: &str = "/v1";

/// All routes of `routers` under the version prefix, and the well-known paths at the host's root.
pub fn app(routers: impl IntoIterator<Item = Router>, edge: Edge) -> Router {
    let router = routers.into_iter().fold(Router::new(), Router::merge);
    let rooted = protected_resource::router(edge.clone());
    let served = middleware::wrap(Router::new().nest(BASE_PATH, router).merge(rooted), edge);
    Router::new().fallback_service(served).layer(map_request(without_slash))
}

/// The contract has `GET /` as the base address with a trailing slash; the router has it without.
async fn without_slash(mut request: Request) -> Request {
    if request.uri().path().strip_suffix('/') == Some(BASE_PATH) {
        let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
        if let Ok(uri) = format!("{BASE_PATH}{query}").parse() {
            *request.uri_mut() = uri;
        }
    }
    request
}

/// The OpenAPI document of functions, with an example of each operation. Paths are relative to its server address.
pub fn document(functions: impl IntoIterator<Item = fn(&mut OpenApi)>, examples: &Value) -> Value {
    let mut document = Document::openapi();
    for describe in functions {
        describe(&mut document);
    }
    document.servers = Some(vec![Server::new(BASE_PATH)]);
    openapi::complete(document, examples)
}
