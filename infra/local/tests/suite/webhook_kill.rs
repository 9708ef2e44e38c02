//! Webhooks of a server that is killed again and again, and of a receiver that fails now and then.

use crate::server;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use serde_json::{Value, json};
use server::{Server, folder};
use standardwebhooks::Webhook;

/// How long nothing new may be told: longer than what a killed receiver of messages hides them for, and their
/// retries.
const PATIENCE: Duration = Duration::from_secs(240);
/// Of so many deliveries one is refused, at its first attempt: after a second refusal five minutes pass.
const REFUSED: u64 = 10;
/// How long a server lives.
const LIFE: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Seen {
    /// How often an identifier was taken, and which operation it told of.
    taken: Mutex<BTreeMap<String, (usize, String)>>,
    refused: Mutex<BTreeSet<String>>,
    arrived: AtomicU64,
    secret: Mutex<Option<Webhook>>,
    forged: AtomicU64,
}

async fn receive(State(seen): State<Arc<Seen>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let number = seen.arrived.fetch_add(1, Ordering::SeqCst);
    let verified = match &*seen.secret.lock().expect("a secret") {
        Some(webhook) => webhook.verify(&body, &headers).is_ok(),
        None => false,
    };
    if !verified {
        seen.forged.fetch_add(1, Ordering::SeqCst);
        return StatusCode::UNAUTHORIZED;
    }
    let id = headers["webhook-id"].to_str().expect("text").to_owned();
    if number % REFUSED == 3 && seen.refused.lock().expect("no panic").insert(id.clone()) {
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    let event: Value = serde_json::from_slice(&body).expect("JSON");
    if event["type"] == "webhook.test" {
        return StatusCode::NO_CONTENT;
    }
    let operation = event["data"]["operationId"].as_str().expect("an id").to_owned();
    let mut taken = seen.taken.lock().expect("no panic");
    taken.entry(id).or_insert((0, operation)).0 += 1;
    StatusCode::NO_CONTENT
}

/// Calls until `events` operations were answered. The server is killed after each second of that, at most
/// `most` times.
fn run(name: &str, events: usize, most: u32) -> String {
    let folder = folder(name);
    let options = ["--port", "0", "--data-dir", folder.as_str(), "--unlimited", "--allow-loopback"];
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let seen = Arc::new(Seen::default());
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let app = Router::new().fallback(receive).with_state(seen.clone());
    runtime.spawn(async move { axum::serve(listener, app).await });

    let mut server = Server::start(&options);
    let body = json!({"url": url, "events": ["operation.succeeded", "operation.failed"]});
    let made = server.post("/webhook-endpoints", &body)["data"].clone();
    let webhook = Webhook::new(made["secret"].as_str().expect("a secret")).expect("base64");
    *seen.secret.lock().expect("a secret") = Some(webhook);
    // Until an endpoint has accepted something, only ten deliveries wait for it.
    let id = made["id"].as_str().expect("an id");
    server.post(&format!("/webhook-endpoints/{id}"), &json!({}));

    let (mut kills, mut sent) = (0, 0);
    while sent < events {
        let time = if kills < most { LIFE } else { PATIENCE };
        sent += call_for(&server, sent, events, time);
        if kills < most {
            server.kill();
            kills += 1;
            server = Server::start(&options);
        }
    }
    let (mut known, mut since) = (0, Instant::now());
    let ended = loop {
        let ended = ended(&server);
        let told: BTreeSet<_> = seen
            .taken
            .lock()
            .expect("no panic")
            .values()
            .map(|(_, operation)| operation.clone())
            .collect();
        if let Some(ended) = ended
            && told == ended
        {
            break ended;
        }
        if told.len() > known {
            (known, since) = (told.len(), Instant::now());
        }
        assert!(since.elapsed() < PATIENCE, "{known} were told");
        // Whoever was killed with messages in hand leaves them hidden for a while.
        std::thread::sleep(Duration::from_millis(500));
    };
    server.stop();
    let taken = seen.taken.lock().expect("no panic");
    assert_eq!(taken.len(), ended.len(), "one identifier for each event");
    assert_eq!(seen.forged.load(Ordering::SeqCst), 0, "each signature verifies");
    assert!(ended.len() >= events, "{} of {events}", ended.len());
    let repeated: usize = taken.values().map(|(times, _)| times - 1).sum();
    format!(
        "{} events, {kills} kills, {} requests, {} refused, {repeated} repeated under the same identifier, none lost",
        ended.len(),
        seen.arrived.load(Ordering::SeqCst),
        seen.refused.lock().expect("no panic").len(),
    )
}

/// Sends calls, half of them deferred, until the time is over or there are enough; returns how many were
/// answered.
fn call_for(server: &Server, first: usize, events: usize, time: Duration) -> usize {
    let (client, address, key) =
        (server.client(), server.base_url().to_owned(), server.key().to_owned());
    let next = Arc::new(AtomicU64::new(first as u64));
    let answered = Arc::new(AtomicU64::new(0));
    let call = |_| {
        let (client, address, key) = (client.clone(), address.clone(), key.clone());
        let (next, answered) = (next.clone(), answered.clone());
        async move {
            loop {
                let number = next.fetch_add(1, Ordering::SeqCst);
                if number >= events as u64 {
                    return;
                }
                let mut request = client
                    .post(format!("{address}/prompts/generate"))
                    .bearer_auth(&key)
                    .header("Idempotency-Key", format!("{first}-{number}"))
                    .json(&json!({"message": "A haiku about rain"}));
                if number % 2 == 0 {
                    request = request.header("Prefer", "respond-async");
                }
                if request.send().await.is_ok_and(|answer| answer.status().is_success()) {
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            }
        }
    };
    server.block_on(async {
        let calls = futures::future::join_all((0..16).map(call));
        let _ = tokio::time::timeout(time, calls).await;
    });
    answered.load(Ordering::SeqCst) as usize
}

/// The operations that have ended, if none is still to end.
fn ended(server: &Server) -> Option<BTreeSet<String>> {
    let (mut ended, mut cursor) = (BTreeSet::new(), String::new());
    loop {
        let page = server.get(&format!("/operations?limit=100{cursor}"));
        for operation in page["data"]["items"].as_array()? {
            match operation["status"].as_str() {
                Some("SUCCEEDED" | "FAILED") => ended.insert(operation["id"].as_str()?.to_owned()),
                _ => return None,
            };
        }
        match page["data"]["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Some(ended),
        }
    }
}

#[test]
fn each_event_of_a_killed_server_is_told_and_none_is_invented() {
    println!("{}", run("webhook-kill", 300, 3));
}

/// The same with 10,000 events and a kill every second until all calls are answered:
/// `cargo test --release -p local webhook_kill -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn each_of_10_000_events_is_told() {
    println!("{}", run("webhook-kill-10000", 10_000, u32::MAX));
}
