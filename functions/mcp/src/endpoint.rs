//! `POST /mcp`: authenticates, checks the origin, runs the SDK's transport, forwards HTTP errors.

use std::sync::{Arc, LazyLock};

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use bytes::Bytes;
use domain::random;
use edge::{
    ApiError, Detail, Edge, admission::internal::InternalRequest, input::BODY_LIMIT,
    middleware::WithoutEnvelope,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, request::Parts};
use http_body_util::{BodyExt, Limited};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use serde_json::Value;
use url::{Host, Url};

use crate::{
    Mcp,
    api_client::ApiClient,
    handler::{Handler, UNSUPPORTED_VERSION},
    json_rpc::{self, JsonRpcError},
    scopes,
};

/// Name of a session, for clients of the revisions that have sessions.
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// Accepted content types of a response.
const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

type Transport = StreamableHttpService<Handler, NeverSessionManager>;

/// The SDK's transport without sessions: one JSON document per response, or a stream with progress.
/// It does not check hosts: [`from_safe_origin`] recognises a page with a rebound name.
static TRANSPORT: LazyLock<Transport> = LazyLock::new(|| {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_LIMIT)
        .disable_allowed_hosts();
    StreamableHttpService::new(|| Ok(Handler), Arc::new(NeverSessionManager::default()), config)
});

/// Answers one message.
pub(crate) async fn answer(State(mcp): State<Mcp>, request: Request) -> Result<Response, ApiError> {
    if !from_safe_origin(request.headers()) {
        let message = "Requests from web pages are accepted only from HTTPS or local origins.";
        let refused =
            JsonRpcError { status: StatusCode::FORBIDDEN, ..JsonRpcError::invalid(message) };
        return Ok(error_response(&refused));
    }
    let (head, body) = request.into_parts();
    let internal = match InternalRequest::mcp(&head, &mcp.edge).await {
        Ok(internal) => internal,
        Err(refused) if refused.has_challenge() => {
            return Err(refused.requiring(&scopes::of_message(body).await));
        }
        Err(refused) => return Err(refused),
    };
    let session = head.headers.get(SESSION_ID).and_then(|id| id.to_str().ok());
    let api = ApiClient::new(mcp.api, internal, session.map(ToOwned::to_owned));
    let dispatched = dispatch(&api, head, body).await;
    if let Some(answer) = api.finish().await {
        return Ok(without_envelope(answer.into_response()));
    }
    let mut response = dispatched?;
    if api.starts_session() {
        response.headers_mut().insert(SESSION_ID, session_id(&mcp.edge));
    }
    Ok(response)
}

/// The transport's response to a message, or why the message does not reach it.
async fn dispatch(api: &ApiClient, mut head: Parts, body: Body) -> Result<Response, ApiError> {
    let body = read(body).await?;
    let message = match json_rpc::read(&body) {
        Ok((method, _)) if method != "initialize" && names_unsupported_version(&head.headers) => {
            let refused = "Unsupported MCP-Protocol-Version: initialize again to agree on another.";
            return Ok(error_response(&JsonRpcError::invalid(refused)));
        }
        Ok((_, message)) => message,
        Err(refused) => return Ok(error_response(&refused)),
    };
    if accepts_anything(&head.headers) {
        head.headers.insert(header::ACCEPT, BOTH);
    }
    head.extensions.insert(api.clone());
    let response =
        TRANSPORT.handle(Request::from_parts(head, Body::from(message.to_string()))).await;
    Ok(as_json_rpc(response.map(Body::new)).await)
}

/// Whether a client accepts any type (RFC 9110, section 12.5.1); the transport wants both named.
fn accepts_anything(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|accepted| accepted.to_str().ok())
        .flat_map(|accepted| accepted.split(','))
        .any(|range| range.trim() == "*/*")
}

/// Whether a request names the revision that the transport knows, but this server does not accept.
fn names_unsupported_version(headers: &HeaderMap) -> bool {
    headers.get(VERSION).is_some_and(|named| named == UNSUPPORTED_VERSION.as_str())
}

/// The body, up to the limit of all request bodies.
async fn read(body: Body) -> Result<Bytes, ApiError> {
    let read = Limited::new(body, BODY_LIMIT).collect().await;
    read.map(|body| body.to_bytes()).map_err(|_| {
        let detail = Detail::new("", format!("must have at most {BODY_LIMIT} bytes"));
        ApiError::new(edge::Code::InvalidRequest).with_details(vec![detail])
    })
}

/// Whether a request comes from no page, or from one whose name cannot have been rebound to this
/// machine: the name has a certificate, or is this machine's own. Such a page still needs a token,
/// which no browser adds by itself.
fn from_safe_origin(headers: &HeaderMap) -> bool {
    headers.get_all(header::ORIGIN).iter().all(|origin| {
        let url = origin.to_str().ok().and_then(|origin| Url::parse(origin).ok());
        url.is_some_and(|url| match (url.scheme(), url.host()) {
            ("https", Some(_)) => true,
            ("http", Some(Host::Domain(name))) => name == "localhost",
            ("http", Some(Host::Ipv4(address))) => address.is_loopback(),
            ("http", Some(Host::Ipv6(address))) => address.is_loopback(),
            _ => false,
        })
    })
}

/// A name for a session. Nothing is stored under it: it only distinguishes the message ids of
/// different sessions.
fn session_id(edge: &Edge) -> HeaderValue {
    let bytes = random::bytes::<16>(&**edge.store().random());
    let text = BASE64_URL_SAFE_NO_PAD.encode(bytes);
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

fn without_envelope(mut response: Response) -> Response {
    response.extensions_mut().insert(WithoutEnvelope);
    response
}

/// An error outside of the handlers.
fn error_response(refused: &JsonRpcError) -> Response {
    without_envelope((refused.status, axum::Json(refused.to_json())).into_response())
}

/// Converts the transport's plain-text errors to JSON-RPC.
async fn as_json_rpc(response: Response) -> Response {
    let (head, body) = response.into_parts();
    let json = HeaderValue::from_static("application/json");
    if !head.status.is_client_error() || head.headers.get(header::CONTENT_TYPE) == Some(&json) {
        return without_envelope(Response::from_parts(head, body));
    }
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let refused = JsonRpcError::invalid(&String::from_utf8_lossy(&body));
    error_response(&JsonRpcError { status: head.status, ..refused })
}

/// The API's response as the HTTP response.
impl IntoResponse for crate::api_client::ApiResponse {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.headers).into_response();
        *response.body_mut() = Body::from(Value::to_string(&self.body));
        response
    }
}
