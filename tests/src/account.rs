//! An account of a test, and what it is answered.

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use domain::{AccountId, KeyId};
use reqwest::{
    Method, StatusCode,
    header::{HeaderMap, WWW_AUTHENTICATE},
};
use serde_json::Value;

use crate::documented;

/// Real time after which an answer is taken for lost, by a host that loses some.
const LOST_AFTER: Duration = Duration::from_secs(15);

/// What the service answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body; null if it has none that is JSON.
    pub body: Value,
}

impl Answer {
    /// Waits for the answer to `request`, which must be one that the OpenAPI document declares.
    pub async fn to(request: reqwest::RequestBuilder) -> Self {
        let (client, request) = request.build_split();
        let request = request.expect("a request");
        let (method, url) = (request.method().clone(), request.url().clone());
        let response = client.execute(request).await.expect("the service answers");
        let (status, mut headers) = (response.status(), response.headers().clone());
        // API Gateway may give it this name.
        if let Some(challenge) = headers.remove("x-amzn-remapped-www-authenticate") {
            headers.insert(WWW_AUTHENTICATE, challenge);
        }
        let bytes = response.bytes().await.expect("the whole body");
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        documented::check(&method, &url, status, &headers, &body);
        Self { status, headers, body }
    }

    /// The answer of the service itself to a request that changes nothing when it is sent again.
    pub(crate) async fn repeatedly(request: reqwest::RequestBuilder) -> Self {
        let send = || Self::to(request.try_clone().expect("a body at hand"));
        for _ in 0..10 {
            if let Ok(answer) = tokio::time::timeout(LOST_AFTER, send()).await
                && (answer.status != 500 || answer.header("x-request-id").is_some())
            {
                return answer;
            }
        }
        send().await
    }

    /// The `data` of an answer that has the expected status.
    #[track_caller]
    pub fn data(&self, status: u16) -> &Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        &self.body["data"]
    }

    /// Checks that the answer is this error.
    #[track_caller]
    pub fn is_error(&self, status: u16, code: &str) -> &Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        assert_eq!(self.body["error"]["code"], code, "{}", self.body);
        &self.body["error"]
    }

    /// Paths of the problems that an error names, in order.
    pub fn problem_paths(&self) -> Vec<&str> {
        let details = self.body["error"]["details"].as_array();
        details.into_iter().flatten().filter_map(|detail| detail["path"].as_str()).collect()
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A header's value as a number.
    #[track_caller]
    pub fn header_number(&self, name: &str) -> u64 {
        let value = self
            .header(name)
            .unwrap_or_else(|| panic!("{} without {name}: {}", self.status, self.body));
        value.parse().unwrap_or_else(|_| panic!("{name} is {value}"))
    }
}

/// An account with one credential.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its identifier.
    pub id: AccountId,
    /// Identifier of its key; of no key, if it has an access token.
    pub key_id: KeyId,
    /// Its key or token.
    pub key: String,
    pub(crate) base_url: String,
    pub(crate) http: reqwest::Client,
    /// Whether the host loses some of what it answers, see [`Host::large`](crate::Host::large).
    pub(crate) loses_large_answers: bool,
}

/// Makes idempotency keys of a run differ.
static KEYS: AtomicU64 = AtomicU64::new(0);
/// Makes those of different runs differ: an account may outlive them.
static RUN: LazyLock<u128> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    since.as_nanos()
});

/// An idempotency key that was not used before.
pub fn fresh_key() -> String {
    format!("key-{}-{}", *RUN, KEYS.fetch_add(1, Ordering::Relaxed))
}

impl Account {
    /// A request with the account's key.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base_url)).bearer_auth(&self.key)
    }

    /// `GET`
    pub async fn get(&self, path: &str) -> Answer {
        let request = self.request(Method::GET, path);
        if self.loses_large_answers {
            Answer::repeatedly(request).await
        } else {
            Answer::to(request).await
        }
    }

    /// `DELETE`
    pub async fn delete(&self, path: &str) -> Answer {
        Answer::to(self.request(Method::DELETE, path)).await
    }

    /// A call of an AI operation, to be changed or sent.
    pub fn post_request(&self, path: &str, key: &str, body: &Value) -> reqwest::RequestBuilder {
        self.request(Method::POST, path).header("Idempotency-Key", key).json(body)
    }

    /// A call of an AI operation with the given key.
    pub async fn post(&self, path: &str, key: &str, body: &Value) -> Answer {
        Answer::to(self.post_request(path, key, body)).await
    }

    /// The same, deferred.
    pub async fn post_async(&self, path: &str, key: &str, body: &Value) -> Answer {
        Answer::to(self.post_request(path, key, body).header("Prefer", "respond-async")).await
    }

    /// `POST /prompts/generate`, to be changed or sent.
    pub fn generate_request(&self, key: &str, body: &Value) -> reqwest::RequestBuilder {
        self.post_request("/prompts/generate", key, body)
    }

    /// `POST /prompts/generate` with the given key.
    pub async fn generate(&self, key: &str, body: &Value) -> Answer {
        self.post("/prompts/generate", key, body).await
    }

    /// The same, deferred.
    pub async fn generate_async(&self, key: &str, body: &Value) -> Answer {
        self.post_async("/prompts/generate", key, body).await
    }

    /// `POST` or `PATCH` with a body and no key.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        Answer::to(self.request(method, path).json(body)).await
    }

    /// `data` of `GET /usage`.
    pub async fn usage(&self) -> Value {
        self.get("/usage").await.data(200).clone()
    }
}
