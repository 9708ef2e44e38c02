//! A webhook, received and verified. The service must run with --allow-loopback.

use std::{
    env,
    error::Error,
    io,
    net::TcpListener,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use standardwebhooks::Webhook;
use ureq::Agent;
use uuid::Uuid;

#[derive(Deserialize)]
struct Event {
    r#type: String,
    data: Operation,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Operation {
    operation_id: String,
}

#[derive(Clone)]
struct Receiver {
    webhook: Arc<Webhook>,
    events: mpsc::Sender<Event>,
}

/// Takes what is signed with the secret. Deliveries may repeat: `webhook-id` tells which one it is.
///
/// `body` is what was sent, byte by byte: JSON that was read and written again has another signature.
async fn receive(State(receiver): State<Receiver>, headers: HeaderMap, body: Bytes) -> StatusCode {
    if receiver.webhook.verify(&body, &headers).is_err() {
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(event) = serde_json::from_slice(&body) else { return StatusCode::BAD_REQUEST };
    match receiver.events.send(event) {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn serve(listener: TcpListener, receiver: Receiver) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let routes = Router::new().route("/", post(receive)).with_state(receiver);
    axum::serve(tokio::net::TcpListener::from_std(listener)?, routes).await
}

#[derive(Deserialize)]
struct Answer<T> {
    data: T,
}

#[derive(Deserialize)]
struct Endpoint {
    id: String,
    secret: String,
}

struct Client {
    agent: Agent,
    api: String,
    authorization: String,
}

impl Client {
    fn post<T: DeserializeOwned>(&self, path: &str, body: Value) -> Result<T, ureq::Error> {
        let mut answer = self
            .agent
            .post(format!("{}{path}", self.api))
            .header("Authorization", &self.authorization)
            .header("Idempotency-Key", Uuid::new_v4().to_string())
            .send_json(body)?;
        Ok(answer.body_mut().read_json::<Answer<T>>()?.data)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let client = Client {
        agent: Agent::config_builder().timeout_global(Some(Duration::from_secs(30))).build().into(),
        api: env::var("API")?,
        authorization: format!("Bearer {}", env::var("KEY")?),
    };
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/", listener.local_addr()?);
    let events = ["operation.succeeded"];
    let endpoint: Endpoint =
        client.post("/webhook-endpoints", json!({"url": url, "events": events}))?;
    // The secret is told at creation and never again.
    let webhook = Arc::new(Webhook::new(&endpoint.secret)?);
    let (sender, received) = mpsc::channel();
    thread::spawn(move || serve(listener, Receiver { webhook, events: sender }));

    let forged = ureq::post(&url).send_json(json!({"type": "operation.succeeded"}));
    assert!(matches!(forged, Err(ureq::Error::StatusCode(401))));

    let made: Operation =
        client.post("/prompts/generate", json!({"message": "A haiku about rain"}))?;
    let event = received.recv_timeout(Duration::from_secs(30))?;
    assert_eq!(event.data.operation_id, made.operation_id);
    println!("{} {}", event.r#type, event.data.operation_id);

    client
        .agent
        .delete(format!("{}/webhook-endpoints/{}", client.api, endpoint.id))
        .header("Authorization", &client.authorization)
        .call()?;
    Ok(())
}
