//! One running service.

use std::{
    future::Future,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_sqs::types::QueueAttributeName;
use aws_smithy_async::{
    rt::sleep::{AsyncSleep, Sleep},
    time::TimeSource,
};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::retry::RetryConfig;
use axum::{Router, extract::Request};
use deliveries::DeliveriesFunction;
use domain::{AccountId, Clock, KeyId, Plan, Scopes, Timestamp, prices::Budget};
use edge::{
    Edge, Secrets,
    authentication::{api_key, issuers},
    runtime::SystemRandom,
};
use embedded::{Embedded, Options};
use lambda_http::tower::ServiceExt as _;
use llm::{EngineConfig, ProviderKeys, moderation::Moderator};
use local::{
    application::Application, in_process, poller::Poller, resources,
    service_endpoints::ServiceEndpoints,
};
use outbound::{GuardedClient, Loopback, Ports};
use sqs_consumer::SqsHandler;
use store::{Clients, Store, accounts::NewKey, admission::Limits, keys, list::offset_index::List};
use tokio::{net::TcpListener, task::AbortHandle};

use crate::{
    Account, Answer, calls,
    clock::ManualClock,
    fault_injection::{FaultInjector, wired},
    issuer::Issuer,
    resolver::FakeResolver,
    scripted_engine::ScriptedEngine,
    signing::signed,
};

/// When every world begins: in the middle of a month and at the start of a rate window.
pub const START: Timestamp = Timestamp::from_millis(1_773_576_000_000);

/// Dollars that operations may spend on the scripted model in a month.
const BUDGET: &str = "0.03";
/// Prices of the scripted model.
const PRICES: &str = "openai/scripted-1=2,8,0.5,2.5";

/// This machine may be asked, on any port: tests listen where they can.
const DEVELOPMENT: (Loopback, Ports) = (Loopback::Allowed, Ports::All);
/// How far time passes at once for work that waits, at first.
const STEP: Duration = Duration::from_millis(10);
/// The same at most.
const LONGEST_STEP: Duration = Duration::from_millis(250);

/// A service of its own.
pub struct World {
    /// Its time.
    pub clock: Arc<ManualClock>,
    /// Its engine.
    pub engine: ScriptedEngine,
    /// Its calls to storage.
    pub faults: FaultInjector,
    /// Its storage.
    pub store: Store,
    /// Its table, as whoever fills it by hand sees it.
    pub dynamodb: store::DynamoDb,
    /// What names resolve to for it.
    pub names: Arc<FakeResolver>,
    /// Whose access tokens it accepts.
    pub issuer: Issuer,
    /// Its address, version included.
    pub base_url: String,
    /// Its functions.
    pub application: Application,
    secrets: Secrets,
    clients: Clients,
    upload_events_queue_url: String,
    start_process: StartProcess,
    router: Arc<Mutex<Router>>,
    http: reqwest::Client,
    server: AbortHandle,
    pub(crate) embedded: Embedded,
}

/// Starts a process of the service: clients that no other process has, a store over them for the test, and the
/// functions, each over clients of its own.
type StartProcess = Box<dyn Fn(&Embedded) -> (Clients, Store, Application) + Send + Sync>;

/// The access tokens that a service accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessTokens {
    /// None at all.
    None,
    /// Those for the API at the API, and those for the MCP endpoint there.
    OfTheResource,
    /// At the MCP endpoint those for the API, too.
    OfTheApiAtMcpToo,
}

impl World {
    /// Starts a service with enforced limits.
    pub async fn start() -> Self {
        Self::with_limits(Limits::Enforced).await
    }

    /// Starts a service that may ask this machine.
    pub async fn with_limits(limits: Limits) -> Self {
        Self::with(limits, Loopback::Allowed, Ports::All).await
    }

    /// Starts a service that accepts no access tokens.
    pub async fn without_oauth() -> Self {
        Self::accepting(AccessTokens::None).await
    }

    /// Starts a service that accepts some access tokens.
    pub async fn accepting(tokens: AccessTokens) -> Self {
        Self::assembled(Limits::Enforced, DEVELOPMENT, tokens, None, |_| {}).await
    }

    /// Starts a service.
    pub async fn with(limits: Limits, loopback: Loopback, ports: Ports) -> Self {
        Self::assembled(limits, (loopback, ports), AccessTokens::OfTheResource, None, |_| {}).await
    }

    /// Starts a service whose library items are judged by these engines, too.
    pub async fn judged_by(judges: EngineConfig) -> Self {
        Self::assembled(
            Limits::Enforced,
            DEVELOPMENT,
            AccessTokens::OfTheResource,
            Some(judges),
            |_| {},
        )
        .await
    }

    /// Starts a service without limits, some of whose resources go by other names.
    pub async fn renamed(rename: impl FnOnce(&mut store::Names)) -> Self {
        Self::assembled(Limits::Lifted, DEVELOPMENT, AccessTokens::OfTheResource, None, rename)
            .await
    }

    async fn assembled(
        limits: Limits,
        (loopback, ports): (Loopback, Ports),
        accepted: AccessTokens,
        judges: Option<EngineConfig>,
        rename: impl FnOnce(&mut store::Names),
    ) -> Self {
        let clock = Arc::new(ManualClock::new(START));
        let embedded = Embedded::start(Options::ephemeral(clock.clone())).await.expect("storage");
        let faults = FaultInjector::default();
        let setup = clients(&embedded, in_process::http_client(&embedded), &clock);
        let addresses = ServiceEndpoints::of(&embedded);
        let resources = resources::create(&addresses, &setup).await.expect("resources");
        // The bucket's test message: a deployment has had it long before its first file.
        let tested = setup.sqs.purge_queue().queue_url(&resources.upload_events_queue_url);
        tested.send().await.expect("a queue");
        let mut names = resources.names;
        rename(&mut names);
        let secrets = Secrets::derive(&[7; 32]).expect("a long secret");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let base_url = format!("http://127.0.0.1:{port}/v1");
        let engine = ScriptedEngine::default();
        let moderator = match judges {
            Some(judges) => {
                let keys = ProviderKeys::fetch(&judges, &*clock).await.expect("none is stored");
                llm::moderator(&judges, &keys, clock.clone(), Arc::new(SystemRandom))
            }
            None => Ok(Moderator::of_rules(clock.clone())),
        };
        let moderator = moderator.expect("TLS");
        let hosts = Arc::new(FakeResolver::default());
        let client = GuardedClient::on_first_use(hosts.clone(), loopback, ports);
        let issuer = Issuer::start(clock.clone(), &base_url).await;
        let trusted = match accepted {
            AccessTokens::None => Vec::new(),
            _ => vec![issuer.url.clone()],
        };
        let at_mcp_too = accepted == AccessTokens::OfTheApiAtMcpToo;
        let start_process: StartProcess = Box::new({
            let (faults, clock, engine) = (faults.clone(), clock.clone(), engine.clone());
            let (secrets, base_url) = (secrets.clone(), base_url.clone());
            move |embedded| {
                let keys = embedded.credentials().clone();
                let http = signed(keys, clock.clone(), in_process::http_client(embedded));
                let clients_of = |function| {
                    let http = wired(faults.clone(), function, clock.clone(), http.clone());
                    clients(embedded, http, &clock)
                };
                let store = |clients: Clients| {
                    Store::new(clients, names.clone(), clock.clone(), Arc::new(SystemRandom))
                };
                let (own, audiences) = (clients_of(None), issuers::audiences(&base_url, None));
                let loopback = Loopback::Allowed;
                let tokens = issuers::resource_server(&trusted, audiences, clock.clone(), loopback);
                let edge = Edge::new(store(own.clone()), secrets.clone(), &base_url, limits);
                let tokens = tokens.expect("an address of this machine");
                let edge = edge.with_resource_server(tokens).with_api_tokens_at_mcp(at_mcp_too);
                let limit = Some(BUDGET.parse().expect("an amount"));
                let budget = Budget { prices: PRICES.parse().expect("prices"), limit };
                let application = Application::new(
                    |function| edge.clone().with_store(store(clients_of(Some(function)))),
                    (Arc::new(engine.clone()), budget, Default::default()),
                    client.clone(),
                    moderator.clone(),
                );
                (own, edge.store().clone(), application)
            }
        });
        let (clients, store, application) = start_process(&embedded);
        let router = Arc::new(Mutex::new(application.router()));
        let served = router.clone();
        let app = Router::new().fallback(move |request: Request| {
            served.lock().expect("no test panics with it").clone().oneshot(request)
        });
        let server = tokio::spawn(async move { axum::serve(listener, app).await }).abort_handle();
        Self {
            dynamodb: clients.dynamodb.clone(),
            store,
            upload_events_queue_url: resources.upload_events_queue_url,
            clients,
            start_process,
            router,
            clock,
            engine,
            faults,
            names: hosts,
            issuer,
            base_url,
            application,
            secrets,
            http: plain_client(),
            server,
            embedded,
        }
    }

    /// Kills the process of the service, with everything that it has in memory, and starts another one over the
    /// same storage, which is well again. Whatever goes on in a killed process, no call of it reaches storage.
    pub fn restart(&mut self) {
        self.faults.kill_process();
        self.faults.recover();
        let (clients, store, application) = (self.start_process)(&self.embedded);
        self.store = store;
        self.dynamodb = clients.dynamodb.clone();
        self.clients = clients;
        *self.router.lock().expect("no test panics with it") = application.router();
        self.application = application;
    }

    /// A new account with a key for everything.
    pub async fn account(&self, plan: Plan) -> Account {
        let id = AccountId::new(&*self.clock, &SystemRandom);
        self.store.create_account(id, "A test", plan).await.expect("a new account");
        self.key(id, Scopes::ALL, None).await
    }

    /// Has the account item say that each list of the account has changed so many times.
    pub async fn set_list_changes(&self, account: AccountId, changes: i64) {
        let update = self.dynamodb.update_item().table_name(&self.store.names().table);
        update
            .set_key(Some(keys::account_item(account)))
            .update_expression("SET cgen = :n, copt = :n, cref = :n, cpst = :n")
            .expression_attribute_values(":n", AttributeValue::N(changes.to_string()))
            .send()
            .await
            .expect("storage");
    }

    /// The entries of a list, as its offset index counts them, if it has one.
    pub async fn counted(&self, list: List) -> Option<u64> {
        let offset_index = self.store.offset_index(list).await.expect("storage");
        offset_index.map(|offset_index| offset_index.total())
    }

    /// An account as seen through another key of it.
    pub async fn key(
        &self,
        account: AccountId,
        scopes: Scopes,
        expires_at: Option<Timestamp>,
    ) -> Account {
        let minted = api_key::mint(account, &self.secrets, &*self.clock, &SystemRandom);
        let key = NewKey {
            id: minted.id,
            fingerprint: minted.fingerprint,
            name: "A test".to_owned(),
            scopes,
            expires_at,
        };
        self.store.add_key(account, &key).await.expect("room for a key");
        self.seen_with(account, minted.id, minted.text)
    }

    /// A key that this server would make, but that no account has.
    pub fn unknown_key(&self, account: AccountId) -> Account {
        let minted = api_key::mint(account, &self.secrets, &*self.clock, &SystemRandom);
        self.seen_with(account, minted.id, minted.text)
    }

    /// An account as seen through an access token for `subject`; it is there once it is used.
    pub fn subject(&self, subject: &str, scopes: Scopes) -> Account {
        self.bearing(&self.issuer.token(subject, scopes))
    }

    /// The same through any token.
    pub fn bearing(&self, token: &str) -> Account {
        let account = self.issuer.account(token);
        self.seen_with(account, KeyId::from_bits(0), token.to_owned())
    }

    fn seen_with(&self, id: AccountId, key_id: KeyId, key: String) -> Account {
        Account {
            id,
            key_id,
            key,
            base_url: self.base_url.clone(),
            http: self.http.clone(),
            loses_large_answers: false,
        }
    }

    /// A request without a credential.
    pub fn anonymous(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base_url))
    }

    /// `GET` without a credential.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::to(self.anonymous(reqwest::Method::GET, path)).await
    }

    /// Lets the processor work on one batch of what is visible in the queue. Returns how many
    /// messages there were.
    pub async fn process(&self) -> usize {
        let processor = self.application.processor.clone();
        self.poll(processor, &self.store.names().operations_queue_url).await
    }

    /// Lets a function work on one batch of a queue. Returns how many messages there were.
    async fn poll(&self, function: impl SqsHandler + 'static, queue_url: &str) -> usize {
        let (clients, queue_url) = (self.clients.clone(), queue_url.to_owned());
        let poller = Poller { function: Arc::new(function), clients, queue_url };
        poller.poll(0).await.expect("the queue answers")
    }

    /// Hands out what is visible in a queue so many times, as if its function could not be invoked.
    pub async fn receive_without_invoking(&self, queue: &str, times: usize) {
        for _ in 0..times {
            let receive = self.clients.sqs.receive_message().queue_url(queue).visibility_timeout(0);
            let received = receive.send().await.expect("the queue answers");
            assert!(!received.messages().is_empty(), "nothing is visible");
        }
    }

    /// Sets the visibility timeout of the processor's queue.
    pub async fn set_visibility_timeout(&self, seconds: u32) {
        let queue = &self.store.names().operations_queue_url;
        let set = self.clients.sqs.set_queue_attributes().queue_url(queue);
        let set = set.attributes(QueueAttributeName::VisibilityTimeout, seconds.to_string());
        set.send().await.expect("the queue answers");
    }

    /// Lets the function that the bucket tells of uploads work on what it was told. Returns how many
    /// messages there were.
    pub async fn process_upload_events(&self) -> usize {
        let upload_events = self.application.upload_events.clone();
        self.advancing_time(self.poll(upload_events, &self.upload_events_queue_url)).await
    }

    /// Lets the function that keeps the library work on one batch of what is visible in its queue. Returns
    /// how many messages there were.
    pub async fn run_library_indexer(&self) -> usize {
        let library_indexer = self.application.library_indexer.clone();
        let queue_url = &self.store.names().library_queue_url;
        self.advancing_time(self.poll(library_indexer, queue_url)).await
    }

    /// Lets deliveries work on one batch of what is visible in their queues, while time passes. Returns how
    /// many messages there were.
    pub async fn deliver(&self) -> usize {
        self.advancing_time(self.deliver_without_advancing()).await
    }

    /// The same, without any passing of time: of the fast lane or, if nothing is there, of the slow one.
    pub async fn deliver_without_advancing(&self) -> usize {
        match self.deliver_fast_lane().await {
            0 => self.deliver_slow_lane().await,
            count => count,
        }
    }

    /// Lets deliveries work on one batch of the fast lane.
    pub async fn deliver_fast_lane(&self) -> usize {
        let deliveries = self.application.deliveries.clone();
        self.poll(deliveries, &self.store.names().deliveries_queue_url).await
    }

    /// Lets deliveries work on one batch of the slow lane.
    pub async fn deliver_slow_lane(&self) -> usize {
        let deliveries = self.application.deliveries.clone();
        self.poll(deliveries, &self.store.names().slow_deliveries_queue_url).await
    }

    /// Lets another deliveries function work on one batch of the fast lane, while time passes.
    pub async fn deliver_with(&self, function: &DeliveriesFunction) -> usize {
        let queue_url = &self.store.names().deliveries_queue_url;
        self.advancing_time(self.poll(function.clone(), queue_url)).await
    }

    /// Lets deliveries work until nothing is visible in their queues.
    pub async fn deliver_all(&self) {
        while self.deliver().await > 0 {}
    }

    /// Puts any text into the queue of deliveries.
    pub async fn enqueue_raw_delivery(&self, text: &str) {
        let (sqs, queue) = (&self.clients.sqs, &self.store.names().deliveries_queue_url);
        let message = sqs.send_message().queue_url(queue).message_body(text);
        message.send().await.expect("the queue answers");
    }

    /// How many messages the queues of deliveries have, hidden ones included, and their dead letters.
    pub async fn delivery_queue_depth(&self) -> (usize, usize) {
        let queue = &self.store.names().deliveries_queue_url;
        let fast = self.queue_depth(queue).await;
        let slow = self.queue_depth(&self.store.names().slow_deliveries_queue_url).await;
        let dead = self.queue_depth(&format!("{queue}-dead")).await;
        (fast + slow, dead)
    }

    /// Takes the bucket's next message about an upload out of the queue.
    pub async fn message_of_upload(&self) -> String {
        let (sqs, queue) = (&self.clients.sqs, &self.upload_events_queue_url);
        let received = sqs.receive_message().queue_url(queue).send().await.expect("a message");
        let message = received.messages().first().expect("the bucket has told").clone();
        let receipt = message.receipt_handle().expect("a receipt");
        let deletion = sqs.delete_message().queue_url(queue).receipt_handle(receipt);
        deletion.send().await.expect("the queue answers");
        message.body().expect("a body").to_owned()
    }

    /// Lets the processor work until its queue is empty, moving time on as needed.
    pub async fn process_everything(&self) {
        // Longer than any message stays hidden, orphans included.
        for _ in 0..120 {
            while self.advancing_time(self.process()).await > 0 {}
            if self.queue_depth(&self.store.names().operations_queue_url).await == 0 {
                return;
            }
            self.clock.advance(Duration::from_secs(7));
        }
    }

    /// How many messages a queue has, hidden and delayed ones included.
    async fn queue_depth(&self, queue_url: &str) -> usize {
        let asked = self.clients.sqs.get_queue_attributes().queue_url(queue_url);
        let asked = asked.attribute_names(QueueAttributeName::All);
        let answer = asked.send().await.expect("the queue answers");
        let numbers = answer.attributes().into_iter().flatten();
        let numbers = numbers.filter(|(name, _)| name.as_str().starts_with("ApproximateNumber"));
        numbers.map(|(_, number)| number.parse::<usize>().expect("a number")).sum()
    }

    /// Waits for `work` while time passes: in steps that are small after a call to storage, and then double, up to
    /// a quarter of a second.
    pub async fn advancing_time<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        let (mut step, mut calls) = (STEP, 0);
        loop {
            // If no call to storage is in flight after a real millisecond, we take it that the work waits for the
            // clock. Calls to receivers are not seen; they are answered sooner than time passes.
            match tokio::time::timeout(Duration::from_millis(1), &mut work).await {
                Ok(done) => return done,
                Err(_) if self.faults.calls_in_flight() > 0 => {}
                Err(_) => {
                    let calls_before = std::mem::replace(&mut calls, self.faults.calls_sent());
                    step = if calls == calls_before { LONGEST_STEP.min(step * 2) } else { STEP };
                    self.clock.advance(step);
                }
            }
        }
    }

    /// Waits until `condition` holds, which other tasks bring about without any passing of time.
    pub async fn until(&self, condition: impl Fn() -> bool) {
        while !condition() {
            tokio::task::yield_now().await;
        }
    }

    /// Its storage, used by somebody whose clock shows another time.
    pub fn store_at(&self, clock: Arc<ManualClock>) -> Store {
        let clients = self.clients.clone();
        Store::new(clients, self.store.names().clone(), clock, Arc::new(SystemRandom))
    }

    /// How many objects the bucket has under a prefix.
    pub async fn objects(&self, prefix: &str) -> usize {
        self.object_keys(prefix).await.len()
    }

    /// The keys of the objects whose keys begin so.
    pub async fn object_keys(&self, prefix: &str) -> Vec<String> {
        let listed =
            self.clients.s3.list_objects_v2().bucket(&self.store.names().bucket).prefix(prefix);
        let listed = listed.send().await.expect("the bucket answers").contents.unwrap_or_default();
        listed.into_iter().filter_map(|object| object.key).collect()
    }

    /// Every item of the table, as text.
    pub async fn items(&self) -> Vec<String> {
        let scan = self.clients.dynamodb.scan().table_name(&self.store.names().table);
        let mut pages = scan.into_paginator().items().send();
        let mut items = Vec::new();
        while let Some(item) = pages.next().await {
            items.push(format!("{:?}", item.expect("the table answers")));
        }
        items
    }

    /// The present instant.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

/// Clients that send a call again almost at once, and wait for its answer however busy the machine is.
fn clients(embedded: &Embedded, http: SharedHttpClient, clock: &Arc<ManualClock>) -> Clients {
    let retry = RetryConfig::standard().with_initial_backoff(Duration::from_millis(1));
    resources::clients(ServiceEndpoints::of(embedded), |shared| {
        let time = TestTime(clock.clone());
        shared
            .into_builder()
            .http_client(http)
            .retry_config(retry)
            .time_source(time.clone())
            .sleep_impl(time)
            .build()
    })
}

/// The test's time, for the SDK.
#[derive(Clone, Debug)]
struct TestTime(Arc<ManualClock>);

/// The time limits of a call, all above a second, never pass. What is shorter is a pause between its tries.
impl AsyncSleep for TestTime {
    fn sleep(&self, duration: Duration) -> Sleep {
        if duration > Duration::from_secs(1) {
            return Sleep::new(std::future::pending());
        }
        Sleep::new(tokio::time::sleep(duration))
    }
}

impl TimeSource for TestTime {
    fn now(&self) -> SystemTime {
        let millis = u64::try_from(self.0.now().millis()).expect("after 1970");
        SystemTime::UNIX_EPOCH + Duration::from_millis(millis)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.server.abort();
        calls::check(&self.faults.needed());
    }
}

/// A client for the service on this machine: to read the roots of the machine takes longer than most calls.
fn plain_client() -> reqwest::Client {
    reqwest::Client::builder().tls_certs_only([]).build().expect("a client")
}
