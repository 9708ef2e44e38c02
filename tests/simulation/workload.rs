//! What callers do: three accounts, each with a few clients who share idempotency keys.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::http::{Method, Request};
use domain::{AccountId, Plan, Scopes};
use edge::authentication::api_key;
use futures::future::join_all;
use lambda_http::tower::ServiceExt as _;
use serde_json::{Value, json};
use store::accounts::NewKey;

use crate::{
    engine::{LARGE, incompressible},
    lives::{Function, Lineage, Service},
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
    /// The operations that results were answered from, by idempotency key.
    results: Mutex<BTreeMap<String, String>>,
    /// Operations that were accepted.
    accepted: Mutex<Vec<String>>,
}

impl Simulation {
    /// Creates an account.
    pub async fn account(&self, plan: Plan) -> Arc<Account> {
        let store = self.operator();
        let id = AccountId::new(&**store.clock(), &*self.dice);
        store.create_account(id, "An account", plan).await.expect("a new account");
        let issued = api_key::mint(id, self.secrets(), &**store.clock(), &*self.dice);
        let key = NewKey {
            id: issued.id,
            fingerprint: issued.fingerprint,
            name: "A key".to_owned(),
            scopes: Scopes::ALL,
            expires_at: None,
        };
        store.add_key(id, &key).await.expect("room for a key");
        let (results, accepted) = (Mutex::default(), Mutex::default());
        Arc::new(Account { id, key: issued.text, results, accepted })
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
        let uri = format!("{BASE_URL}{path}");
        let mut request = Request::builder()
            .method(method)
            .uri(uri)
            .header("host", "api.example")
            .header("authorization", format!("Bearer {}", account.key));
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
        let pause =
            |longest| self.dice.time(Duration::from_millis(1), Duration::from_millis(longest));
        self.time.sleep(pause(20)).await;
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
        self.time.sleep(pause(20)).await;
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
                answer if self.is_calm() => panic!("{path}: {answer:?}"),
                _ => self.time.sleep(Duration::from_secs(5)).await,
            }
        }
    }

    /// Publishes an item of the library. Returns its path.
    pub async fn publish(self: &Arc<Self>, account: &Account) -> String {
        let item = json!({
            "title": "A trip",
            "promptText": "Plan three days in {{city}}.",
            "recommendedModels": ["Universal"],
            "category": "Travel",
        });
        let made = self.request(account, Method::POST, "/library/items", &[], Some(&item)).await;
        let id = made.expect("an answer").body["data"]["id"].clone();
        let path = format!("/library/items/{}", id.as_str().expect("an identifier"));
        let publish = format!("{path}/publish");
        let published = self.request(account, Method::POST, &publish, &[], None).await;
        assert_eq!(published.map(|answer| answer.status), Some(200));
        path
    }

    /// Has all clients of all accounts do what they do.
    pub async fn work(self: &Arc<Self>, accounts: &[Arc<Account>], item: &str) {
        let clients = accounts.iter().flat_map(|account| {
            let client = || self.clone().client(account.clone(), item.to_owned());
            (0..1 + self.dice.below(2)).map(move |_| tokio::spawn(client()))
        });
        for client in join_all(clients.collect::<Vec<_>>()).await {
            client.expect("a client");
        }
    }

    async fn client(self: Arc<Self>, account: Arc<Account>, item: String) {
        for _ in 0..1 + self.dice.below(4) {
            let pause = self.dice.time(Duration::from_millis(1), Duration::from_secs(5));
            self.time.sleep(pause).await;
            match self.dice.below(11) {
                0..6 => self.ask(&account).await,
                6 => self.cancel(&account).await,
                7 => self.subscribe(&account).await,
                8 => {
                    let beside = async {
                        let pause =
                            self.dice.time(Duration::from_millis(1), Duration::from_secs(1));
                        self.time.sleep(pause).await;
                        self.subscribe(&account).await;
                    };
                    tokio::join!(self.ask(&account), beside);
                }
                9 => {
                    let path = format!("{item}/vote");
                    self.request(&account, Method::POST, &path, &[], None).await;
                }
                _ => {
                    self.get(&account, "/usage").await;
                }
            }
        }
        // Some come back after the process that they knew has been frozen for long.
        if self.dice.chance(0.3) {
            self.time
                .sleep(self.dice.time(Duration::from_secs(60), Duration::from_secs(3_600)))
                .await;
            self.ask(&account).await;
        }
    }

    /// Asks for an operation until there is an answer, as a careful caller does.
    async fn ask(self: &Arc<Self>, account: &Account) {
        let number = self.dice.below(5);
        let key = format!("key-{number}");
        let is_deferred = number.is_multiple_of(2);
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
        let mut headers = vec![("idempotency-key", key.as_str())];
        if is_deferred {
            headers.push(("prefer", "respond-async"));
        }
        for _ in 0..1 + self.dice.below(5) {
            let answer = self.request(account, Method::POST, path, &headers, Some(&body)).await;
            self.tell(&format!("{key}: {:?}", answer.as_ref().map(|answer| answer.status)));
            let Some(Answer { status, body }) = answer else {
                self.time
                    .sleep(self.dice.time(Duration::from_millis(100), Duration::from_secs(40)))
                    .await;
                continue;
            };
            match status {
                200 => return self.answered(account, &key, &body["data"]["operationId"]),
                202 => {
                    let id = body["data"]["id"].as_str().unwrap_or_default().to_owned();
                    account.accepted.lock().expect("nothing panics with it").push(id);
                    return self.answered(account, &key, &body["data"]["id"]);
                }
                402 | 500 | 502 | 503 | 409 | 429 => {}
                _ => self.complain(&format!("{path} answers {status}: {body}")),
            }
            self.time
                .sleep(self.dice.time(Duration::from_millis(100), Duration::from_secs(40)))
                .await;
        }
    }

    /// A key has one result for a day, as long as its operation does not fail.
    fn answered(&self, account: &Account, key: &str, operation: &Value) {
        let operation = operation.as_str().unwrap_or_default().to_owned();
        let mut results = account.results.lock().expect("nothing panics with it");
        results.insert(key.to_owned(), operation);
    }

    /// Creates an endpoint, whose receiver fails for some hours at times.
    async fn subscribe(self: &Arc<Self>, account: &Account) {
        let events = ["operation.succeeded", "operation.failed"];
        let url = format!("https://receiver-{}.example/", self.dice.below(1_000_000));
        if self.dice.chance(0.3) {
            let hours = Duration::from_secs(1)..Duration::from_secs(4 * 3_600);
            let down = self.dice.time(hours.start, hours.end);
            self.receivers.all().entry(url.clone()).or_default().down_until =
                self.time.now() + down;
        }
        let body = json!({"url": url, "events": events});
        self.request(account, Method::POST, "/webhook-endpoints", &[], Some(&body)).await;
    }

    async fn cancel(self: &Arc<Self>, account: &Account) {
        let id = account.accepted.lock().expect("nothing panics with it").last().cloned();
        if let Some(id) = id {
            let path = format!("/operations/{id}");
            self.request(account, Method::DELETE, &path, &[], None).await;
        }
    }
}
