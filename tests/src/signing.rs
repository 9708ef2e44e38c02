//! Signs calls on their arrival: what a test injects changes them and holds them back after the SDK has signed them.

use std::{fmt, sync::Arc};

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
        SharedHttpConnector,
    },
    orchestrator::HttpRequest,
    result::ConnectorError,
    runtime_components::RuntimeComponents,
};
use aws_smithy_types::body::SdkBody;
use axum::{body::Bytes, http};
use domain::Clock;
use embedded::{Credentials, ServiceName};

use crate::clock::ManualClock;

/// The client that signs calls to tables and queues before `inner` sends them. What a bucket gets stays as it is.
pub(crate) fn signed(
    credentials: Credentials,
    clock: Arc<ManualClock>,
    inner: SharedHttpClient,
) -> SharedHttpClient {
    SharedHttpClient::new(SigningClient { credentials, clock, inner })
}

#[derive(Debug)]
struct SigningClient {
    credentials: Credentials,
    clock: Arc<ManualClock>,
    inner: SharedHttpClient,
}

impl HttpClient for SigningClient {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(SigningConnector {
            credentials: self.credentials.clone(),
            clock: self.clock.clone(),
            inner: self.inner.http_connector(settings, components),
        })
    }
}

struct SigningConnector {
    credentials: Credentials,
    clock: Arc<ManualClock>,
    inner: SharedHttpConnector,
}

impl fmt::Debug for SigningConnector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningConnector")
    }
}

impl SigningConnector {
    fn sign(&self, request: HttpRequest) -> Result<HttpRequest, ConnectorError> {
        let service = match request.headers().get("x-amz-target") {
            Some(target) if target.starts_with("AmazonSQS.") => ServiceName::Sqs,
            Some(_) => ServiceName::DynamoDb,
            None => return Ok(request),
        };
        let request =
            request.try_into_http1x().map_err(|error| ConnectorError::user(error.into()))?;
        let (parts, body) = request.into_parts();
        let body = Bytes::copy_from_slice(body.bytes().unwrap_or_default());
        let request = http::Request::from_parts(parts, body);
        let request = self.credentials.sign(service, request, self.clock.now());
        let request = HttpRequest::try_from(request.map(SdkBody::from));
        request.map_err(|error| ConnectorError::user(error.into()))
    }
}

impl HttpConnector for SigningConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        match self.sign(request) {
            Ok(request) => self.inner.call(request),
            Err(error) => HttpConnectorFuture::ready(Err(error)),
        }
    }
}
