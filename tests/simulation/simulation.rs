//! One world of one seed: its services, its processes, and what happened.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use aws_sdk_dynamodb::config::StalledStreamProtectionConfig;
use aws_smithy_async::time::SharedTimeSource;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::retry::RetryConfig;
use axum::http::Response;
use bytes::Bytes;
use domain::{Clock, Timestamp};
use edge::{Edge, Secrets};
use embedded::{InProcess, ServiceName};
use llm::moderation::Moderator;
use local::{application::Application, resources, service_endpoints::ServiceEndpoints};
use outbound::{FetchLimits, Fetcher, GuardedClient, Loopback, Ports};
use processor::Processor;
use serde_json::Value;
use store::{Clients, Names, Store, admission::Limits, schema, uploads::files::UPLOADS_PREFIX};
use tokio::sync::Notify;
use workflow::{Deadlines, Workflow};

use crate::{
    engine::SlowEngine,
    faults::{Event, Fate, Weather},
    lives::{Function, Idle, Life, Lineage, Process, Service, Work},
    network::{Call, Line},
    queues::{Alarms, Lineages, QUEUES},
    receivers::{Names as HostNames, Post, Receivers},
    schedule::{Dice, Time},
    table::{DELETED, INDEXED, Table},
};

/// Name of table and bucket.
pub const NAME: &str = "prompt-workflow";
/// Address of the API.
pub const BASE_URL: &str = "https://api.example/v1";
/// Age at which temporary objects expire, as in the template.
const TEMPORARY_AGE: Duration = Duration::from_secs(2 * 86_400);
/// The middle of a month, at the start of a minute.
const START: i64 = 1_773_576_000_000;

/// A world.
pub struct Simulation {
    /// Its time.
    pub time: Time,
    /// Its chance.
    pub dice: Arc<Dice>,
    /// Its services.
    pub services: InProcess,
    /// Its transactions.
    pub table: Table,
    /// When its queues have something.
    pub alarms: Alarms,
    /// Who receives its webhooks.
    pub receivers: Receivers,
    /// Tells when the end of an operation is enqueued, for whoever does something right then.
    pub is_end_enqueued: Notify,
    /// How late the bucket tells of new files.
    pub event_delay: Duration,
    start: Timestamp,
    weather: Mutex<Weather>,
    is_calm: Mutex<bool>,
    lineages: Mutex<Lineages>,
    idle: Idle,
    lives: AtomicU64,
    operator: OnceLock<(Clients, Store)>,
    secrets: Secrets,
    complaints: Mutex<Vec<String>>,
    trace: Mutex<Trace>,
    commits: Mutex<BTreeMap<String, Duration>>,
    load: Mutex<Load>,
}

/// Calls to a service in the midst of a long outage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Those that the code asked the SDK for.
    pub asked: u64,
    /// Those that the SDK sent, its retries included.
    pub sent: u64,
}

impl Load {
    /// Adds that of another simulation.
    pub fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.sent += other.sent;
    }
}

/// What happened, in order.
#[derive(Debug, Default)]
struct Trace {
    digest: DefaultHasher,
    is_printed: bool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nothing panics with it")
}

impl Simulation {
    /// The world of a seed, ready for its workload. Prints what happens if asked to.
    pub async fn new(seed: u64, time: Time, is_printed: bool) -> Arc<Self> {
        let dice = Arc::new(Dice::new(seed));
        // Some worlds begin a few minutes before the month ends.
        let start = Timestamp::from_millis(START);
        let start = if dice.chance(0.1) {
            let last = dice.time(Duration::from_secs(5), Duration::from_secs(600));
            let end = start.next_month_start().millis();
            Timestamp::from_millis(end - i64::try_from(last.as_millis()).expect("minutes"))
        } else {
            start
        };
        let event_delay = dice.pick(&[0, 0, 5, 60, 900].map(Duration::from_secs));
        let clock = Life::new(0, Function::Operator, time.clone(), start, 0);
        let services = InProcess::open(Arc::new(clock)).expect("storage");
        let simulation = Arc::new(Self {
            time,
            dice,
            services,
            table: Table::default(),
            alarms: Alarms::default(),
            receivers: Receivers::default(),
            is_end_enqueued: Notify::new(),
            event_delay,
            start,
            weather: Mutex::new(Weather::calm()),
            is_calm: Mutex::new(true),
            lineages: Mutex::default(),
            idle: Idle::default(),
            lives: AtomicU64::new(1),
            operator: OnceLock::new(),
            secrets: Secrets::derive(&[7; 32]).expect("a long secret"),
            complaints: Mutex::default(),
            trace: Mutex::new(Trace { is_printed, ..Trace::default() }),
            commits: Mutex::default(),
            load: Mutex::default(),
        });
        let (clients, store) = simulation.clients(&simulation.life(Function::Operator));
        for table in [NAME, INDEXED, DELETED] {
            schema::create_table(&clients.dynamodb, table).await.expect("a table");
        }
        clients.s3.create_bucket().bucket(NAME).send().await.expect("a bucket");
        let ages = [("temporary/", TEMPORARY_AGE), (UPLOADS_PREFIX, domain::upload::RETENTION)];
        simulation.services.expire(NAME, &ages);
        simulation.create_queues().await;
        simulation.services.notify(NAME, UPLOADS_PREFIX, "upload-events");
        let _ = simulation.operator.set((clients, store));
        for queue in QUEUES {
            tokio::spawn(simulation.clone().feed(queue));
        }
        simulation
    }

    /// Storage as the operator sees it.
    pub fn operator(&self) -> &Store {
        &self.operator.get().expect("it is there from the beginning").1
    }

    /// The bucket as the operator sees it.
    pub fn s3(&self) -> &store::S3 {
        &self.operator.get().expect("it is there from the beginning").0.s3
    }

    /// The server's secrets.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The present weather.
    pub fn weather(&self) -> Weather {
        locked(&self.weather).clone()
    }

    /// From now on anything may happen.
    pub fn storm(&self) {
        *locked(&self.weather) = Weather::of(&self.dice, self.time.now());
        *locked(&self.is_calm) = false;
    }

    /// From now on nothing bad happens.
    pub fn calm(&self) {
        *locked(&self.weather) = Weather::calm();
        *locked(&self.is_calm) = true;
    }

    /// Whether nothing bad happens any more.
    pub fn is_calm(&self) -> bool {
        *locked(&self.is_calm)
    }

    /// Lineages of messages.
    pub fn lineages(&self) -> MutexGuard<'_, Lineages> {
        locked(&self.lineages)
    }

    /// Notes what must not be.
    pub fn complain(&self, complaint: &str) {
        self.tell(&format!("WRONG: {complaint}"));
        locked(&self.complaints).push(complaint.to_owned());
    }

    /// Everything that must not be.
    pub fn complaints(&self) -> Vec<String> {
        locked(&self.complaints).clone()
    }

    /// Notes what happened.
    pub fn tell(&self, what: &str) {
        let mut trace = locked(&self.trace);
        let at = self.time.now();
        (at, what).hash(&mut trace.digest);
        if trace.is_printed {
            println!("{:>12.3} {what}", at.as_secs_f64());
        }
    }

    /// Notes what happened to a call.
    pub fn note(&self, life: &Life, call: &Call, what: &str) {
        if life.function != Function::Operator {
            let keys = if locked(&self.trace).is_printed { call.keys() } else { String::new() };
            self.tell(&format!("{life:?} {} {keys} {what}", call.operation));
        }
    }

    /// A number that two runs of a seed share only if the same happened in both.
    pub fn digest(&self) -> u64 {
        locked(&self.trace).digest.finish()
    }

    /// When an operation ended or an endpoint was created, by the last part of its sort key.
    pub fn committed_at(&self, unique: &str) -> Option<Duration> {
        locked(&self.commits).get(unique).copied()
    }

    /// Notes what a transaction has written.
    pub fn committed(&self, items: &[Value]) {
        for item in items {
            let end = &item["Update"];
            let is_end = end["ExpressionAttributeValues"].get(":done").is_some();
            let sort_key = if is_end { &end["Key"]["sk"] } else { &item["Put"]["Item"]["sk"] };
            let Some((kind, unique)) = sort_key["S"].as_str().and_then(|key| key.split_once('#'))
            else {
                continue;
            };
            if (kind == "op" && is_end) || kind == "whe" {
                locked(&self.commits).entry(unique.to_owned()).or_insert(self.time.now());
            }
        }
    }

    fn life(&self, function: Function) -> Life {
        let number = self.lives.fetch_add(1, Ordering::Relaxed);
        let skew = match function {
            Function::Operator => 0,
            _ => i64::try_from(self.dice.below(4_001)).expect("seconds") - 2_000,
        };
        Life::new(number, function, self.time.clone(), self.start, skew)
    }

    /// Counts a call if its service has a long outage.
    pub fn count(&self, life: &Life, service: ServiceName, is_retry: bool) {
        let has_outage = self.weather().has_long_outage(service, self.time.now());
        if has_outage && life.function != Function::Operator {
            let mut load = locked(&self.load);
            load.asked += u64::from(!is_retry);
            load.sent += 1;
        }
    }

    /// The calls during long outages.
    pub fn load(&self) -> Load {
        *locked(&self.load)
    }

    /// What becomes of a call.
    pub fn fate(&self, life: &Life, service: ServiceName) -> Fate {
        if life.function == Function::Operator {
            let there = Duration::from_micros(10);
            return Fate { there, back: there, event: Event::Nothing };
        }
        self.weather().fate(&self.dice, service, self.time.now())
    }

    /// Has a service do what it was called for.
    pub async fn perform(self: &Arc<Self>, call: &Call, lineage: Lineage) -> Response<Bytes> {
        match call.service {
            ServiceName::DynamoDb => self.operate(&call.operation, &call.input()).await,
            service => {
                let (parts, body) = call.request.clone().into_parts();
                let request = axum::http::Request::from_parts(parts, body);
                let response = self.services.call(service, request).await;
                let input = if service == ServiceName::Sqs { call.input() } else { Value::Null };
                self.set_alarms(&call.operation, &input);
                let body = input["MessageBody"].as_str().unwrap_or_default();
                let message: Value = serde_json::from_str(body).unwrap_or_default();
                if message["about"] == "end" {
                    self.is_end_enqueued.notify_waiters();
                }
                if call.operation.starts_with("SendMessage") && response.status().is_success() {
                    let answer = serde_json::from_slice(response.body()).unwrap_or_default();
                    self.note_lineage(&answer, &lineage);
                }
                response
            }
        }
    }

    fn clients(self: &Arc<Self>, life: &Life) -> (Clients, Store) {
        let address = |service| format!("http://{service}.invalid");
        let addresses = ServiceEndpoints {
            dynamodb: address("dynamodb"),
            s3: address("s3"),
            sqs: address("sqs"),
            credentials: self.services.credentials().clone(),
        };
        let line = Line { simulation: self.clone(), life: life.clone() };
        let clients = resources::clients(addresses, |shared| {
            shared
                .into_builder()
                .http_client(SharedHttpClient::new(line))
                .sleep_impl(life.clone())
                .time_source(SharedTimeSource::new(life.clone()))
                .retry_config(RetryConfig::standard())
                .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
                .build()
        });
        let names = Names {
            table: NAME.to_owned(),
            bucket: NAME.to_owned(),
            operations_queue_url: InProcess::queue_url("operations"),
            library_queue_url: InProcess::queue_url("library"),
            deliveries_queue_url: InProcess::queue_url("deliveries"),
            slow_deliveries_queue_url: InProcess::queue_url("slow-deliveries"),
        };
        let clock: Arc<dyn Clock> = Arc::new(life.clone());
        let store = Store::new(clients.clone(), names, clock, self.dice.clone());
        (clients, store)
    }

    fn start_process(self: &Arc<Self>, function: Function) -> Process {
        let life = self.life(function);
        let (_, store) = self.clients(&life);
        let clock: Arc<dyn Clock> = Arc::new(life.clone());
        let engine = Arc::new(SlowEngine { simulation: self.clone(), life: life.clone() });
        let post = Post { simulation: self.clone(), life: life.clone() };
        let client =
            GuardedClient::over(Arc::new(post), Arc::new(HostNames), Loopback::Refused, Ports::Web);
        let edge = Edge::new(store.clone(), self.secrets.clone(), BASE_URL, Limits::Enforced);
        let moderator = Moderator::of_rules(clock.clone());
        let application =
            Application::new(|_| edge.clone(), engine.clone(), client.clone(), moderator);
        let service = match function {
            Function::Api | Function::Operator => Service::Api(application.router()),
            Function::Processor => {
                let fetcher = Fetcher::new(client, clock, FetchLimits::default());
                let workflow = Workflow::new(store, engine, fetcher, Deadlines::default());
                Service::Queue(Arc::new(Processor {
                    workflow,
                    publisher: application.processor.publisher,
                }))
            }
            Function::Deliveries => Service::Queue(Arc::new(application.deliveries)),
            Function::UploadEvents => Service::Queue(Arc::new(application.upload_events)),
            Function::LibraryIndexer => Service::Queue(Arc::new(application.library_indexer)),
        };
        Process { life, service }
    }

    /// Invokes a function; `None` if it does not answer.
    pub async fn invoke<T: Send + 'static>(
        self: &Arc<Self>,
        function: Function,
        lineage: Lineage,
        work: impl FnOnce(Service) -> Work<T>,
    ) -> Option<T> {
        let idle = self.idle.take(function, |count| self.dice.below(count));
        let process = match idle.filter(|_| !self.dice.chance(0.02)) {
            Some(process) => process,
            None => self.start_process(function),
        };
        let life = process.life.clone();
        life.thaw(lineage);
        let mut task = tokio::spawn(work(process.service.clone()));
        let done = tokio::select! {
            biased;
            done = &mut task => Some(done),
            () = life.killed() => None,
            () = self.time.sleep(function.timeout()) => {
                self.tell(&format!("{life:?} is over its time"));
                None
            }
        };
        match done {
            Some(Ok(answer)) => {
                life.freeze();
                self.idle.put(process);
                return Some(answer);
            }
            Some(Err(error)) => self.complain(&format!("{life:?} fails: {error}")),
            None => task.abort(),
        }
        life.kill();
        None
    }

    /// Lets all processes go.
    pub fn end(&self) {
        self.idle.clear();
    }
}
