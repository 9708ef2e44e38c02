//! One world of one seed: its services, its processes, and what happened.

use std::{
    collections::{BTreeMap, BTreeSet},
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
use domain::{Clock, Timestamp, prices::Budget};
use edge::{Edge, Secrets};
use embedded::{InProcess, ServiceName};
use engine::Meter;
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
    faults::{CallFaults, Fault, FaultProfile},
    network::{Call, FaultyClient},
    processes::{Function, IdleInstances, Instance, Lineage, Process, Service, Work},
    queues::{Lineages, QUEUES, VisibilityTimers},
    receivers::{FaultyTransport, Names as HostNames, Receivers},
    scheduler::{SeededRandom, Time},
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
    pub random: Arc<SeededRandom>,
    /// Its services.
    pub services: InProcess,
    /// Its transactions.
    pub table: Table,
    /// When its queues have something.
    pub visibility_timers: VisibilityTimers,
    /// Who receives its webhooks.
    pub receivers: Receivers,
    /// Tells when the end of an operation is enqueued, for whoever does something right then.
    pub is_end_enqueued: Notify,
    /// Whether its engine is taken for a language model, so that calls leave their operations to the processor.
    pub asks_model: bool,
    /// How late the bucket tells of new files.
    pub event_delay: Duration,
    start: Timestamp,
    fault_profile: Mutex<FaultProfile>,
    are_faults_off: Mutex<bool>,
    lineages: Mutex<Lineages>,
    idle: IdleInstances,
    processes: AtomicU64,
    operator: OnceLock<(Clients, Store)>,
    secrets: Secrets,
    violations: Mutex<Vec<String>>,
    trace: Mutex<Trace>,
    commits: Mutex<BTreeMap<String, Duration>>,
    load: Mutex<Load>,
    asked: Mutex<BTreeSet<(u64, u64, String)>>,
}

/// Calls to a service in the midst of a long outage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Different ones of each invocation.
    pub asked: u64,
    /// Those that were sent.
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
        let random = Arc::new(SeededRandom::new(seed));
        // Some worlds begin a few minutes before the month ends.
        let start = Timestamp::from_millis(START);
        let start = if random.chance(0.1) {
            let last = random.time(Duration::from_secs(5), Duration::from_secs(600));
            let end = start.next_month_start().millis();
            Timestamp::from_millis(end - i64::try_from(last.as_millis()).expect("minutes"))
        } else {
            start
        };
        let event_delay = random.pick(&[0, 0, 5, 60, 900].map(Duration::from_secs));
        let clock = Process::new(0, Function::Operator, time.clone(), start, 0);
        let services = InProcess::open(Arc::new(clock)).expect("storage");
        let simulation = Arc::new(Self {
            time,
            random,
            services,
            table: Table::default(),
            visibility_timers: VisibilityTimers::default(),
            receivers: Receivers::default(),
            is_end_enqueued: Notify::new(),
            asks_model: seed % 2 == 1,
            event_delay,
            start,
            fault_profile: Mutex::new(FaultProfile::none()),
            are_faults_off: Mutex::new(true),
            lineages: Mutex::default(),
            idle: IdleInstances::default(),
            processes: AtomicU64::new(1),
            operator: OnceLock::new(),
            secrets: Secrets::derive(&[7; 32]).expect("a long secret"),
            violations: Mutex::default(),
            trace: Mutex::new(Trace { is_printed, ..Trace::default() }),
            commits: Mutex::default(),
            load: Mutex::default(),
            asked: Mutex::default(),
        });
        let (clients, store) = simulation.clients(&simulation.process(Function::Operator));
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

    /// The present rates of faults.
    pub fn fault_profile(&self) -> FaultProfile {
        locked(&self.fault_profile).clone()
    }

    /// From now on anything may happen.
    pub fn start_faults(&self) {
        *locked(&self.fault_profile) = FaultProfile::of(&self.random, self.time.now());
        *locked(&self.are_faults_off) = false;
    }

    /// From now on nothing bad happens.
    pub fn stop_faults(&self) {
        *locked(&self.fault_profile) = FaultProfile::none();
        *locked(&self.are_faults_off) = true;
    }

    /// Whether nothing bad happens any more.
    pub fn are_faults_off(&self) -> bool {
        *locked(&self.are_faults_off)
    }

    /// Lineages of messages.
    pub fn lineages(&self) -> MutexGuard<'_, Lineages> {
        locked(&self.lineages)
    }

    /// Notes what must not be.
    pub fn report_violation(&self, violation: &str) {
        self.log(&format!("WRONG: {violation}"));
        locked(&self.violations).push(violation.to_owned());
    }

    /// Everything that must not be.
    pub fn violations(&self) -> Vec<String> {
        locked(&self.violations).clone()
    }

    /// Notes what happened.
    pub fn log(&self, what: &str) {
        let mut trace = locked(&self.trace);
        let at = self.time.now();
        (at, what).hash(&mut trace.digest);
        if trace.is_printed {
            println!("{:>12.3} {what}", at.as_secs_f64());
        }
    }

    /// Notes what happened to a call.
    pub fn log_call(&self, process: &Process, call: &Call, what: &str) {
        if process.function != Function::Operator {
            let keys = if locked(&self.trace).is_printed { call.keys() } else { String::new() };
            self.log(&format!("{process:?} {} {keys} {what}", call.operation));
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

    fn process(&self, function: Function) -> Process {
        let number = self.processes.fetch_add(1, Ordering::Relaxed);
        let skew = match function {
            Function::Operator => 0,
            _ => i64::try_from(self.random.below(4_001)).expect("seconds") - 2_000,
        };
        Process::new(number, function, self.time.clone(), self.start, skew)
    }

    /// Counts a call if its service has a long outage.
    pub fn count(&self, process: &Process, call: &Call) {
        let has_outage = self.fault_profile().has_long_outage(call.service, self.time.now());
        if has_outage && process.function != Function::Operator {
            let mut load = locked(&self.load);
            load.sent += 1;
            let asked = (process.number, process.invocation(), call.subject());
            load.asked += u64::from(locked(&self.asked).insert(asked));
        }
    }

    /// The calls during long outages.
    pub fn load(&self) -> Load {
        *locked(&self.load)
    }

    /// What becomes of a call.
    pub fn faults_of(&self, process: &Process, service: ServiceName) -> CallFaults {
        if process.function == Function::Operator {
            let delay = Duration::from_micros(10);
            return CallFaults { request_delay: delay, response_delay: delay, fault: Fault::None };
        }
        self.fault_profile().faults_of(&self.random, service, self.time.now())
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
                self.set_visibility_timers(&call.operation, &input);
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

    fn clients(self: &Arc<Self>, process: &Process) -> (Clients, Store) {
        let address = |service| format!("http://{service}.invalid");
        let addresses = ServiceEndpoints {
            dynamodb: address("dynamodb"),
            s3: address("s3"),
            sqs: address("sqs"),
            credentials: self.services.credentials().clone(),
        };
        let client = FaultyClient { simulation: Arc::downgrade(self), process: process.clone() };
        let clients = resources::clients(addresses, |shared| {
            shared
                .into_builder()
                .http_client(SharedHttpClient::new(client))
                .sleep_impl(process.clone())
                .time_source(SharedTimeSource::new(process.clone()))
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
        let clock: Arc<dyn Clock> = Arc::new(process.clone());
        let store = Store::new(clients.clone(), names, clock, self.random.clone());
        (clients, store)
    }

    fn start_instance(self: &Arc<Self>, function: Function) -> Instance {
        let process = self.process(function);
        let (_, store) = self.clients(&process);
        let clock: Arc<dyn Clock> = Arc::new(process.clone());
        let engine = Arc::new(SlowEngine {
            simulation: self.clone(),
            process: process.clone(),
            meter: Meter::default(),
        });
        let post = FaultyTransport { simulation: self.clone(), process: process.clone() };
        let client =
            GuardedClient::over(Arc::new(post), Arc::new(HostNames), Loopback::Refused, Ports::Web);
        let edge = Edge::new(store.clone(), self.secrets.clone(), BASE_URL, Limits::Enforced);
        let moderator = Moderator::of_rules(clock.clone());
        let application = Application::new(
            |_| edge.clone(),
            (engine.clone(), Budget::default(), Deadlines::default()),
            client.clone(),
            moderator,
        );
        let service = match function {
            Function::Api | Function::Operator => Service::Api(application.router()),
            Function::Processor => {
                let fetcher = Fetcher::new(client, clock, FetchLimits::default());
                let workflow =
                    Workflow::new(store, engine, fetcher, Deadlines::default(), Budget::default());
                Service::Queue(Arc::new(Processor {
                    workflow,
                    publisher: application.processor.publisher,
                }))
            }
            Function::Deliveries => Service::Queue(Arc::new(application.deliveries)),
            Function::UploadEvents => Service::Queue(Arc::new(application.upload_events)),
            Function::LibraryIndexer => Service::Queue(Arc::new(application.library_indexer)),
        };
        Instance { process, service }
    }

    /// Invokes a function; `None` if it does not answer.
    pub async fn invoke<T: Send + 'static>(
        self: &Arc<Self>,
        function: Function,
        lineage: Lineage,
        work: impl FnOnce(Service) -> Work<T>,
    ) -> Option<T> {
        let idle = self.idle.take(function, |count| self.random.below(count));
        let instance = match idle.filter(|_| !self.random.chance(0.02)) {
            Some(instance) => instance,
            None => self.start_instance(function),
        };
        let process = instance.process.clone();
        process.thaw(lineage);
        let mut task = tokio::spawn(work(instance.service.clone()));
        let done = tokio::select! {
            biased;
            done = &mut task => Some(done),
            () = process.until_killed() => None,
            () = self.time.sleep(function.timeout()) => {
                self.log(&format!("{process:?} is over its time"));
                None
            }
        };
        match done {
            Some(Ok(answer)) => {
                process.freeze();
                self.idle.put(instance);
                return Some(answer);
            }
            Some(Err(error)) => self.report_violation(&format!("{process:?} fails: {error}")),
            None => task.abort(),
        }
        process.kill();
        None
    }

    /// Lets all processes go.
    pub fn end(&self) {
        self.idle.clear();
    }
}
