//! Calls of the AWS SDKs to embedded services of the same process: as they would go over the wire, without a connection.

use std::{fmt, sync::Arc};

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
        SharedHttpConnector,
    },
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
    runtime_components::RuntimeComponents,
};
use aws_smithy_types::body::SdkBody;
use axum::{
    Router,
    body::{self, Body},
    http::{HeaderValue, Request, Response, Uri, header::HOST},
};
use embedded::Embedded;
use tower::ServiceExt as _;

/// A client that reaches these services, and nothing else.
pub fn http_client(embedded: &Embedded) -> SharedHttpClient {
    let services = embedded.routers().map(|(url, router)| {
        let authority = url.trim_start_matches("http://").to_owned();
        (authority, router)
    });
    SharedHttpClient::new(InProcessClient { services: services.into() })
}

#[derive(Clone)]
struct InProcessClient {
    /// Routers by host and port.
    services: Arc<[(String, Router)]>,
}

impl fmt::Debug for InProcessClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InProcessClient").finish_non_exhaustive()
    }
}

impl HttpClient for InProcessClient {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for InProcessClient {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let services = self.services.clone();
        HttpConnectorFuture::new(async move {
            let (router, request) = received(&services, request)?;
            // A call that was sent is done, whether or not its sender still waits.
            let answer = tokio::spawn(async move {
                let Ok(response) = router.oneshot(request).await;
                let (parts, body) = response.into_parts();
                let body = body::to_bytes(body, usize::MAX).await;
                body.map(|body| Response::from_parts(parts, SdkBody::from(body)))
            });
            let response = answer.await.map_err(|error| ConnectorError::io(error.into()))?;
            let response = response.map_err(|error| ConnectorError::io(error.into()))?;
            HttpResponse::try_from(response)
                .map_err(|error| ConnectorError::other(error.into(), None))
        })
    }
}

/// A request as the server of its service gets it.
fn received(
    services: &[(String, Router)],
    request: HttpRequest,
) -> Result<(Router, Request<Body>), ConnectorError> {
    let request = request.try_into_http1x().map_err(|error| ConnectorError::user(error.into()))?;
    let (mut parts, body) = request.into_parts();
    let authority = parts.uri.authority().map(ToString::to_string).unwrap_or_default();
    let router = services.iter().find(|(own, _)| *own == authority).map(|(_, router)| router);
    let router = router.ok_or_else(|| {
        ConnectorError::user(format!("{authority} is no service of this process").into())
    })?;
    let invalid = |error: axum::http::Error| ConnectorError::user(error.into());
    let path = parts.uri.path_and_query().cloned();
    let path = path.map_or_else(
        || Ok(Uri::from_static("/")),
        |path| Uri::builder().path_and_query(path).build(),
    );
    parts.uri = path.map_err(invalid)?;
    let host = HeaderValue::try_from(authority).map_err(|error| invalid(error.into()))?;
    parts.headers.entry(HOST).or_insert(host);
    Ok((router.clone(), Request::from_parts(parts, Body::new(body))))
}
