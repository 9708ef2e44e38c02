//! Routers of functions, put together under the version prefix.

use std::collections::BTreeMap;

use axum::{
    Router,
    extract::Request,
    middleware::{map_request, map_response},
    response::{IntoResponse as _, Response},
};
use serde_json::Value;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;

use crate::{
    ApiError, Code, Edge,
    authentication::protected_resource,
    middleware,
    openapi::{self, Document},
};

/// The version prefix of every path.
pub const BASE_PATH: &str = "/v1";

/// All routes of `routers` under the version prefix, and the well-known paths at the host's root.
pub fn app(routers: impl IntoIterator<Item = OpenApiRouter>, edge: Edge) -> Router {
    let merged = routers.into_iter().fold(OpenApiRouter::new(), OpenApiRouter::merge);
    let (router, _) = merged.split_for_parts();
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

/// Routes whose operations declare 503: they answer with `code` while storage is unavailable, where others answer with
/// 500.
pub fn unavailable_as<S>(code: Code, routes: OpenApiRouter<S>) -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    routes.route_layer(map_response(move |mut response: Response| async move {
        match response.extensions_mut().remove::<ApiError>() {
            Some(failure) => failure.or_unavailable(code).into_response(),
            None => response,
        }
    }))
}

/// The OpenAPI document of the given routers, with an example of each operation. Paths are relative to its server
/// address.
pub fn document(routers: impl IntoIterator<Item = OpenApiRouter>, examples: &Value) -> Value {
    let base = OpenApiRouter::with_openapi(Document::openapi());
    let (mut webhooks, mut parameters) = (None, BTreeMap::new());
    let merged = routers.into_iter().fold(base, |merged, mut router| {
        // What is merged loses them.
        let part = router.get_openapi_mut();
        webhooks = webhooks.take().or(part.webhooks.take());
        parameters.append(&mut part.components.get_or_insert_default().parameters);
        merged.merge(router)
    });
    let (_, mut document) = merged.split_for_parts();
    document.webhooks = webhooks;
    document.components.get_or_insert_default().parameters = parameters;
    document.servers = Some(vec![utoipa::openapi::Server::new(BASE_PATH)]);
    openapi::complete(document, examples)
}
