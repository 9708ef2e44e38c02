//! Client of the REST API: sends requests to its routes in this process, on behalf of the caller.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use axum::{Router, body::Body};
use domain::Scopes;
use edge::admission::internal::InternalRequest;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use rmcp::{ErrorData, RoleServer, service::RequestContext};
use serde_json::Value;
use tower::ServiceExt;

/// A response of the API.
#[derive(Clone, Debug)]
pub(crate) struct ApiResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// With its envelope.
    pub body: Value,
}

impl ApiResponse {
    /// The `data` of a success, or the whole response.
    pub fn data(mut self) -> Result<Value, Box<Self>> {
        if self.status.is_success() { Ok(self.body["data"].take()) } else { Err(Box::new(self)) }
    }

    /// The code of an error.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }

    /// Whether the token lacks a scope; its holder can request another token.
    pub fn is_out_of_scope(&self) -> bool {
        self.code() == "insufficient_scope"
    }
}

/// Sends the requests of one message to the API.
#[derive(Clone)]
pub(crate) struct ApiClient {
    api: Router,
    /// The caller and the context of the outer request.
    pub internal: InternalRequest,
    /// Name of the session, if the client sent one.
    pub session: Option<String>,
    forwarded: Arc<Mutex<Option<ApiResponse>>>,
    starts_session: Arc<AtomicBool>,
}

impl ApiClient {
    pub fn new(api: Router, internal: InternalRequest, session: Option<String>) -> Self {
        let (forwarded, starts_session) = Default::default();
        Self { api, internal, session, forwarded, starts_session }
    }

    /// The client for the message that the transport passed to its handler.
    pub fn of(context: &RequestContext<RoleServer>) -> Result<Self, ErrorData> {
        let parts = context.extensions.get::<http::request::Parts>();
        let api = parts.and_then(|parts| parts.extensions.get::<ApiClient>()).cloned();
        api.ok_or_else(|| {
            ErrorData::internal_error("The message came without an HTTP request.", None)
        })
    }

    /// Sends a request to the API.
    pub async fn send(&self, mut request: Request<Body>) -> ApiResponse {
        self.internal.clone().attach_to(request.extensions_mut());
        let response = match self.api.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let (head, body) = response.into_parts();
        let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        let body = serde_json::from_slice(&body).unwrap_or_default();
        ApiResponse { status: head.status, headers: head.headers, body }
    }

    /// `GET` of a path that begins with the version; 404 if the path is not a valid URI.
    pub async fn get(&self, path: &str) -> ApiResponse {
        match Request::get(path).body(Body::empty()) {
            Ok(request) => self.send(request).await,
            Err(_) => ApiResponse {
                status: StatusCode::NOT_FOUND,
                headers: HeaderMap::new(),
                body: Value::Null,
            },
        }
    }

    /// Admits the message by the cheapest request; returns the capabilities of the token.
    pub async fn authorize(&self) -> Result<Value, ErrorData> {
        let answer = self.get("/v1/capabilities").await;
        answer.data().map_err(|refused| self.forward(*refused))
    }

    /// Makes the API's response the one to the whole HTTP request: a missing scope, an exceeded
    /// rate or an internal error is for the client, not for the model.
    pub fn forward(&self, answer: ApiResponse) -> ErrorData {
        let message = answer.body["error"]["message"].as_str().unwrap_or_default().to_owned();
        *self.forwarded.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        ErrorData::internal_error(message, None)
    }

    /// Whether the token grants any scope.
    pub fn is_granted_something(&self) -> bool {
        self.internal.token().is_some_and(|token| token.claims.scopes != Scopes::NONE)
    }

    /// Records that the message starts a session.
    pub fn start_session(&self) {
        self.starts_session.store(true, Ordering::Relaxed);
    }

    /// Whether the message starts a session.
    pub fn starts_session(&self) -> bool {
        self.starts_session.load(Ordering::Relaxed)
    }

    /// Ends the message. One that has sent no request to the API, valid or not, is admitted and
    /// counted now, like any other request. Returns the forwarded response, if any.
    pub async fn finish(&self) -> Option<ApiResponse> {
        if let Some(answer) = self.forwarded() {
            return Some(answer);
        }
        if !self.internal.is_rate_counted() {
            let _ = self.authorize().await;
        }
        self.forwarded()
    }

    fn forwarded(&self) -> Option<ApiResponse> {
        self.forwarded.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
