//! `POST /mcp`: who calls and from where, then the SDK's transport, then HTTP's own answer where it is due.

use std::sync::{Arc, LazyLock};

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use bytes::Bytes;
use domain::random;
use edge::{Detail, Edge, Failure, exchange::Foreign, input::BODY_LIMIT, within::Within};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use serde::Deserialize;
use serde_json::{Value, json};
use url::{Host, Url};

use crate::{Mcp, handler::Handler, visit::Visit};

/// Names a conversation, for clients of the revisions that have sessions.
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
/// JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

type Transport = StreamableHttpService<Handler, NeverSessionManager>;

/// The SDK's transport without sessions: one JSON document an answer, or a stream where progress is told.
/// Hosts are not checked here: a page that has its name rebound gives itself away by [`from_safe_origin`].
static TRANSPORT: LazyLock<Transport> = LazyLock::new(|| {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_LIMIT)
        .disable_allowed_hosts();
    StreamableHttpService::new(|| Ok(Handler), Arc::new(NeverSessionManager::default()), config)
});

/// What is looked at of a message before the transport reads it.
#[derive(Deserialize)]
struct Message {
    method: Option<String>,
}

/// Answers one message.
pub(crate) async fn answer(State(mcp): State<Mcp>, request: Request) -> Result<Response, Failure> {
    if !from_safe_origin(request.headers()) {
        let message = "Requests of pages are answered if they come by HTTPS or from this machine.";
        return Ok(refused(StatusCode::FORBIDDEN, INVALID_REQUEST, message));
    }
    let (mut head, body) = request.into_parts();
    let within = Within::mcp(&head, &mcp.edge).await?;
    let body = read(body).await?;
    let bad = |code, message| Ok(refused(StatusCode::BAD_REQUEST, code, message));
    if body.trim_ascii_start().starts_with(b"[") {
        return bad(INVALID_REQUEST, "Batches are not supported: send one message a request.");
    }
    let begins_session = match serde_json::from_slice::<Message>(&body) {
        Ok(message) => message.method.as_deref() == Some("initialize"),
        Err(error) if error.is_data() => {
            return bad(INVALID_REQUEST, "The body is no JSON-RPC 2.0 message.");
        }
        Err(_) => return bad(PARSE_ERROR, "The body is not JSON."),
    };
    let session = head.headers.get(SESSION_ID).and_then(|id| id.to_str().ok());
    let visit = Visit::new(mcp.api, within, session.map(ToOwned::to_owned));
    head.extensions.insert(visit.clone());
    let response = TRANSPORT.handle(Request::from_parts(head, Body::from(body))).await;
    if let Some(answer) = visit.handed_on() {
        return Ok(foreign(answer.into_response()));
    }
    let mut response = in_form(response.map(Body::new)).await;
    if begins_session && response.status().is_success() {
        response.headers_mut().insert(SESSION_ID, session_id(&mcp.edge));
    }
    Ok(response)
}

/// The body, if it is no larger than any other request's may be.
async fn read(body: Body) -> Result<Bytes, Failure> {
    let read = Limited::new(body, BODY_LIMIT).collect().await;
    read.map(|body| body.to_bytes()).map_err(|_| {
        let detail = Detail::new("", format!("must have at most {BODY_LIMIT} bytes"));
        Failure::new(edge::Code::InvalidRequest).with_details(vec![detail])
    })
}

/// Whether a request comes from no page, or from one that cannot have had its name rebound to this machine:
/// its name has a certificate, or is this machine's own. Such a page still needs a token, which no browser
/// adds by itself.
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

/// A name for a conversation. Nothing is kept under it: it only keeps the identifiers of one conversation's
/// messages apart from another's.
fn session_id(edge: &Edge) -> HeaderValue {
    let bytes = random::bytes::<16>(&**edge.store().random());
    let text = BASE64_URL_SAFE_NO_PAD.encode(bytes);
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

fn foreign(mut response: Response) -> Response {
    response.extensions_mut().insert(Foreign);
    response
}

/// An error that stands for no message in particular.
fn refused(status: StatusCode, code: i32, message: &str) -> Response {
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": message}});
    foreign((status, axum::Json(error)).into_response())
}

/// What the transport refuses in plain words is told in the protocol's form.
async fn in_form(response: Response) -> Response {
    let (head, body) = response.into_parts();
    let json = HeaderValue::from_static("application/json");
    if !head.status.is_client_error() || head.headers.get(header::CONTENT_TYPE) == Some(&json) {
        return foreign(Response::from_parts(head, body));
    }
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    refused(head.status, INVALID_REQUEST, &String::from_utf8_lossy(&body))
}

/// The API's answer as HTTP's own.
impl IntoResponse for crate::visit::Answer {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.headers).into_response();
        *response.body_mut() = Body::from(Value::to_string(&self.body));
        response
    }
}
