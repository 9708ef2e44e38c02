//! How long a deferred operation waits while calls of other accounts are refused:
//! `cargo run --release -p local --example refusals`. Fails if they delay it by a second.
//!
//! Twenty messages are worked on at once, as the template has it with a language model. The embedded queue does
//! not prefer quiet accounts, as SQS fair queues do, so these are the figures without their help.

use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use domain::{AccountId, OperationId, Plan, Scope, Scopes, Timestamp, prices::Budget};
use edge::{
    Edge, Secrets,
    authentication::api_key,
    runtime::{SystemClock, SystemRandom},
};
use embedded::{Embedded, Options};
use llm::moderation::Moderator;
use local::{
    application::Application, poller::Poller, resources, service_endpoints::ServiceEndpoints,
};
use outbound::{GuardedClient, Loopback, Ports, SystemResolver};
use rules::Rules;
use serde_json::{Value, json};
use store::{Store, accounts::NewKey, admission::Limits};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
    task::JoinHandle,
};
use workflow::Deadlines;

/// Accounts that are refused, and refusals of all of them in a second.
const ACCOUNTS: usize = 10;
const A_SECOND: u32 = 300;
/// Most of them that wait for their answers: a machine that cannot answer so many gets as many as it can, and the
/// rate is shown.
const AT_ONCE: usize = 20;
/// How long they are refused before the first measurement: longer than a message without an operation is kept.
const LEAD: Duration = Duration::from_secs(25);
/// Operations measured, one after another.
const OPERATIONS: usize = 30;
/// Most that one of them may be delayed.
const DELAY: Duration = Duration::from_secs(1);
/// Pollers, each of which works on ten messages at once.
const POLLERS: usize = 2;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let clock = Arc::new(SystemClock);
    let embedded = Embedded::start(Options::ephemeral(clock.clone())).await?;
    let addresses = ServiceEndpoints::of(&embedded);
    let clients = resources::clients(addresses.clone(), |shared| shared);
    let names = resources::create(&addresses, &clients).await.map_err(|it| it.to_string())?.names;
    let store = Store::new(clients.clone(), names.clone(), clock.clone(), Arc::new(SystemRandom));
    let secrets = Secrets::derive(&[7; 32])?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let base_url = format!("http://{}/v1", listener.local_addr()?);
    let edge = Edge::new(store.clone(), secrets.clone(), &base_url, Limits::Lifted);
    let client = GuardedClient::new(Arc::new(SystemResolver), Loopback::Refused, Ports::All)?;
    let moderator = Moderator::of_rules(clock);
    let engine = (Arc::new(Rules) as _, Budget::default(), Deadlines::default());
    let application = Application::new(|_| edge.clone(), engine, client, moderator);
    let (_running, stopped) = watch::channel(false);
    let queue_url = names.operations_queue_url;
    let poller = Poller { function: Arc::new(application.processor.clone()), clients, queue_url };
    for _ in 0..POLLERS {
        tokio::spawn(poller.clone().run(stopped.clone()));
    }
    tokio::spawn(axum::serve(listener, application.router()).into_future());

    let http = reqwest::Client::new();
    let quiet = Caller::new(&store, &secrets, &http, &base_url).await?;
    let mut refused = Vec::new();
    for _ in 0..ACCOUNTS {
        let caller = Caller::new(&store, &secrets, &http, &base_url).await?;
        caller.generate("k", "Write a haiku", false).await?;
        refused.push(caller);
    }

    let alone = quiet.waits().await?;
    show("alone", &alone, None);
    let calls = Flood::start(move |number| {
        let caller = refused[number % ACCOUNTS].clone();
        async move { caller.is_refused(number).await }
    });
    tokio::time::sleep(LEAD).await;
    let beside_calls = quiet.waits().await?;
    show("beside refused calls", &beside_calls, Some(calls.stop()));
    let usual = alone[alone.len() / 2];
    let longest = beside_calls.last().copied().unwrap_or_default();
    if longest >= usual + DELAY {
        return Err(format!("an operation is delayed by {:?}", longest - usual).into());
    }
    Ok(())
}

fn show(name: &str, waits: &[Duration], a_second: Option<f64>) {
    let (median, longest) = (waits[waits.len() / 2], waits[waits.len() - 1]);
    let a_second = a_second.map_or(String::new(), |rate| format!(", {rate:.0} a second"));
    println!("{name:21} median {median:>6.0?}, longest {longest:>6.0?}{a_second}");
}

/// An account of the service.
#[derive(Clone)]
struct Caller {
    key: String,
    /// A key without the scope that the calls need.
    narrow_key: String,
    http: reqwest::Client,
    base_url: String,
}

impl Caller {
    async fn new(
        store: &Store,
        secrets: &Secrets,
        http: &reqwest::Client,
        base_url: &str,
    ) -> Result<Self, Failure> {
        let account = AccountId::new(&SystemClock, &SystemRandom);
        store.create_account(account, "Measured", Plan::Max).await?;
        let mut keys = Vec::new();
        for scopes in [Scopes::ALL, [Scope::UsageRead].into_iter().collect()] {
            let minted = api_key::mint(account, secrets, &SystemClock, &SystemRandom);
            let (id, fingerprint) = (minted.id, minted.fingerprint);
            let name = "Measured".to_owned();
            store
                .add_key(account, &NewKey { id, fingerprint, name, scopes, expires_at: None })
                .await?;
            keys.push(minted.text);
        }
        let [key, narrow_key] = keys.try_into().map_err(|_| "two keys")?;
        let (http, base_url) = (http.clone(), base_url.to_owned());
        Ok(Self { key, narrow_key, http, base_url })
    }

    fn request(&self, api_key: &str, key: &str, goal: &str) -> reqwest::RequestBuilder {
        let request = self.http.post(format!("{}/prompts/generate", self.base_url));
        let body = json!({"message": goal}).to_string();
        let request = request.bearer_auth(api_key).header("idempotency-key", key);
        request.header("content-type", "application/json").body(body)
    }

    async fn generate(&self, key: &str, goal: &str, later: bool) -> Result<Value, Failure> {
        let mut request = self.request(&self.key, key, goal);
        if later {
            request = request.header("prefer", "respond-async");
        }
        let answer = request.send().await?.error_for_status()?;
        Ok(serde_json::from_slice::<Value>(&answer.bytes().await?)?["data"].take())
    }

    /// A deferred call whose key belongs to another request, or whose API key may not make it.
    async fn is_refused(&self, number: usize) -> bool {
        let (api_key, status) = match (number / ACCOUNTS) % 2 {
            0 => (&self.key, 409),
            _ => (&self.narrow_key, 403),
        };
        let request = self.request(api_key, "k", "Write an ode");
        let answer = request.header("prefer", "respond-async").send().await;
        answer.is_ok_and(|answer| answer.status() == status)
    }

    /// How long deferred operations take from their acceptance to their end, in order of length.
    async fn waits(&self) -> Result<Vec<Duration>, Failure> {
        let mut waits = Vec::new();
        for _ in 0..OPERATIONS {
            let key = OperationId::new(&SystemClock, &SystemRandom).to_string();
            // A busy machine may answer too late; the wait counts only from the acceptance.
            let accepted = loop {
                match self.generate(&key, "Write a haiku", true).await {
                    Ok(accepted) => break accepted,
                    Err(error) => eprintln!("sent again: {error}"),
                }
            };
            let id = accepted["id"].as_str().ok_or("no id")?.to_owned();
            waits.push(self.ended(&id).await?);
        }
        waits.sort();
        Ok(waits)
    }

    async fn ended(&self, id: &str) -> Result<Duration, Failure> {
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let request = self.http.get(format!("{}/operations/{id}", self.base_url));
            let answer = request.bearer_auth(&self.key).send().await?.error_for_status()?;
            let operation = serde_json::from_slice::<Value>(&answer.bytes().await?)?["data"].take();
            if operation["status"] == "SUCCEEDED" {
                let instant =
                    |name: &str| serde_json::from_value::<Timestamp>(operation[name].clone());
                return Ok(instant("completedAt")?.since(instant("createdAt")?));
            }
        }
    }
}

/// Something that happens so many times a second.
struct Flood {
    work: JoinHandle<()>,
    done: Arc<AtomicUsize>,
    began: Instant,
}

impl Flood {
    /// `act` takes the number of the act, and says whether it went as it should.
    fn start<F>(act: impl Fn(usize) -> F + Send + 'static) -> Self
    where
        F: Future<Output = bool> + Send + 'static,
    {
        let done = Arc::new(AtomicUsize::new(0));
        let counted = done.clone();
        let work = tokio::spawn(async move {
            let mut ticks = tokio::time::interval(Duration::from_secs(1) / A_SECOND);
            let permits = Arc::new(Semaphore::new(AT_ONCE));
            for number in 0.. {
                ticks.tick().await;
                let Ok(permit) = permits.clone().acquire_owned().await else { return };
                let (acting, counted) = (act(number), counted.clone());
                tokio::spawn(async move {
                    let _permit = permit;
                    counted.fetch_add(usize::from(acting.await), Ordering::Relaxed);
                });
            }
        });
        Self { work, done, began: Instant::now() }
    }

    /// Ends it. Returns how many acts a second went as they should.
    fn stop(self) -> f64 {
        self.work.abort();
        self.done.load(Ordering::Relaxed) as f64 / self.began.elapsed().as_secs_f64()
    }
}
