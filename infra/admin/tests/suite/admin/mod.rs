//! The tool in a process of its own, and what it works on.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use domain::{
    AccountId, EventKinds, Kind, LibraryId, ModelUsage, Operation, OperationId, Plan, Status,
    TokenUsage,
    library::{Content, Item, Moderation, Visibility},
};
use edge::runtime::{SystemClock, SystemRandom};
use embedded::{Credentials, Embedded, Options, StartError};
use local::{resources, service_endpoints::ServiceEndpoints};
use serde_json::Value;
use store::{
    Store,
    body::Lifetime,
    operations::settlement::{Completion, Ending},
    operations::start::{NewOperation, Started},
};

/// How often, and after how long, a folder is opened again that is in use.
const MOST_TRIES: usize = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A file with this text.
pub fn file(name: &str, text: &str) -> String {
    let path = path(&format!("{name}.json"));
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

pub fn json_file(name: &str, value: &Value) -> String {
    file(name, &value.to_string())
}

/// Exit code, output and errors of the tool on a folder.
pub fn run_on(folder: &str, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_admin"))
        .arg("--data-dir")
        .arg(path(folder))
        .args(arguments)
        .env_remove("TABLE_NAME")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A fresh data folder.
pub struct Folder(pub &'static str);

impl Folder {
    pub fn new(name: &'static str) -> Self {
        let _ = fs::remove_dir_all(path(name));
        fs::create_dir_all(path(name)).unwrap();
        Self(name)
    }

    pub fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        run_on(self.0, arguments)
    }

    /// What the tool prints as JSON.
    pub fn done(&self, arguments: &[&str]) -> Value {
        let (code, output, errors) = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(code, 0, "{arguments:?}: {errors}");
        serde_json::from_str(&output).unwrap()
    }

    async fn embedded(&self) -> (Embedded, Store, store::Clients) {
        let start = || {
            let data_dir = Some(path(self.0));
            Embedded::start(Options { data_dir, ..Options::ephemeral(Arc::new(SystemClock)) })
        };
        let mut embedded = start().await;
        // A child that another test has just forked holds the lock, too, until it runs its program.
        for _ in 0..MOST_TRIES {
            if !matches!(embedded, Err(StartError::DataDirInUse { .. })) {
                break;
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
            embedded = start().await;
        }
        let embedded = embedded.unwrap();
        let addresses = ServiceEndpoints::of(&embedded);
        let clients = resources::clients(addresses.clone(), |shared| shared);
        let names = resources::create(&addresses, &clients).await.unwrap().names;
        let store =
            Store::new(clients.clone(), names, Arc::new(SystemClock), Arc::new(SystemRandom));
        (embedded, store, clients)
    }

    /// Works on the folder's storage.
    pub fn block_on<T>(&self, work: impl AsyncFnOnce(Store) -> T) -> T {
        self.block_on_with_clients(async |store, _| work(store).await)
    }

    /// As [`block_on`](Self::block_on), with the services themselves.
    pub fn block_on_with_clients<T>(
        &self,
        work: impl AsyncFnOnce(Store, store::Clients) -> T,
    ) -> T {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let (embedded, store, clients) = self.embedded().await;
            let made = work(store, clients).await;
            embedded.shutdown().await;
            made
        })
    }

    /// Runs `work` while the folder is served as the development server serves it.
    pub fn served(&self, work: impl FnOnce()) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let (embedded, ..) = runtime.block_on(self.embedded());
        ServiceEndpoints::of(&embedded).write(&path(self.0)).unwrap();
        work();
        runtime.block_on(embedded.shutdown());
    }

    /// Addresses where nothing answers.
    pub fn write_stale_endpoints(&self) {
        let addresses = ServiceEndpoints::at("http://127.0.0.1:1", Credentials::random());
        addresses.write(&path(self.0)).unwrap();
    }
}

/// Publishes an item of an account.
pub async fn published(store: Store) -> LibraryId {
    let (clock, random) = (store.clock().clone(), store.random().clone());
    let (id, owner) = (LibraryId::new(&*clock, &*random), AccountId::new(&*clock, &*random));
    store.create_account(owner, "Somebody", Plan::Pro).await.unwrap();
    let item = Item {
        id,
        owner: Some(owner),
        author: Some("Somebody".to_owned()),
        content: Content {
            title: "A trip".to_owned(),
            prompt_text: "Plan it.".to_owned(),
            description: None,
            what_this_prompt_does: None,
            tips_for_this_prompt: None,
            how_to_use_prompt: None,
            recommended_models: vec!["Universal".to_owned()],
            category: "Travel".to_owned(),
            example_text: None,
            token_estimate: None,
        },
        visibility: Visibility::Community,
        moderation: Moderation::Approved,
        published_at: Some(clock.now()),
        updated_at: clock.now(),
        version: 1,
        counted_bytes: None,
    };
    store.create_library_item(&item).await.unwrap();
    id
}

/// An operation that was accepted, and begun if it has a lease.
pub async fn begun(store: &Store, account: AccountId, lease: Option<Duration>) -> Operation {
    let (clock, random) = (store.clock().clone(), store.random().clone());
    let now = clock.now();
    let operation = Operation {
        id: OperationId::new(&*clock, &*random),
        account,
        kind: Kind::GeneratePrompt,
        status: Status::Pending,
        asynchronous: true,
        attempt: 0,
        lease_until: now,
        started_at: None,
        completed_at: None,
        period: now.month_start(),
        idempotency: OperationId::new(&*clock, &*random).to_string(),
        problem: None,
        uploads: Vec::new(),
        subscribed_events: EventKinds::NONE,
        model_usage: Vec::new(),
    };
    let input = store.stage_body(b"{}".to_vec(), Lifetime::Temporary, "input").await.unwrap();
    let new =
        NewOperation { operation: operation.clone(), fingerprint: [0; 32], input, replaces: None };
    let allowance = Plan::Max.allowance();
    let started = store.start(new, allowance, now + Duration::from_secs(60)).await.unwrap();
    let Started::Begun(operation) = started else { panic!("{started:?}") };
    match lease {
        Some(lease) => store.claim(account, operation.id, lease).await.unwrap().unwrap(),
        None => operation,
    }
}

/// Has operations of an account succeed, each with 1,000 tokens for a model, 800 of them cached, and 200 from it.
pub fn succeed(folder: &Folder, account: AccountId, count: usize) {
    folder.block_on(async |store| {
        for _ in 0..count {
            let mut attempt = begun(&store, account, Some(Duration::from_secs(60))).await;
            attempt.model_usage.push(ModelUsage {
                engine: "openai".to_owned(),
                model: "m".to_owned(),
                tokens: TokenUsage {
                    requests: 1,
                    input_tokens: 1_000,
                    cached_input_tokens: 800,
                    cache_write_tokens: 0,
                    output_tokens: 200,
                },
            });
            let body =
                store.stage_body(b"{}".to_vec(), Lifetime::Temporary, "result").await.unwrap();
            let offset_index = Default::default();
            let completion = Completion {
                body,
                bytes: 0,
                file_bytes: 0,
                history: None,
                offset_index,
                is_enqueued: false,
            };
            store.settle(&attempt, &Ending::Success(Box::new(completion))).await.unwrap();
        }
    });
}
