//! Deliveries a second, against a bare HTTP client that posts the same bodies to the same receiver:
//! `cargo run --release -p local --example deliveries`. Without `--release` much of the time is the SDK's.
//!
//! Several ways in one run, each several times in turn, of which the best counts: the bare client, which keeps
//! its connections, and the same with a connection for each request; deliveries worked on from messages in
//! hand; and from the embedded queue, receiving and deleting included. Receiver and embedded services run in a
//! process of their own, as they do on AWS: a core's figure goes by the processor time of the process that
//! delivers, where the system tells it. Both clients work on one thread, as the function does.

use std::{
    error::Error,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::StatusCode,
    routing::{get, post},
};
use deliveries::DeliveriesFunction;
use domain::{AccountId, Clock, EventId, EventKind, Plan};
use edge::runtime::{SystemClock, SystemRandom};
use embedded::{Embedded, Options};
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
/// Rounds of each way.
const ROUNDS: usize = 5;
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
    let surroundings = Surroundings { services, receiver };
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
    let Surroundings { services, receiver: url } = serde_json::from_str(&line)?;
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
    let [mut bare, mut anew, mut worked, mut queued] = [Figure::default(); 4];
    for _ in 0..ROUNDS {
        bare = bare.or(measured(&url, post_barely(&keeping, &url, &notifications)).await?);
        anew = anew.or(measured(&url, post_barely(&connecting, &url, &notifications)).await?);
        worked = worked.or(measured(&url, work(&function, batches(&notifications))).await?);
        store.enqueue_notifications(&notifications).await?;
        queued = queued.or(measured(&url, poll(&poller)).await?);
    }
    for (name, figure) in [
        ("bare client", bare),
        ("a connection each", anew),
        ("deliveries", worked),
        ("from the queue", queued),
    ] {
        let Figure { a_second, a_core_second } = figure;
        println!(
            "{name:18}{a_second:6.0} a second ({:.2}), {a_core_second:6.0} a second of a core ({:.2})",
            a_second / bare.a_second,
            a_core_second / bare.a_core_second,
        );
    }
    Ok(())
}

/// Requests that arrived.
#[derive(Clone, Copy, Default)]
struct Figure {
    a_second: f64,
    a_core_second: f64,
}

impl Figure {
    /// The better of two.
    fn or(self, other: Self) -> Self {
        Self {
            a_second: self.a_second.max(other.a_second),
            a_core_second: self.a_core_second.max(other.a_core_second),
        }
    }
}

/// Requests that arrive while `work` runs.
async fn measured(url: &str, work: impl Future<Output = ()>) -> Result<Figure, Box<dyn Error>> {
    let before = arrived(url).await?;
    let (began, used) = (Instant::now(), processor_seconds());
    work.await;
    let (took, used) = (began.elapsed().as_secs_f64(), processor_seconds() - used);
    let arrived = arrived(url).await? - before;
    assert!(arrived >= DELIVERIES, "{arrived} arrived");
    Ok(Figure { a_second: arrived as f64 / took, a_core_second: arrived as f64 / used })
}

async fn arrived(url: &str) -> Result<usize, Box<dyn Error>> {
    Ok(reqwest::get(format!("{url}count")).await?.text().await?.parse()?)
}

/// Processor time of this process (Linux: fields 14 and 15 of `/proc/self/stat`, in hundredths); not a number
/// elsewhere.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = fields.skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    if ticks.len() == 2 { ticks.iter().sum::<f64>() / 100.0 } else { f64::NAN }
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
