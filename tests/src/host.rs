//! A service in a process of its own, wherever that runs: on this machine's clock, with its real engine.
//!
//! Which one is said by variables, see [`Host::open`].

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use domain::{AccountId, KeyId, Plan, Scopes};
use edge::{
    Secrets,
    authentication::api_key,
    runtime::{SystemClock, SystemRandom},
    runtime::{config::Config, storage::Resource},
};
use local::{identity::Identity, resources, service_endpoints::ServiceEndpoints};
use reqwest::Method;
use serde_json::Value;
use store::{Store, accounts::NewKey};
use tokio::sync::{Mutex as TaskMutex, MutexGuard, OnceCell};

use crate::{Account, Answer, account::fresh_key};

/// Requests that a test may need; whoever shares an account waits until its rate leaves that many.
const ROOM: u64 = 120;

/// Real time after which a test fails instead of waiting for an answer.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(120);

/// A running service.
pub struct Host {
    /// Its address, version included.
    pub base_url: String,
    accounts: Accounts,
    loses_large_answers: bool,
    http: reqwest::Client,
    _server: Option<Arc<Server>>,
}

/// Where accounts come from.
enum Accounts {
    /// Each is new: made in the service's table, as the operator's tool does.
    Made(Box<(Store, Secrets)>),
    /// There are these, and tests take turns.
    Given { first: String, second: Option<String>, _turn: MutexGuard<'static, ()> },
}

impl Host {
    /// The service that variables name:
    ///
    /// - without `BASE_URL`, the development server, started for this as `cargo run` does;
    /// - with `BASE_URL` and `TABLE_NAME`, a deployment whose functions have the environment that is
    ///   read here: accounts are made in its table;
    /// - with `BASE_URL` and `API_KEY`, any: that account is used for everything, it needs the plan `max`
    ///   and all scopes, and `OTHER_API_KEY` is another account's. What needs further accounts or keys is
    ///   left out.
    pub async fn open(read: impl Fn(&str) -> Option<String>) -> Self {
        let variable = |name: &str| read(name).filter(|value| !value.is_empty());
        let http = reqwest::Client::builder().timeout(GIVEN_UP_AFTER).build().expect("TLS");
        let loses_large_answers = variable("LOSES_LARGE_ANSWERS").is_some();
        let (base_url, accounts, server) = match variable("BASE_URL") {
            None => {
                let server = Server::shared();
                let accounts = Accounts::Made(Box::new(server.operator()));
                (server.base_url.clone(), accounts, Some(server))
            }
            Some(base_url) if variable("TABLE_NAME").is_some() => {
                let config =
                    Config::read(&Resource::ALL, &read).expect("the functions' environment");
                let edge = config.connect().await.expect("the server's secret");
                let operator = (edge.store().clone(), edge.secrets().clone());
                (base_url, Accounts::Made(Box::new(operator)), None)
            }
            Some(base_url) => {
                static TURN: TaskMutex<()> = TaskMutex::const_new(());
                let first = variable("API_KEY").expect("API_KEY or TABLE_NAME, see Host::open");
                let second = variable("OTHER_API_KEY");
                let _turn = TURN.lock().await;
                (base_url, Accounts::Given { first, second, _turn }, None)
            }
        };
        let base_url = base_url.trim_end_matches('/').to_owned();
        let host = Self { base_url, accounts, loses_large_answers, http, _server: server };
        if let Accounts::Given { first, .. } = &host.accounts {
            let seen = host.seen_with(AccountId::from_bits(0), KeyId::from_bits(0), first.clone());
            let answer = seen.get("/capabilities").await;
            if answer.header_number("ratelimit-remaining") < ROOM {
                let reset = answer.header_number("ratelimit-reset");
                tokio::time::sleep(Duration::from_secs(reset)).await;
            }
        }
        host
    }

    /// An account on the plan `max` with a key for everything: a new one, unless accounts are given.
    pub async fn account(&self) -> Account {
        match &self.accounts {
            Accounts::Made(_) => self.on_plan(Plan::Max).await.expect("accounts can be made"),
            Accounts::Given { first, .. } => self.given(first),
        }
    }

    /// Another account than [`account`](Self::account) gives, unless only one is given.
    pub async fn other_account(&self) -> Option<Account> {
        match &self.accounts {
            Accounts::Made(_) => self.on_plan(Plan::Max).await,
            Accounts::Given { second, .. } => {
                needed(second.as_deref().map(|key| self.given(key)), "OTHER_API_KEY")
            }
        }
    }

    /// A new account on a plan, unless accounts are given.
    pub async fn on_plan(&self, plan: Plan) -> Option<Account> {
        let Accounts::Made(operator) = &self.accounts else {
            return needed(None, "TABLE_NAME");
        };
        let id = AccountId::new(&SystemClock, &SystemRandom);
        operator.0.create_account(id, "A test", plan).await.expect("a new account");
        self.with_scopes(id, Scopes::ALL).await
    }

    /// An account as seen through another key of it, unless accounts are given.
    pub async fn with_scopes(&self, account: AccountId, scopes: Scopes) -> Option<Account> {
        let Accounts::Made(operator) = &self.accounts else {
            return needed(None, "TABLE_NAME");
        };
        let (store, secrets) = &**operator;
        let minted = api_key::mint(account, secrets, &SystemClock, &SystemRandom);
        let key = NewKey {
            id: minted.id,
            fingerprint: minted.fingerprint,
            name: "A test".to_owned(),
            scopes,
            expires_at: None,
        };
        store.add_key(account, &key).await.expect("room for a key");
        Some(self.seen_with(account, minted.id, minted.text))
    }

    fn given(&self, key: &str) -> Account {
        self.seen_with(AccountId::from_bits(0), KeyId::from_bits(0), key.to_owned())
    }

    fn seen_with(&self, id: AccountId, key_id: KeyId, key: String) -> Account {
        Account {
            id,
            key_id,
            key,
            base_url: self.base_url.clone(),
            http: self.http.clone(),
            loses_large_answers: self.loses_large_answers,
        }
    }

    /// A request without a credential.
    pub fn anonymous(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base_url))
    }

    /// `GET` without a credential.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::to(self.anonymous(Method::GET, path)).await
    }

    /// The answer to a request for much, which may be sent again.
    ///
    /// `cargo lambda watch` answers a function before it has read what the function answers, and now and
    /// then loses an answer that does not fit into a buffer: it says 500, or nothing. Where
    /// `LOSES_LARGE_ANSWERS` says so, what is not the service's answer is asked for again; whatever an
    /// account reads is.
    pub async fn large(&self, request: reqwest::RequestBuilder) -> Answer {
        if self.loses_large_answers {
            Answer::repeatedly(request).await
        } else {
            Answer::to(request).await
        }
    }

    /// The OpenAPI document that it serves.
    pub async fn document(&self) -> &'static Value {
        static DOCUMENT: OnceCell<Value> = OnceCell::const_new();
        let document = async {
            let answer = self.large(self.anonymous(Method::GET, "/openapi.json")).await;
            assert_eq!(answer.status, 200, "{}", answer.body);
            answer.body
        };
        DOCUMENT.get_or_init(|| document).await
    }

    /// Checks that an answer is what the document says of this operation: status, headers and body.
    pub async fn assert_documented(&self, operation: &str, answer: &Answer) {
        let document = self.document().await;
        let described = document["paths"]
            .as_object()
            .expect("paths")
            .values()
            .flat_map(|item| item.as_object().expect("methods").values())
            .find(|described| described["operationId"] == operation)
            .expect("a documented operation");
        let status = answer.status.as_str();
        let response = &described["responses"][status];
        let response = match response["$ref"].as_str() {
            Some(shared) => document.pointer(shared.trim_start_matches('#')).expect(shared),
            None => response,
        };
        assert!(response.is_object(), "{operation} answers {status}: {}", answer.body);
        for (name, header) in response["headers"].as_object().into_iter().flatten() {
            if header["required"] == true {
                assert!(answer.header(name).is_some(), "{operation} {status}: no {name}");
            }
        }
        let kind = answer.header("content-type").and_then(|it| it.split(';').next());
        let content = &response["content"][kind.expect("a type")];
        assert!(content["schema"].is_object(), "{operation} {status}: {kind:?} is not declared");
        if kind != Some("application/json") {
            return;
        }
        let mut schema = content["schema"].clone();
        schema["components"] = document["components"].clone();
        let problems: Vec<_> = jsonschema::validator_for(&schema)
            .expect("a schema")
            .iter_errors(&answer.body)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(problems, Vec::<String>::new(), "{operation} {status}: {}", answer.body);
    }
}

/// Says what is missing for what is left out.
fn needed<T>(given: Option<T>, variable: &str) -> Option<T> {
    if given.is_none() {
        eprintln!("left out for want of {variable}");
    }
    given
}

impl Account {
    /// A deferred operation once it has ended.
    ///
    /// # Panics
    ///
    /// It has not ended after 30 s.
    pub async fn ended(&self, id: &str) -> Value {
        for _ in 0..300 {
            let operation = self.get(&format!("/operations/{id}")).await.data(200).clone();
            if operation["completedAt"].is_string() {
                return operation;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{id} does not end");
    }

    /// `GET` with parameters.
    pub async fn search(&self, path: &str, parameters: &[(&str, &str)]) -> Answer {
        let query =
            form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
        self.get(&format!("{path}?{query}")).await
    }

    /// The result of an AI operation under a key of its own.
    pub async fn made(&self, path: &str, body: &Value) -> Value {
        self.post(path, &fresh_key(), body).await.data(200).clone()
    }
}

/// A development server.
struct Server {
    base_url: String,
    folder: PathBuf,
    process: Child,
}

impl Server {
    /// One for all tests that run at present; it ends with the last of them.
    fn shared() -> Arc<Self> {
        static RUNNING: Mutex<Weak<Server>> = Mutex::new(Weak::new());
        let mut running = RUNNING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        running.upgrade().unwrap_or_else(|| {
            let server = Arc::new(Self::start());
            *running = Arc::downgrade(&server);
            server
        })
    }

    fn start() -> Self {
        static STARTS: AtomicU32 = AtomicU32::new(0);
        let start = STARTS.fetch_add(1, Ordering::Relaxed);
        let folder = format!("prompt-workflow-hosts-{}-{start}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let mut process = Command::new(program())
            .args(["--port", "0", "--json", "--allow-loopback", "--data-dir"])
            .arg(&folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the development server starts");
        let mut banner = String::new();
        let output = process.stdout.as_mut().expect("piped");
        BufReader::new(output).read_line(&mut banner).expect("text");
        let banner: Value = serde_json::from_str(&banner).expect("a banner");
        let base_url = banner["baseUrl"].as_str().expect("an address").to_owned();
        Self { base_url, folder, process }
    }

    /// What makes accounts in its folder, as the operator's tool does.
    fn operator(&self) -> (Store, Secrets) {
        let addresses = ServiceEndpoints::find(&self.folder).expect("a file").expect("it runs");
        let names = resources::named(&addresses).names;
        let clients = resources::clients(addresses, |shared| shared);
        let store = Store::new(clients, names, Arc::new(SystemClock), Arc::new(SystemRandom));
        let identity = Identity::of_folder(&self.folder).expect("an identity");
        (store, identity.secrets().expect("a long secret"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The development server's program, built from the present sources beside this test's.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let folder = test.ancestors().nth(2).expect("target/profile/deps/test");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--quiet", "--package", "local", "--bin", "prompt-workflow"]);
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo runs");
    assert!(built.success(), "the development server does not compile");
    folder.join("prompt-workflow")
}
