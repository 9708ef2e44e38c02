//! Calls a running service with more than it can answer, beside ten processes that never rest: `infra/proof/load.sh
//! overload`.
//!
//! Hundreds of callers at once, a hundred of them with each idempotency key. It fails for an answer that does not say
//! what to do, and for a key that is charged twice or never.

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    process::{Child, Command},
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::Response;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Processes that take processor time.
const BUSY: usize = 10;
/// Waves of callers.
const WAVES: usize = 3;
/// Keys of a wave, and callers with each.
const KEYS: usize = 5;
const CALLERS: usize = 100;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let [base_url, key] = <[String; 2]>::try_from(env::args().skip(1).collect::<Vec<_>>())
        .map_err(|_| "overload BASE_URL API_KEY")?;
    let service = Arc::new(Service { http: reqwest::Client::new(), base_url, key });
    let before = service.used().await?;
    let mut answers: BTreeMap<String, usize> = BTreeMap::new();
    let began = Instant::now();
    let mut longest = Duration::ZERO;
    {
        let _busy: Vec<Busy> = (0..BUSY).map(|_| Busy::start()).collect::<Result<_, _>>()?;
        for wave in 0..WAVES {
            let mut callers = JoinSet::new();
            for caller in 0..KEYS * CALLERS {
                let (service, key) = (service.clone(), format!("{wave}-{}", caller % KEYS));
                callers.spawn(async move {
                    let sent = Instant::now();
                    let answer = service.generate(&key).await;
                    (described(answer).await, sent.elapsed())
                });
            }
            for (answer, took) in callers.join_all().await {
                *answers.entry(answer).or_default() += 1;
                longest = longest.max(took);
            }
        }
    }
    println!(
        "{} requests in {:.1?}, the longest {longest:.1?}",
        WAVES * KEYS * CALLERS,
        began.elapsed()
    );
    for (answer, count) in &answers {
        println!("{count:>5} {answer}");
    }
    for key in (0..WAVES).flat_map(|wave| (0..KEYS).map(move |it| format!("{wave}-{it}"))) {
        while service.generate(&key).await?.status() != 200 {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    let charged = service.used().await? - before;
    println!("{} keys, {charged} charges", WAVES * KEYS);
    let statuses = ["200 ", "409 ", "429 ", "503 "];
    let helpful = |answer: &str| statuses.iter().any(|status| answer.starts_with(status));
    match answers.keys().find(|answer| !helpful(answer) || answer.ends_with('!')) {
        Some(answer) => Err(format!("answered {answer}").into()),
        None if charged != (WAVES * KEYS) as u64 => Err("a key is not charged once".into()),
        None => Ok(()),
    }
}

/// Status and code of an answer, with a mark if it should say when to try again and does not.
async fn described(answer: Result<Response, reqwest::Error>) -> String {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return format!("none: {error}"),
    };
    let status = answer.status();
    let silent = (status == 409 || status == 429 || status.is_server_error())
        && !answer.headers().contains_key("retry-after");
    let body: Value = answer.json().await.unwrap_or_default();
    let code = body["error"]["code"].as_str().unwrap_or_default();
    format!("{} {code}{}", status.as_u16(), if silent { " without Retry-After!" } else { "" })
}

struct Service {
    http: reqwest::Client,
    base_url: String,
    key: String,
}

impl Service {
    async fn generate(&self, key: &str) -> Result<Response, reqwest::Error> {
        let request = self.http.post(format!("{}/prompts/generate", self.base_url));
        let request = request.bearer_auth(&self.key).header("content-type", "application/json");
        let request =
            request.header("idempotency-key", format!("overload-{}-{key}", std::process::id()));
        request
            .body(json!({"message": format!("Write a haiku about {key}")}).to_string())
            .send()
            .await
    }

    /// Credits used this month.
    async fn used(&self) -> Result<u64, Failure> {
        let usage = self.http.get(format!("{}/usage", self.base_url)).bearer_auth(&self.key);
        let usage: Value = usage.send().await?.error_for_status()?.json().await?;
        usage["data"]["credits"]["used"].as_u64().ok_or_else(|| "no credits".into())
    }
}

/// A process that never rests, until it is dropped.
struct Busy(Child);

impl Busy {
    fn start() -> std::io::Result<Self> {
        Command::new("sh").args(["-c", "while :; do :; done"]).spawn().map(Self)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
