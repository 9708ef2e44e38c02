//! Signatures of S3 requests.
//!
//! `s3s` would verify them by the system's time alone, so they are verified here by the clock of the services. What
//! `s3s` gets is signed in its headers, whose time it is told not to mind: it verifies them once more, and with them
//! the bodies that they cover.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Clock;
use http::{HeaderValue, StatusCode, Uri, header::CONTENT_TYPE, request::Parts, uri::PathAndQuery};
use s3s::config::S3Config;

use crate::{
    Credentials, ServiceName,
    sigv4::{PAYLOAD, Refusal, UNSIGNED, Verifier, sign_parts},
};

/// Verifies requests, and signs those of presigned URLs anew.
#[derive(Clone)]
pub(super) struct Signatures {
    clock: Arc<dyn Clock>,
    credentials: Credentials,
    verifier: Verifier,
}

impl Signatures {
    pub(super) fn new(clock: Arc<dyn Clock>, credentials: Credentials) -> Self {
        let verifier = Verifier::new(ServiceName::S3, clock.clone(), &credentials);
        Self { clock, credentials, verifier }
    }

    fn check(&self, parts: &mut Parts) -> Result<(), Refusal> {
        let payload = parts.headers.get(PAYLOAD).and_then(|value| value.to_str().ok());
        let payload = payload.unwrap_or(UNSIGNED).to_owned();
        if !is_presigned(&parts.uri) {
            return self.verifier.check_headers(parts, &payload);
        }
        self.verifier.check_url(parts)?;
        parts.uri = without_signature(&parts.uri);
        sign_parts(&self.credentials, ServiceName::S3, parts, &payload, self.clock.now());
        Ok(())
    }
}

/// How `s3s` is to read requests: it minds no time.
pub(super) fn config() -> S3Config {
    let mut config = S3Config::default();
    config.presigned_url_max_skew_time_secs = u32::MAX;
    config
}

/// Passes on what is rightly signed.
pub(super) async fn verify(
    State(signatures): State<Signatures>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    match signatures.check(&mut parts) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(refusal) => refused(refusal),
    }
}

/// Whether the URL itself is signed.
pub(super) fn is_presigned(uri: &Uri) -> bool {
    let query = uri.query().unwrap_or_default();
    query.split('&').any(|pair| pair.starts_with("X-Amz-Signature="))
}

/// The URL without what belongs to its signature.
fn without_signature(uri: &Uri) -> Uri {
    let belongs = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        ["Algorithm", "Credential", "Date", "Expires", "SignedHeaders", "Signature"]
            .iter()
            .any(|field| name.strip_prefix("X-Amz-") == Some(field))
    };
    let query = uri.query().unwrap_or_default().split('&').filter(|pair| !belongs(pair));
    let target = format!("{}?{}", uri.path(), query.collect::<Vec<_>>().join("&"));
    let target = PathAndQuery::try_from(target.trim_end_matches('?'));
    target.map_or_else(|_| uri.clone(), Uri::from)
}

/// See [errors](https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html).
fn refused(refusal: Refusal) -> Response {
    let code = match refusal {
        Refusal::Missing | Refusal::Expired => "AccessDenied",
        Refusal::Malformed => "AuthorizationHeaderMalformed",
        Refusal::UnknownKey => "InvalidAccessKeyId",
        Refusal::Signature => "SignatureDoesNotMatch",
        Refusal::Skewed => "RequestTimeTooSkewed",
    };
    let status = match refusal {
        Refusal::Malformed => StatusCode::BAD_REQUEST,
        _ => StatusCode::FORBIDDEN,
    };
    let body = format!("<Error><Code>{code}</Code><Message>{refusal}</Message></Error>");
    let xml = [(CONTENT_TYPE, HeaderValue::from_static("application/xml"))];
    (status, xml, Body::from(body)).into_response()
}
