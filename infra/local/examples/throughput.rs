//! How many calls a second a running service answers: `infra/proof/load.sh throughput`.
//!
//! Its caller runs beside it, on the same cores.

use std::{
    env,
    error::Error,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use futures::future::join_all;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

/// How long calls of a sort are counted, after a second of them that is not.
const COUNTED: Duration = Duration::from_secs(10);
const WARM_UP: Duration = Duration::from_secs(1);
/// Calls at once.
const CALLERS: usize = 16;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let [base_url, key] = <[String; 2]>::try_from(env::args().skip(1).collect::<Vec<_>>())
        .map_err(|_| "throughput BASE_URL API_KEY")?;
    let service = Service { http: reqwest::Client::new(), base_url, key };
    let preset = json!({"name": "Tea", "promptText": "Describe our {{product}}.", "values": {}});
    let made = service.call(Method::POST, "/prompt-presets").json(&preset).send().await?;
    let made: Value = made.error_for_status()?.json().await?;
    let path = format!("/prompt-presets/{}", made["data"]["id"].as_str().ok_or("no preset")?);
    let number = AtomicUsize::new(0);
    measure("reads of a preset", || service.call(Method::GET, &path)).await?;
    measure("pages of presets", || service.call(Method::GET, "/prompt-presets?limit=10")).await?;
    measure("synchronous generates", || {
        let number = number.fetch_add(1, Ordering::Relaxed);
        let goal = json!({"message": format!("Write a haiku about tea number {number}")});
        let key = format!("throughput-{}-{number}", std::process::id());
        service.call(Method::POST, "/prompts/generate").header("idempotency-key", key).json(&goal)
    })
    .await
}

struct Service {
    http: reqwest::Client,
    base_url: String,
    key: String,
}

impl Service {
    fn call(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base_url)).bearer_auth(&self.key)
    }
}

/// Prints how many calls a second are answered by success.
async fn measure(name: &str, call: impl Fn() -> RequestBuilder) -> Result<(), Failure> {
    let began = Instant::now();
    let callers = join_all((0..CALLERS).map(|_| async {
        let mut answered = 0_usize;
        while began.elapsed() < WARM_UP + COUNTED {
            call().send().await?.error_for_status()?.bytes().await?;
            answered += usize::from(began.elapsed() > WARM_UP);
        }
        Ok::<_, reqwest::Error>(answered)
    }));
    let answered = callers.await.into_iter().sum::<Result<usize, _>>()?;
    println!("{:>7.0} {name} a second", answered as f64 / COUNTED.as_secs_f64());
    Ok(())
}
