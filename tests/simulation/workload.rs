//! What callers do: three accounts, each with a few clients who share idempotency keys.

use std::{
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::http::{Method, Request};
use domain::{AccountId, Plan, Scope, Scopes};
use edge::authentication::api_key;
use futures::future::join_all;
use lambda_http::tower::ServiceExt as _;
use serde_json::{Value, json};
use store::{accounts::NewKey, list::change::UNINDEXED_CHANGES};

use crate::{
    engine::{LARGE, incompressible},
    processes::{Function, Lineage, Service},
    simulation::{BASE_URL, Simulation},
};

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its body.
    pub body: Value,
}

/// An account with a key.
#[derive(Debug)]
pub struct Account {
    /// Its identifier.
    pub id: AccountId,
    key: String,
    /// A key that only reads history.
    reader_key: String,
    /// Credits that it has used before, in the month in which the simulation begins.
    pub used_before: i64,
    /// Operations whose results were answered.
    results: Mutex<Vec<String>>,
    /// Operations that were accepted.
    accepted: Mutex<Vec<String>>,
    /// Paths of what was deleted.
    deleted: Mutex<Vec<String>>,
}

impl Account {
    /// Operations whose results were answered.
    pub fn results(&self) -> MutexGuard<'_, Vec<String>> {
        self.results.lock().expect("nothing panics with it")
    }

    /// Operations that were accepted.
    pub fn accepted(&self) -> MutexGuard<'_, Vec<String>> {
        self.accepted.lock().expect("nothing panics with it")
    }

    /// Paths of what was deleted.
    pub fn deleted(&self) -> MutexGuard<'_, Vec<String>> {
        self.deleted.lock().expect("nothing panics with it")
    }
}

impl Simulation {
    /// Creates an account.
    pub async fn account(&self, plan: Plan) -> Arc<Account> {
        let store = self.operator();
        let id = AccountId::new(&**store.clock(), &*self.random);
        store.create_account(id, "An account", plan).await.expect("a new account");
        let mut keys = Vec::new();
        for scopes in [Scopes::ALL, [Scope::HistoryRead].into_iter().collect()] {
            let issued = api_key::mint(id, self.secrets(), &**store.clock(), &*self.random);
            let key = NewKey {
                id: issued.id,
                fingerprint: issued.fingerprint,
                name: "A key".to_owned(),
                scopes,
                expires_at: None,
            };
            store.add_key(id, &key).await.expect("room for a key");
            keys.push(issued.text);
        }
        let [key, reader_key] = keys.try_into().expect("two keys");
        // Some have used almost all of their credits.
        let limit = i64::from(plan.allowance().monthly_credits);
        let is_poor = plan == Plan::Free && self.random.chance(0.7);
        let used_before = if is_poor { limit * 3 / 4 } else { 0 };
        // Some lists get their offset index at once, some after a few changes, some never.
        let list_changes = [UNINDEXED_CHANGES, UNINDEXED_CHANGES - 3, 0][(id.bits() % 3) as usize];
        self.set_counters(id, used_before, list_changes);
        let (results, accepted, deleted) = Default::default();
        Arc::new(Account { id, key, reader_key, used_before, results, accepted, deleted })
    }

    /// Lets some time pass, most likely little.
    pub async fn pause(&self, longest: Duration) {
        let time = self.random.time(Duration::from_millis(1), longest);
        self.time.sleep(time).await;
    }

    /// Sends a request; `None` if there is no answer of the service.
    pub async fn request(
        self: &Arc<Self>,
        account: &Account,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Option<Answer> {
        self.request_with(&account.key, method, path, headers, body).await
    }

    async fn request_with(
        self: &Arc<Self>,
        key: &str,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Option<Answer> {
        let (uri, asked) = (format!("{BASE_URL}{path}"), format!("{method} {path}"));
        let mut request = Request::builder()
            .method(method)
            .uri(uri)
            .header("host", "api.example")
            .header("authorization", format!("Bearer {key}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = match body {
            Some(body) => request
                .header("content-type", "application/json")
                .body(axum::body::Body::from(body.to_string())),
            None => request.body(axum::body::Body::empty()),
        };
        let request = request.expect("a request");
        let way = Duration::from_millis(20);
        self.pause(way).await;
        let answered = self.invoke(Function::Api, Lineage::new(), move |service| {
            let Service::Api(router) = service else { panic!("no function of the API") };
            Box::pin(async move {
                let Ok(response) = router.oneshot(request).await;
                let status = response.status().as_u16();
                let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
                let body = serde_json::from_slice(&body.unwrap_or_default()).unwrap_or_default();
                Answer { status, body }
            })
        });
        let answered = answered.await;
        self.pause(way).await;
        self.log(&format!("{asked}: {:?}", answered.as_ref().map(|answer| answer.status)));
        answered
    }

    /// `GET`, until the service answers.
    pub async fn get(self: &Arc<Self>, account: &Account, path: &str) -> Value {
        loop {
            let answer = self.request(account, Method::GET, path, &[], None).await;
            match answer {
                Some(Answer { status: 200, body }) => return body["data"].clone(),
                Some(Answer { status: 404, .. }) => return Value::Null,
                Some(Answer { status: 429, .. }) => self.time.sleep(Duration::from_secs(60)).await,
                answer if self.are_faults_off() => panic!("{path}: {answer:?}"),
                _ => self.time.sleep(Duration::from_secs(5)).await,
            }
        }
    }

    /// Has all clients of all accounts do what they do.
    pub async fn work(self: &Arc<Self>, accounts: &[Arc<Account>]) {
        let clients = accounts.iter().flat_map(|account| {
            let client = || self.clone().client(account.clone());
            (0..1 + self.random.below(2)).map(move |_| tokio::spawn(client()))
        });
        for client in join_all(clients.collect::<Vec<_>>()).await {
            client.expect("a client");
        }
    }

    async fn client(self: Arc<Self>, account: Arc<Account>) {
        for _ in 0..1 + self.random.below(4) {
            self.pause(Duration::from_secs(5)).await;
            match self.random.below(22) {
                0..6 => self.ask(&account).await,
                6 => self.cancel(&account).await,
                7 => self.subscribe(&account).await,
                8 | 9 => self.subscribe_beside_an_end(&account).await,
                10 => self.unsubscribe(&account).await,
                11 | 12 => self.react(&account).await,
                13 | 14 => self.author(&account).await,
                15 => self.keep_preset(&account).await,
                16 => self.continue_generation(&account).await,
                17 => self.delete_generation(&account).await,
                18 | 19 => self.upload(&account).await,
                20 => self.ask_in_vain(&account).await,
                _ => {
                    self.get(&account, "/usage").await;
                }
            }
        }
        // Some come back after the process that they knew has been frozen for long.
        if self.random.chance(0.3) {
            let away = self.random.time(Duration::from_secs(60), Duration::from_secs(3_600));
            self.time.sleep(away).await;
            self.ask(&account).await;
        }
    }

    /// Asks for an operation under one of a few keys.
    async fn ask(self: &Arc<Self>, account: &Account) {
        let number = self.random.below(5);
        let (path, body) = match number {
            0 | 1 => ("/prompts/generate", json!({"message": "A haiku about the sea"})),
            2 => {
                let current = incompressible();
                let message =
                    format!("{LARGE} {}", current.chars().take(5_900).collect::<String>());
                ("/prompts/generate", json!({"message": message, "currentPrompt": current}))
            }
            3 => ("/prompts/generate", json!({"message": format!("{LARGE} little")})),
            _ => (
                "/reverse-prompts",
                json!({"type": "text", "content": "Dear team, the launch moves to Friday."}),
            ),
        };
        self.ask_for(account, &format!("key-{number}"), path, &body).await;
    }

    /// Asks for an operation until there is an answer, as a careful caller does.
    pub async fn ask_for(self: &Arc<Self>, account: &Account, key: &str, path: &str, body: &Value) {
        let mut headers = vec![("idempotency-key", key)];
        if self.random.chance(0.6) {
            headers.push(("prefer", "respond-async"));
        }
        // What it refers to may be deleted meanwhile.
        let refers = body.get("generationId").is_some() || body.get("attachmentIds").is_some();
        for _ in 0..1 + self.random.below(5) {
            let answer = self.request(account, Method::POST, path, &headers, Some(body));
            let answer = if self.random.chance(0.05) {
                // The network sends it twice.
                let again = async {
                    self.pause(Duration::from_secs(1)).await;
                    self.request(account, Method::POST, path, &headers, Some(body)).await
                };
                let (first, second) = tokio::join!(answer, again);
                if self.random.chance(0.5) { first } else { second }
            } else {
                answer.await
            };
            match answer {
                Some(Answer { status: 200, body }) => {
                    let id = body["data"]["operationId"].as_str().unwrap_or_default();
                    return account.results().push(id.to_owned());
                }
                Some(Answer { status: 202, body }) => {
                    let id = body["data"]["id"].as_str().unwrap_or_default();
                    return account.accepted().push(id.to_owned());
                }
                Some(Answer { status: 400, .. }) if refers => return,
                Some(Answer { status: 402 | 403 | 409 | 429 | 500 | 502 | 503, .. }) | None => {}
                Some(Answer { status, body }) => {
                    self.report_violation(&format!("{path} answers {status}: {body}"));
                }
            }
            let pause = self.random.time(Duration::from_millis(100), Duration::from_secs(40));
            self.time.sleep(pause).await;
        }
    }

    /// Asks for an operation with a key that may not, or while the account is suspended.
    async fn ask_in_vain(self: &Arc<Self>, account: &Account) {
        let is_suspended = self.random.chance(0.5);
        if is_suspended {
            self.set_suspended(account.id, true).await;
        }
        let key = if is_suspended { &account.key } else { &account.reader_key };
        let mut headers = vec![("idempotency-key", "in vain")];
        if self.random.chance(0.5) {
            headers.push(("prefer", "respond-async"));
        }
        let body = json!({"message": "A haiku about the sea"});
        let path = "/prompts/generate";
        let answer = self.request_with(key, Method::POST, path, &headers, Some(&body)).await;
        if let Some(Answer { status, body }) = answer
            && !matches!(status, 403 | 429 | 500 | 503)
        {
            self.report_violation(&format!("{path} answers {status} to who may not: {body}"));
        }
        if is_suspended {
            self.pause(Duration::from_secs(60)).await;
            self.set_suspended(account.id, false).await;
        }
    }

    /// Creates an endpoint, whose receiver fails for some hours at times.
    async fn subscribe(self: &Arc<Self>, account: &Account) {
        let events = [
            "operation.succeeded",
            "operation.failed",
            "usage.threshold_reached",
            "usage.limit_reached",
        ];
        let url = format!("https://receiver-{}.example/", self.random.below(1_000_000));
        if self.random.chance(0.3) {
            let hours = Duration::from_secs(1)..Duration::from_secs(4 * 3_600);
            let down = self.random.time(hours.start, hours.end);
            self.receivers.all().entry(url.clone()).or_default().down_until =
                self.time.now() + down;
        }
        let body = json!({"url": url, "events": events});
        self.request(account, Method::POST, "/webhook-endpoints", &[], Some(&body)).await;
    }

    /// Creates endpoints while an operation of the account ends. Half of them come soon after the end is enqueued, when
    /// it matters most whether they come before it.
    async fn subscribe_beside_an_end(self: &Arc<Self>, account: &Account) {
        // Nothing is enqueued unless somebody subscribes.
        self.subscribe(account).await;
        let beside = (0..1 + self.random.below(5)).map(|_| async {
            if self.random.chance(0.5) {
                tokio::select! {
                    biased;
                    () = self.is_end_enqueued.notified() => {}
                    () = self.time.sleep(Duration::from_secs(60)) => {}
                }
            }
            self.pause(Duration::from_millis(500)).await;
            self.subscribe(account).await;
        });
        tokio::join!(self.ask(account), join_all(beside));
    }

    async fn cancel(self: &Arc<Self>, account: &Account) {
        let id = account.accepted().last().cloned();
        if let Some(id) = id {
            let path = format!("/operations/{id}");
            self.request(account, Method::DELETE, &path, &[], None).await;
        }
    }
}
