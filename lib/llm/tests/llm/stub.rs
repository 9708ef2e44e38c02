//! A provider on loopback. Checks every request against the provider's protocol, records it, and
//! plays answers in order.

use std::{
    collections::VecDeque,
    convert::Infallible,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use futures::stream;
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::{
    Request, Response,
    body::{Bytes, Frame, Incoming},
    header::{HeaderMap, HeaderName, HeaderValue},
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::{net::TcpListener, sync::watch};

/// A received request.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// An answer to play.
#[derive(Clone, Debug)]
pub enum Play {
    /// A status, headers and a body.
    Reply(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// A body without an end and without `Content-Length`.
    Endless,
    /// No answer ever.
    Silence,
    /// The connection is closed without an answer.
    HangUp,
}

impl Play {
    pub fn json(status: u16, body: &Value) -> Self {
        let kind = ("content-type", "application/json".to_owned());
        Self::Reply(status, vec![kind], body.to_string().into_bytes())
    }

    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        if let Self::Reply(_, headers, _) = &mut self {
            headers.push((name, value.to_string()));
        }
        self
    }
}

type Check = fn(&Seen) -> Vec<String>;

#[derive(Debug)]
struct State {
    check: Check,
    script: Mutex<VecDeque<Play>>,
    seen: Mutex<Vec<Seen>>,
    complaints: Mutex<Vec<String>>,
    count: watch::Sender<usize>,
    connections: Mutex<usize>,
}

/// The provider. When it is dropped, it fails the test if a request broke the protocol.
#[derive(Debug)]
pub struct Stub {
    pub address: SocketAddr,
    state: Arc<State>,
}

impl Stub {
    pub async fn start(check: Check, script: impl IntoIterator<Item = Play>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            check,
            script: Mutex::new(script.into_iter().collect()),
            seen: Mutex::default(),
            complaints: Mutex::default(),
            count: watch::Sender::new(0),
            connections: Mutex::default(),
        });
        tokio::spawn(accept(listener, state.clone()));
        Self { address, state }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().unwrap().clone()
    }

    pub fn connections(&self) -> usize {
        *self.state.connections.lock().unwrap()
    }

    /// Resolves once `count` requests were received.
    pub async fn requested(&self, count: usize) {
        self.state.count.subscribe().wait_for(|seen| *seen >= count).await.unwrap();
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        let complaints = self.state.complaints.lock().unwrap();
        if !std::thread::panicking() {
            assert!(complaints.is_empty(), "the protocol was broken: {complaints:#?}");
        }
    }
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        *state.connections.lock().unwrap() += 1;
        let state = state.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(request, state.clone()));
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

#[derive(Debug)]
struct Gone;

impl std::fmt::Display for Gone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("gone")
    }
}

impl std::error::Error for Gone {}

impl From<Infallible> for Gone {
    fn from(_: Infallible) -> Self {
        Self
    }
}

async fn answer(
    request: Request<Incoming>,
    state: Arc<State>,
) -> Result<Response<UnsyncBoxBody<Bytes, Gone>>, Gone> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| Gone)?.to_bytes();
    let mut complaints = Vec::new();
    let body = serde_json::from_slice(&body).unwrap_or_else(|error| {
        complaints.push(format!("the body is not JSON: {error}"));
        Value::Null
    });
    let seen = Seen {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        headers: head.headers,
        body,
    };
    complaints.extend((state.check)(&seen));
    state.complaints.lock().unwrap().extend(complaints);
    state.seen.lock().unwrap().push(seen);
    let play = state.script.lock().unwrap().pop_front();
    state.count.send_modify(|count| *count += 1);
    match play {
        Some(Play::Reply(status, headers, body)) => {
            let mut response =
                Response::new(Full::new(Bytes::from(body)).map_err(Gone::from).boxed_unsync());
            *response.status_mut() = status.try_into().unwrap();
            for (name, value) in headers {
                let value = HeaderValue::from_str(&value).unwrap();
                response.headers_mut().insert(HeaderName::from_static(name), value);
            }
            Ok(response)
        }
        Some(Play::Endless) => {
            let chunk = || Ok(Frame::data(Bytes::from(vec![b' '; 100_000])));
            let body = StreamBody::new(stream::repeat_with(chunk));
            Ok(Response::new(body.boxed_unsync()))
        }
        Some(Play::Silence) => std::future::pending().await,
        Some(Play::HangUp) => Err(Gone),
        None => {
            state.complaints.lock().unwrap().push("a request that nobody expected".to_owned());
            Err(Gone)
        }
    }
}
