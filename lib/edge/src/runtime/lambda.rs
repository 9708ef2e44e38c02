//! Routers and handlers as AWS Lambda functions.

use axum::Router;

/// Serves a router on events of an API Gateway HTTP API until the environment shuts down.
pub async fn serve(router: Router) -> Result<(), lambda_http::Error> {
    lambda_http::run(router).await
}
