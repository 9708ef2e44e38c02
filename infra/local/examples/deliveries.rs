//! Deliveries a second, against a bare HTTP client that posts the same bodies to the same receiver:
//! `cargo run --release -p local --example deliveries`. Without `--release` much of the time is the SDK's.
//!
//! Three ways in one run, each several times in turn, of which the best counts: the bare client with a
//! connection for each request, as deliveries have it; deliveries worked on from messages in hand; and from
//! the embedded queue, receiving and deleting included. Everything runs in this one process, the receiver
//! too. A core's figure goes by the processor time that all of that has used, where the system tells it.

use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use axum::{Router, extract::State, http::StatusCode};
use domain::{AccountId, Clock, EventId, EventKind, Plan};
use edge::{
    Edge,
    runtime::{SystemClock, SystemRandom},
};
use embedded::{Embedded, Options};
use futures::{StreamExt, stream};
use llm::moderation::Moderator;
use local::{assembly::Assembly, identity::Identity, poller::Poller, resources};
use outbound::{GuardedClient, Loopback, SystemResolver};
use store::{
    Store,
    events::{DeliveryMessage, Event, Notice},
    gate::Caps,
};

/// Deliveries of a round.
const DELIVERIES: usize = 2_000;
/// Rounds of each way.
const ROUNDS: usize = 3;
/// Batches worked on at once, and messages of a batch.
const AT_ONCE: usize = 4;
const BATCH: usize = 10;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let clock = Arc::new(SystemClock);
    let embedded = Embedded::start(Options::ephemeral(clock.clone())).await?;
    let clients = resources::clients(&embedded, |shared| shared);
    let names = resources::create(&embedded, &clients).await?.names;
    let random = Arc::new(SystemRandom);
    let store = Store::new(clients.clone(), names.clone(), clock.clone(), random.clone());
    let client = GuardedClient::new(Arc::new(SystemResolver), Loopback::Allowed)?;
    let secrets = Identity::new().secrets()?;
    let engine = Arc::new(engine::Rules);
    let base_url = "http://localhost/v1";
    let sealing_key = delivery::SealingKey::of(secrets.sealing_keys());
    let moderator = Moderator::new(Vec::new(), true, clock.clone());
    let edge = Edge::new(store.clone(), secrets, base_url, Caps::Lifted);
    let assembly = Assembly::new(edge, engine, client, moderator);

    let received = Arc::new(AtomicUsize::new(0));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    let app = Router::new().fallback(receive).with_state(received.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });

    let account = AccountId::new(&*clock, &*random);
    store.create_account(account, "Measured", Plan::Max).await?;
    let endpoint = endpoint(&store, account, &url, &sealing_key);
    store.create_endpoint(&endpoint).await?;
    let notices: Vec<_> =
        (0..DELIVERIES).map(|_| notice(account, endpoint.endpoint.id, &*clock, &*random)).collect();

    let [mut bare, mut worked, mut queued] = [Figure::default(); 3];
    let function = assembly.deliveries.clone();
    let queue_url = names.deliveries_queue_url;
    let poller = Poller { function: Arc::new(function.clone()), clients, queue_url };
    for _ in 0..ROUNDS {
        bare = bare.or(measured(&received, post_barely(&url, &notices)).await);
        worked = worked.or(measured(&received, work(&function, &notices)).await);
        store.notify_all(&notices).await?;
        queued = queued.or(measured(&received, poll(&poller)).await);
    }
    for (name, figure) in
        [("bare client", bare), ("deliveries", worked), ("from the queue", queued)]
    {
        let Figure { a_second, a_core_second } = figure;
        println!(
            "{name:15}{a_second:6.0} a second ({:.2}), {a_core_second:6.0} a second of a core ({:.2})",
            a_second / bare.a_second,
            a_core_second / bare.a_core_second,
        );
    }
    embedded.shutdown().await;
    Ok(())
}

async fn receive(State(received): State<Arc<AtomicUsize>>, _: axum::body::Bytes) -> StatusCode {
    received.fetch_add(1, Ordering::Relaxed);
    StatusCode::NO_CONTENT
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
async fn measured(received: &AtomicUsize, work: impl Future<Output = ()>) -> Figure {
    let before = received.load(Ordering::Relaxed);
    let (began, used) = (Instant::now(), processor_seconds());
    work.await;
    let arrived = received.load(Ordering::Relaxed) - before;
    assert!(arrived >= DELIVERIES, "{arrived} arrived");
    Figure {
        a_second: arrived as f64 / began.elapsed().as_secs_f64(),
        a_core_second: arrived as f64 / (processor_seconds() - used),
    }
}

/// Processor time of this process (Linux: fields 14 and 15 of `/proc/self/stat`, in hundredths); not a number
/// elsewhere.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = fields.skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    if ticks.len() == 2 { ticks.iter().sum::<f64>() / 100.0 } else { f64::NAN }
}

async fn post_barely(url: &str, notices: &[Notice]) {
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build();
    let client = &client.expect("a client");
    let posts = notices.iter().map(|notice| async move {
        let Notice::Delivery(message) = notice else { return };
        let body = serde_json::to_vec(&message.event).expect("JSON");
        let request = client.post(url).header("content-type", "application/json").body(body);
        let answer = request.send().await.expect("an answer");
        assert!(answer.status().is_success());
    });
    stream::iter(posts).buffer_unordered(AT_ONCE * BATCH).collect::<Vec<_>>().await;
}

async fn work(function: &deliveries::DeliveriesFunction, notices: &[Notice]) {
    let batches = notices.chunks(BATCH).map(|batch| async move {
        let mut event = SqsEvent::default();
        event.records = batch
            .iter()
            .map(|notice| {
                let mut message = SqsMessage::default();
                message.body = serde_json::to_string(notice).ok();
                message
            })
            .collect();
        let answer = function.handle(event).await;
        assert!(answer.batch_item_failures.is_empty());
    });
    stream::iter(batches).buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
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
    key: &delivery::SealingKey,
) -> store::webhooks::StoredEndpoint {
    let random = &**store.random();
    let id = domain::EndpointId::new(&**store.clock(), random);
    let secret = delivery::SigningSecret::new(random);
    store::webhooks::StoredEndpoint {
        account,
        endpoint: domain::Endpoint {
            id,
            url: url.to_owned(),
            description: None,
            events: domain::EventKinds::ALL,
            enabled: true,
            disabled_reason: None,
            last_delivery: None,
            updated_at: id.created_at(),
        },
        sealed_secret: key.seal(&secret, (account, id), random),
        revision: 1,
        failing_since: None,
        places: Vec::new(),
    }
}

fn notice(
    account_id: AccountId,
    endpoint_id: domain::EndpointId,
    clock: &dyn Clock,
    random: &dyn domain::Random,
) -> Notice {
    let id = EventId::new(clock, random);
    Notice::Delivery(DeliveryMessage {
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
        ticket: 0,
    })
}
