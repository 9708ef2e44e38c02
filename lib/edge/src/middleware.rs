//! Around every request: identifier, envelope, rate headers, panics and the log.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
};

use axum::{
    Router,
    body::Body,
    extract::{MatchedPath, Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use domain::RequestId;
use futures::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use tokio::sync::watch;
use tower_http::cors::{Any, CorsLayer};

use crate::{
    ApiError, Code, Edge,
    admission::internal::InternalRequest,
    authentication::protected_resource,
    context::RequestContext,
    response::{ErrorBody, ErrorEnvelope, Payload},
};

/// Header with the identifier of the request.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Header that marks a replayed response.
pub const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Header that confirms `Prefer` (RFC 7240, section 3).
pub const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const RATE_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RATE_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
/// Browsers that once had a secure answer use no other for two years.
const STRICT_TRANSPORT_SECURITY: HeaderValue = HeaderValue::from_static("max-age=63072000");

/// Marks a response whose body already has another protocol's form, errors included.
#[derive(Clone, Copy, Debug)]
pub struct WithoutEnvelope;

/// Adds to a router everything that all responses share.
pub fn wrap(router: Router, edge: Edge) -> Router {
    router
        .layer(middleware::from_fn(catch_panic))
        .layer(cors())
        .layer(middleware::from_fn_with_state(edge, request_context))
}

/// A handler panicked. The log has the place; the message may quote what a user wrote.
#[derive(Debug, thiserror::Error)]
#[error("a handler panicked")]
struct HandlerPanic;

/// A panic becomes a normal response, so that the outer layers apply to it too.
async fn catch_panic(request: Request, next: Next) -> Response {
    let response = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    response.unwrap_or_else(|_| {
        ApiError::new(Code::InternalError).caused_by(HandlerPanic).into_response()
    })
}

/// Any origin, no credentials: the API authenticates by a header that no browser adds by itself.
fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("prefer"),
            // Sent by clients of the MCP interface.
            HeaderName::from_static("mcp-protocol-version"),
            HeaderName::from_static("mcp-session-id"),
            HeaderName::from_static("mcp-method"),
            HeaderName::from_static("mcp-name"),
        ])
        .expose_headers([
            X_REQUEST_ID,
            RATE_LIMIT,
            RATE_REMAINING,
            RATE_RESET,
            IDEMPOTENT_REPLAYED,
            PREFERENCE_APPLIED,
            header::LOCATION,
            header::RETRY_AFTER,
            header::WWW_AUTHENTICATE,
            header::ALLOW,
            HeaderName::from_static("mcp-session-id"),
        ])
        .max_age(std::time::Duration::from_secs(3600))
}

async fn request_context(State(edge): State<Edge>, mut request: Request, next: Next) -> Response {
    let clock = edge.clock();
    let started_at = clock.now();
    let context = match request.extensions().get::<InternalRequest>() {
        Some(internal) => internal.context().clone(),
        None => Arc::new(RequestContext {
            id: RequestId::new(clock, &**edge.store().random()),
            started_at,
            rate: OnceLock::new(),
            account: OnceLock::new(),
            operation: watch::Sender::new(None),
            resource: OnceLock::new(),
        }),
    };
    request.extensions_mut().insert(context.clone());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();

    let mut response = next.run(request).await;
    let failure = wrap_in_envelope(&mut response, context.id);
    add_headers(response.headers_mut(), &context, failure.as_ref(), &edge);

    let status = response.status().as_u16();
    let duration_ms = clock.now().since(started_at).as_millis() as u64;
    let account = context.account.get().map(ToString::to_string);
    let code = failure.as_ref().map(|failure| failure.code.as_str());
    let cause = failure.as_ref().and_then(|failure| failure.cause.as_deref()).map(error_chain);
    let route = route.as_ref().map_or("", MatchedPath::as_str);
    if status >= 500 {
        tracing::error!(request_id = %context.id, account, %method, route, status, duration_ms, code, cause, "answered");
    } else {
        tracing::info!(request_id = %context.id, account, %method, route, status, duration_ms, code, "answered");
    }
    response
}

/// An error and its sources, outermost first.
fn error_chain(error: &(dyn std::error::Error + Send + Sync + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        source = inner.source();
    }
    text
}

/// Gives the response its body; returns the error that it reports.
fn wrap_in_envelope(response: &mut Response, id: RequestId) -> Option<ApiError> {
    if let Some(Payload(json)) = response.extensions_mut().remove::<Payload>() {
        let mut body = Vec::with_capacity(json.len() + 64);
        body.extend_from_slice(br#"{"data":"#);
        body.extend_from_slice(&json);
        body.extend_from_slice(format!(r#","requestId":"{id}"}}"#).as_bytes());
        set_json(response, body);
        return None;
    }
    let failure = response.extensions_mut().remove::<ApiError>().or_else(|| {
        if response.extensions().get::<WithoutEnvelope>().is_some() {
            return None;
        }
        // Responses that the router makes itself.
        Some(ApiError::new(match response.status() {
            StatusCode::NOT_FOUND => Code::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Code::MethodNotAllowed,
            status if status.is_server_error() => Code::InternalError,
            status if status.is_client_error() => Code::InvalidRequest,
            _ => return None,
        }))
    })?;
    *response.status_mut() = failure.code.status();
    let envelope = ErrorEnvelope {
        error: ErrorBody {
            code: failure.code,
            message: failure.message.clone(),
            details: failure.details.clone(),
        },
        request_id: id.to_string(),
    };
    set_json(response, serde_json::to_vec(&envelope).unwrap_or_default());
    Some(failure)
}

fn set_json(response: &mut Response, json: Vec<u8>) {
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    *response.body_mut() = Body::from(json);
}

fn add_headers(
    headers: &mut HeaderMap,
    context: &RequestContext,
    failure: Option<&ApiError>,
    edge: &Edge,
) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Not over http (RFC 6797, section 7.2).
    if edge.base_url().starts_with("https://") {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT_SECURITY);
    }
    // Answers have what an account wrote, signed addresses and secrets (RFC 9111, section 5.2.2.5).
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let mut set = |name: HeaderName, value: String| {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    };
    set(X_REQUEST_ID, context.id.to_string());
    if let Some(rate) = context.rate.get() {
        set(RATE_LIMIT, rate.limit.to_string());
        set(RATE_REMAINING, rate.remaining().to_string());
        set(RATE_RESET, rate.seconds_left(edge.clock().now()).to_string());
    }
    let Some(failure) = failure else { return };
    if let Some(seconds) = failure.retry_after {
        set(header::RETRY_AFTER, seconds.to_string());
    }
    if let Some(challenge) = &failure.challenge {
        let resource = context.resource.get().copied().unwrap_or_default();
        let resource = format!("{}{resource}", edge.base_url());
        let metadata = edge.resource_server().map(|_| protected_resource::metadata_url(&resource));
        set(header::WWW_AUTHENTICATE, challenge.value(&failure.message, metadata.as_deref()));
    }
}
