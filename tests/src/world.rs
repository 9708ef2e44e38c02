//! One running service.

use std::{future::Future, sync::Arc, time::Duration};

use aws_sdk_sqs::types::QueueAttributeName;
use aws_smithy_types::retry::RetryConfig;
use deliveries::DeliveriesFunction;
use domain::{AccountId, Clock, KeyId, Plan, Scopes, Timestamp};
use edge::{
    Edge, Secrets,
    authentication::{api_key, issuers},
    runtime::SystemRandom,
};
use embedded::{Embedded, Options};
use llm::moderation::Moderator;
use local::{application::Application, poller::Poller, resources};
use outbound::{GuardedClient, Loopback};
use store::{Store, accounts::NewKey, admission::Limits};
use tokio::{net::TcpListener, task::AbortHandle};

use crate::{
    Account, Answer,
    clock::ManualClock,
    fault_injection::{FaultInjector, wired},
    issuer::Issuer,
    resolver::FakeResolver,
    scripted_engine::ScriptedEngine,
};

/// When every world begins: in the middle of a month and at the start of a rate window.
pub const START: Timestamp = Timestamp::from_millis(1_773_576_000_000);

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
    poller: Poller,
    upload_poller: Poller,
    library_poller: Poller,
    delivery_poller: Poller,
    slow_delivery_poller: Poller,
    s3: store::S3,
    http: reqwest::Client,
    server: AbortHandle,
    pub(crate) embedded: Embedded,
}

impl World {
    /// Starts a service with enforced limits.
    pub async fn start() -> Self {
        Self::with_limits(Limits::Enforced).await
    }

    /// Starts a service that may ask this machine.
    pub async fn with_limits(limits: Limits) -> Self {
        Self::with(limits, Loopback::Allowed).await
    }

    /// Starts a service that accepts no access tokens.
    pub async fn without_oauth() -> Self {
        Self::assembled(Limits::Enforced, Loopback::Allowed, false, |_| {}).await
    }

    /// Starts a service.
    pub async fn with(limits: Limits, loopback: Loopback) -> Self {
        Self::assembled(limits, loopback, true, |_| {}).await
    }

    /// Starts a service without limits, some of whose resources go by other names.
    pub async fn renamed(rename: impl FnOnce(&mut store::Names)) -> Self {
        Self::assembled(Limits::Lifted, Loopback::Allowed, true, rename).await
    }

    async fn assembled(
        limits: Limits,
        loopback: Loopback,
        oauth: bool,
        rename: impl FnOnce(&mut store::Names),
    ) -> Self {
        let clock = Arc::new(ManualClock::new(START));
        let embedded = Embedded::start(Options::ephemeral(clock.clone())).await.expect("storage");
        let faults = FaultInjector::default();
        let http = wired(faults.clone(), clock.clone(), resources::http_client());
        let retry = RetryConfig::standard().with_initial_backoff(Duration::from_millis(1));
        let clients = resources::clients(&embedded, |shared| {
            shared.into_builder().http_client(http).retry_config(retry).build()
        });
        let resources = resources::create(&embedded, &clients).await.expect("resources");
        let mut names = resources.names;
        rename(&mut names);
        let random = Arc::new(SystemRandom);
        let store = Store::new(clients.clone(), names.clone(), clock.clone(), random);
        let secrets = Secrets::derive(&[7; 32]).expect("a long secret");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let base_url = format!("http://127.0.0.1:{port}/v1");
        let engine = ScriptedEngine::default();
        let hosts = Arc::new(FakeResolver::default());
        let client = GuardedClient::new(hosts.clone(), loopback).expect("TLS");
        let issuer = Issuer::start(clock.clone(), &base_url).await;
        let trusted = if oauth { vec![issuer.url.clone()] } else { Vec::new() };
        let audiences = issuers::audiences(&base_url, None);
        let tokens =
            issuers::resource_server(&trusted, audiences, clock.clone(), Loopback::Allowed);
        let edge = Edge::new(store.clone(), secrets.clone(), &base_url, limits);
        let application = Application::new(
            edge.with_resource_server(tokens.expect("an address of this machine")),
            Arc::new(engine.clone()),
            client,
            Moderator::new(Vec::new(), true, clock.clone()),
        );
        let app = application.router();
        let server = tokio::spawn(async move { axum::serve(listener, app).await }).abort_handle();
        let processor = application.processor.clone();
        Self {
            s3: clients.s3.clone(),
            dynamodb: clients.dynamodb.clone(),
            poller: Poller {
                function: Arc::new(processor),
                clients: clients.clone(),
                queue_url: names.operations_queue_url.clone(),
            },
            delivery_poller: Poller {
                function: Arc::new(application.deliveries.clone()),
                clients: clients.clone(),
                queue_url: names.deliveries_queue_url.clone(),
            },
            slow_delivery_poller: Poller {
                function: Arc::new(application.deliveries.clone()),
                clients: clients.clone(),
                queue_url: names.slow_deliveries_queue_url.clone(),
            },
            upload_poller: Poller {
                function: Arc::new(application.upload_events.clone()),
                clients: clients.clone(),
                queue_url: resources.upload_events_queue_url,
            },
            library_poller: Poller {
                function: Arc::new(application.library_indexer.clone()),
                clients,
                queue_url: names.library_queue_url.clone(),
            },
            clock,
            engine,
            faults,
            store,
            names: hosts,
            issuer,
            base_url,
            application,
            secrets,
            http: reqwest::Client::new(),
            server,
            embedded,
        }
    }

    /// A new account with a key for everything.
    pub async fn account(&self, plan: Plan) -> Account {
        let id = AccountId::new(&*self.clock, &SystemRandom);
        self.store.create_account(id, "A test", plan).await.expect("a new account");
        self.key(id, Scopes::ALL, None).await
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
        self.poller.poll(0).await.expect("the queue answers")
    }

    /// Lets the function that the bucket tells of uploads work on what it was told. Returns how many
    /// messages there were.
    pub async fn process_upload_events(&self) -> usize {
        let heard = self.advancing_time(self.upload_poller.poll(0)).await;
        heard.expect("the queue answers")
    }

    /// Lets the function that keeps the library work on one batch of what is visible in its queue. Returns
    /// how many messages there were.
    pub async fn run_library_indexer(&self) -> usize {
        let kept = self.advancing_time(self.library_poller.poll(0)).await;
        kept.expect("the queue answers")
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
        self.delivery_poller.poll(0).await.expect("the queue answers")
    }

    /// Lets deliveries work on one batch of the slow lane.
    pub async fn deliver_slow_lane(&self) -> usize {
        self.slow_delivery_poller.poll(0).await.expect("the queue answers")
    }

    /// Lets another deliveries function work on one batch of the fast lane, while time passes.
    pub async fn deliver_with(&self, function: &DeliveriesFunction) -> usize {
        let function = Arc::new(function.clone());
        let poller = Poller { function, ..self.delivery_poller.clone() };
        self.advancing_time(poller.poll(0)).await.expect("the queue answers")
    }

    /// Lets deliveries work until nothing is visible in their queues.
    pub async fn deliver_all(&self) {
        while self.deliver().await > 0 {}
    }

    /// Puts any text into the queue of deliveries.
    pub async fn enqueue_raw_delivery(&self, text: &str) {
        let (sqs, queue) = (&self.delivery_poller.clients.sqs, &self.delivery_poller.queue_url);
        let message = sqs.send_message().queue_url(queue).message_body(text);
        message.send().await.expect("the queue answers");
    }

    /// How many messages the queues of deliveries have, hidden ones included, and their dead letters.
    pub async fn delivery_queue_depth(&self) -> (usize, usize) {
        let queue = &self.delivery_poller.queue_url;
        let fast = self.queue_depth(queue).await;
        let slow = self.queue_depth(&self.slow_delivery_poller.queue_url).await;
        let dead = self.queue_depth(&format!("{queue}-dead")).await;
        (fast + slow, dead)
    }

    /// Takes the bucket's next message about an upload out of the queue.
    pub async fn message_of_upload(&self) -> String {
        let (sqs, queue) = (&self.upload_poller.clients.sqs, &self.upload_poller.queue_url);
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
        for _ in 0..60 {
            while self.advancing_time(self.process()).await > 0 {}
            if self.queue_depth(&self.poller.queue_url).await == 0 {
                return;
            }
            self.clock.advance(Duration::from_secs(7));
        }
    }

    /// How many messages a queue has, hidden and delayed ones included.
    async fn queue_depth(&self, queue_url: &str) -> usize {
        let asked = self.poller.clients.sqs.get_queue_attributes().queue_url(queue_url);
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
        let clients = self.poller.clients.clone();
        Store::new(clients, self.store.names().clone(), clock, Arc::new(SystemRandom))
    }

    /// How many objects the bucket has under a prefix.
    pub async fn objects(&self, prefix: &str) -> usize {
        let listed = self.s3.list_objects_v2().bucket(&self.store.names().bucket).prefix(prefix);
        listed.send().await.expect("the bucket answers").contents().len()
    }

    /// The present instant.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.server.abort();
    }
}
