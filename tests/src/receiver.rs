//! A webhook receiver of a test.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};
use standardwebhooks::Webhook;
use tokio::{net::TcpListener, sync::Notify, task::AbortHandle};

use crate::{Account, documented};

/// The address of webhook endpoints.
pub const ENDPOINTS: &str = "/webhook-endpoints";

/// What a receiver does with a delivery.
#[derive(Clone, Debug)]
pub enum ReceiverBehavior {
    /// It answers with a status.
    Status(u16),
    /// It answers with a status and a header.
    With(u16, &'static str, String),
    /// It answers with a status once it is told to.
    Waits(u16, Arc<Notify>),
    /// It never answers.
    Hangs,
    /// It answers 200 with a body that never ends.
    Drips,
    /// It answers 200 with an endless body as fast as it can.
    Floods,
}

/// A delivery as it arrived.
#[derive(Clone, Debug)]
pub struct ReceivedDelivery {
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

impl ReceivedDelivery {
    /// A header's value.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}")).to_str().expect("text")
    }

    /// The body as JSON.
    pub fn event(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// Whether the reference library finds the signature to be the secret's. Its own check of the
    /// timestamp goes by this machine's clock, so that its signature is compared instead.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let webhook = Webhook::new(secret).expect("a secret");
        let timestamp = self.header("webhook-timestamp").parse().expect("seconds");
        let signature = webhook.sign(self.header("webhook-id"), timestamp, &self.body);
        signature.expect("text") == self.header("webhook-signature")
    }
}

#[derive(Debug, Default)]
struct Seen {
    received: Vec<ReceivedDelivery>,
    /// Next answers, then what stays.
    next: VecDeque<ReceiverBehavior>,
    usual: Option<ReceiverBehavior>,
}

/// A receiver on this machine.
pub struct Receiver {
    /// Its address.
    pub url: String,
    seen: Arc<Mutex<Seen>>,
    server: AbortHandle,
}

impl Receiver {
    /// One that takes everything.
    pub async fn start() -> Self {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/hooks", listener.local_addr().expect("an address"));
        let app = Router::new().fallback(receive).with_state(seen.clone());
        let server = tokio::spawn(async move { axum::serve(listener, app).await }).abort_handle();
        Self { url, seen, server }
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().expect("no test panics with it")
    }

    /// What it does from now on.
    pub fn set(&self, manner: ReceiverBehavior) {
        self.seen().usual = Some(manner);
    }

    /// What it does with the next deliveries, before it does as usual.
    pub fn answer_next(&self, manners: impl IntoIterator<Item = ReceiverBehavior>) {
        self.seen().next.extend(manners);
    }

    /// What has arrived.
    pub fn received(&self) -> Vec<ReceivedDelivery> {
        self.seen().received.clone()
    }

    /// How much has arrived.
    pub fn count(&self) -> usize {
        self.seen().received.len()
    }

    /// Forgets what has arrived.
    pub fn forget(&self) {
        self.seen().received.clear();
    }

    /// The address under another name of this machine, for tests of names.
    pub fn url_at(&self, host: &str) -> String {
        self.url.replace("127.0.0.1", host)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn receive(
    State(seen): State<Arc<Mutex<Seen>>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    documented::check_event(&serde_json::from_slice(&body).expect("JSON"));
    let manner = {
        let mut seen = seen.lock().expect("no test panics with it");
        seen.received.push(ReceivedDelivery { headers, body });
        let next = seen.next.pop_front();
        next.or_else(|| seen.usual.clone()).unwrap_or(ReceiverBehavior::Status(204))
    };
    let status = |status| StatusCode::from_u16(status).expect("a status");
    match manner {
        ReceiverBehavior::Status(code) => status(code).into_response(),
        ReceiverBehavior::With(code, name, value) => {
            (status(code), [(name, value)]).into_response()
        }
        ReceiverBehavior::Waits(code, go) => {
            go.notified().await;
            status(code).into_response()
        }
        ReceiverBehavior::Hangs => std::future::pending().await,
        ReceiverBehavior::Drips => {
            let first = futures::stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"x"))]);
            Body::from_stream(first.chain(futures::stream::pending())).into_response()
        }
        ReceiverBehavior::Floods => {
            let chunk = Bytes::from_static(&[b'x'; 4096]);
            let chunks =
                futures::stream::repeat_with(move || Ok::<_, std::io::Error>(chunk.clone()));
            ([(header::CONTENT_TYPE, "text/plain")], Body::from_stream(chunks)).into_response()
        }
    }
}

impl Account {
    /// Creates an endpoint; returns what the API answers.
    pub async fn create_endpoint(&self, url: &str, events: &[&str]) -> Value {
        let body = json!({"url": url, "events": events});
        self.send(Method::POST, ENDPOINTS, &body).await.data(200).clone()
    }

    /// An endpoint as the API shows it.
    pub async fn endpoint(&self, id: &Value) -> Value {
        let path = format!("{ENDPOINTS}/{}", id.as_str().expect("an id"));
        self.get(&path).await.data(200).clone()
    }
}
