//! Deliveries a second, against a bare HTTP client that posts the same bodies to the same receiver:
//! `cargo run --release -p local --example deliveries`. Without `--release` much of the time is the SDK's.
//!
//! Four ways in turn, several times after a warm-up: the bare client with a connection for each request, and the same
//! with connections that it keeps; deliveries, which keep theirs for a second, worked on from messages in hand; and from
//! the embedded queue, receiving and deleting included. Receiver and embedded services run in a process of their own, as
//! they do on AWS: figures go by the processor time of the process that delivers. Both clients work on one thread, as
//! the function does. Printed are the median of the rounds and their quartiles; a round's ratio is that to the first way
//! of the same round.

use std::{
    error::Error,
    fmt,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::StatusCode,
    routing::{get, post},
};
use cpu_time::ProcessTime;
use deliveries::DeliveriesFunction;
use domain::{AccountId, Clock, EventId, EventKind, Plan};
use edge::runtime::{SystemClock, SystemRandom};
use embedded::{Credentials, Embedded, Options};
use futures::{StreamExt, stream};
use local::{identity::Identity, poller::Poller, resources, service_endpoints::ServiceEndpoints};
use outbound::{GuardedClient, Loopback, Ports, SystemResolver};
use serde::{Deserialize, Serialize};
use sqs_consumer::SqsHandler as _;
use store::{
    Store,
    admission::Limits,
    webhooks::queue::{DeliveryMessage, Event, Notification},
};
use webhook_delivery::{Deliveries, WebhookSender};

/// Deliveries of a round.
const DELIVERIES: usize = 4_000;
/// Rounds of each way, after the one that warms up.
const ROUNDS: usize = 15;
/// Batches worked on at once, and messages of a batch.
const AT_ONCE: usize = 4;
const BATCH: usize = 10;
/// What the process is told that runs everything but deliveries.
const SURROUNDINGS: &str = "surroundings";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).as_deref() == Some(SURROUNDINGS) {
        return surroundings().await;
    }
    let mut process = Command::new(std::env::current_exe()?)
        .arg(SURROUNDINGS)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let measured = measure(&mut process).await;
    drop(process.stdin.take());
    process.wait()?;
    measured
}

/// Where everything answers.
#[derive(Serialize, Deserialize)]
struct Surroundings {
    services: ServiceEndpoints,
    /// What calls of the services are signed with. They are not written with their addresses.
    credentials: Credentials,
    receiver: String,
}

/// Runs the embedded services and a receiver until standard input ends.
async fn surroundings() -> Result<(), Box<dyn Error>> {
    let embedded = Embedded::start(Options::ephemeral(Arc::new(SystemClock))).await?;
    let services = ServiceEndpoints::of(&embedded);
    let clients = resources::clients(services.clone(), |shared| shared);
    resources::create(&services, &clients).await?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let receiver = format!("http://{}/", listener.local_addr()?);
    let received = Arc::new(AtomicUsize::new(0));
    let app = Router::new().route("/", post(receive)).route("/count", get(count));
    tokio::spawn(axum::serve(listener, app.with_state(received)).into_future());
    let credentials = services.credentials.clone();
    let surroundings = Surroundings { services, credentials, receiver };
    println!("{}", serde_json::to_string(&surroundings)?);
    let stopped = tokio::task::spawn_blocking(|| std::io::stdin().lines().for_each(drop));
    stopped.await?;
    embedded.shutdown().await;
    Ok(())
}

type Received = Arc<AtomicUsize>;

async fn receive(State(received): State<Received>, _: Bytes) -> StatusCode {
    received.fetch_add(1, Ordering::Relaxed);
    StatusCode::NO_CONTENT
}

async fn count(State(received): State<Received>) -> String {
    received.load(Ordering::Relaxed).to_string()
}

async fn measure(process: &mut Child) -> Result<(), Box<dyn Error>> {
    let mut line = String::new();
    BufReader::new(process.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let Surroundings { services, credentials, receiver: url } = serde_json::from_str(&line)?;
    let services = ServiceEndpoints { credentials, ..services };
    let names = resources::named(&services).names;
    let clients = resources::clients(services, |shared| shared);
    let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
    let store = Store::new(clients.clone(), names.clone(), clock.clone(), random.clone());
    let client = GuardedClient::new(Arc::new(SystemResolver), Loopback::Allowed, Ports::All)?;
    let encryption_key =
        webhook_delivery::EncryptionKey::of(Identity::new().secrets()?.encryption_keys());

    let account = AccountId::new(&*clock, &*random);
    store.create_account(account, "Measured", Plan::Max).await?;
    let endpoint = endpoint(&store, account, &url, &encryption_key);
    store.create_endpoint(&endpoint).await?;
    store.record_proof(&endpoint).await?;
    let notifications: Vec<_> = (0..DELIVERIES)
        .map(|_| notification(account, endpoint.endpoint.id, &*clock, &*random))
        .collect();

    let sender = WebhookSender::new(client, clock.clone());
    let deliveries =
        Deliveries { store: store.clone(), sender, encryption_key, limits: Limits::Lifted };
    let function = DeliveriesFunction { deliveries };
    let queue_url = names.deliveries_queue_url;
    let poller = Poller { function: Arc::new(function.clone()), clients, queue_url };
    let (keeping, connecting) = (bare_client(AT_ONCE * BATCH)?, bare_client(0)?);
    let mut rounds: Vec<[f64; WAYS.len()]> = Vec::new();
    for _ in 0..=ROUNDS {
        let anew = measured(&url, post_barely(&connecting, &url, &notifications)).await?;
        let worked = measured(&url, work(&function, batches(&notifications))).await?;
        store.enqueue_notifications(&notifications).await?;
        let queued = measured(&url, poll(&poller)).await?;
        let kept = measured(&url, post_barely(&keeping, &url, &notifications)).await?;
        rounds.push([anew, worked, queued, kept]);
    }
    let rounds = &rounds[1..];
    println!("{DELIVERIES} requests a round, {ROUNDS} rounds: median (quartiles)");
    for (way, name) in WAYS.into_iter().enumerate() {
        let took = Spread::of(rounds.iter().map(|round| round[way]), 1);
        let a_core_second = Spread::of(rounds.iter().map(|round| 1e6 / round[way]), 0);
        let ratio = Spread::of(rounds.iter().map(|round| round[0] / round[way]), 2);
        println!("{name:18}{took} µs each, {a_core_second} a second of a core, ratio {ratio}");
    }
    Ok(())
}

/// The ways, the first of which the others are compared with.
const WAYS: [&str; 4] = ["a connection each", "deliveries", "from the queue", "connections kept"];

/// The median of figures and their quartiles, to be shown with so many decimals.
struct Spread {
    quartiles: [f64; 3],
    decimals: usize,
}

impl Spread {
    fn of(figures: impl Iterator<Item = f64>, decimals: usize) -> Self {
        let mut figures: Vec<f64> = figures.collect();
        figures.sort_by(f64::total_cmp);
        let quartiles = [1, 2, 3].map(|quarter| figures[(figures.len() - 1) * quarter / 4]);
        Self { quartiles, decimals }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { quartiles: [low, median, high], decimals } = self;
        write!(f, "{median:.decimals$} ({low:.decimals$}–{high:.decimals$})")
    }
}

/// Processor time in microseconds of each request that arrives while `work` runs.
async fn measured(url: &str, work: impl Future<Output = ()>) -> Result<f64, Box<dyn Error>> {
    let before = arrived(url).await?;
    let began = ProcessTime::now();
    work.await;
    let used = began.elapsed();
    let arrived = arrived(url).await? - before;
    assert!(arrived >= DELIVERIES, "{arrived} arrived");
    Ok(used.as_secs_f64() * 1e6 / arrived as f64)
}

async fn arrived(url: &str) -> Result<usize, Box<dyn Error>> {
    Ok(reqwest::get(format!("{url}count")).await?.text().await?.parse()?)
}

fn bare_client(connections_kept: usize) -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().no_proxy().pool_max_idle_per_host(connections_kept).build()
}

async fn post_barely(client: &reqwest::Client, url: &str, notifications: &[Notification]) {
    let posts = notifications.iter().map(|notification| async move {
        let Notification::Delivery(message) = notification else { return };
        let body = serde_json::to_vec(&message.event).expect("JSON");
        let request = client.post(url).header("content-type", "application/json").body(body);
        let answer = request.send().await.expect("an answer");
        assert!(answer.status().is_success());
        answer.bytes().await.expect("a body");
    });
    stream::iter(posts).buffer_unordered(AT_ONCE * BATCH).collect::<Vec<_>>().await;
}

fn batches(notifications: &[Notification]) -> Vec<SqsEvent> {
    let message = |notification: &Notification| {
        let mut message = SqsMessage::default();
        message.body = serde_json::to_string(notification).ok();
        message
    };
    let batch = |notifications: &[Notification]| {
        let mut event = SqsEvent::default();
        event.records = notifications.iter().map(message).collect();
        event
    };
    notifications.chunks(BATCH).map(batch).collect()
}

async fn work(function: &DeliveriesFunction, batches: Vec<SqsEvent>) {
    let work = batches.into_iter().map(|batch| async move {
        let answer = function.handle(batch).await;
        assert!(answer.batch_item_failures.is_empty());
    });
    stream::iter(work).buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
}

async fn poll(poller: &Poller) {
    let pollers =
        (0..AT_ONCE).map(|_| async { while poller.poll(0).await.expect("a queue") > 0 {} });
    futures::future::join_all(pollers).await;
}

fn endpoint(
    store: &Store,
    account: AccountId,
    url: &str,
    key: &webhook_delivery::EncryptionKey,
) -> store::webhooks::StoredEndpoint {
    let random = &**store.random();
    let id = domain::EndpointId::new(&**store.clock(), random);
    let secret = webhook_delivery::SigningSecret::new(random);
    let endpoint = domain::Endpoint {
        id,
        url: url.to_owned(),
        description: None,
        events: domain::EventKinds::ALL,
        enabled: true,
        disabled_reason: None,
        last_delivery: None,
        updated_at: id.created_at(),
    };
    let encrypted = key.encrypt(&secret, (account, id), random);
    store::webhooks::StoredEndpoint::new(account, endpoint, encrypted, None)
}

fn notification(
    account_id: AccountId,
    endpoint_id: domain::EndpointId,
    clock: &dyn Clock,
    random: &dyn domain::Random,
) -> Notification {
    let id = EventId::new(clock, random);
    Notification::Delivery(DeliveryMessage {
        account_id,
        endpoint_id,
        event: Event {
            id,
            kind: EventKind::OperationSucceeded,
            timestamp: clock.now(),
            data: serde_json::json!({
                "operationId": id.to_string().replace("evt_", "op_"),
                "kind": "generatePrompt",
                "status": "SUCCEEDED",
                "createdAt": clock.now(),
                "completedAt": clock.now(),
                "creditsUsed": 1,
                "error": null,
            }),
        },
        attempt: 1,
        not_before: clock.now(),
        deferrals: 0,
        hops: 0,
        hop_token: 0,
        claim_token: 0,
        recovery: 0,
    })
}
