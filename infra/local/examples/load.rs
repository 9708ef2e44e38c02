//! Calls a running service 100 times a second, as its callers do, and says how it kept up: `infra/proof/load.sh`.
//!
//! A call's time counts from the moment at which it is due, so a stall counts for everyone who waits behind it.
//! It fails for any answer but the expected one, for a p99 above [`P99`], and for memory that grows.

use std::{
    collections::VecDeque,
    env,
    error::Error,
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

/// Calls a second. An upload is three of them.
const A_SECOND: u32 = 100;
/// The time that one in a hundred calls may exceed.
const P99: Duration = Duration::from_millis(50);
/// Growth of resident memory in the second half of a run of ten minutes, in MiB.
const GROWTH: u64 = 16;
/// Kinds of calls in each hundred.
const MIX: [(Kind, usize); 8] = [
    (Kind::Usage, 10),
    (Kind::ReadOne, 20),
    (Kind::ReadList, 14),
    (Kind::Write, 20),
    (Kind::Synchronous, 14),
    (Kind::Deferred, 6),
    (Kind::Upload, 2),
    (Kind::Search, 10),
];
/// The smallest picture: one pixel.
const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
/// Presets kept.
const KEPT: usize = 50;
const LISTS: [&str; 4] =
    ["/prompt-presets?", "/history?", "/operations?", "/history?type=generation&"];
const SEARCHES: [&str; 4] = [
    "/library/items?scope=community&query=",
    "/library/items?scope=official&query=",
    "/history?search=",
    "/prompt-presets?search=",
];
const WORDS: [&str; 5] = ["email", "lighthouse", "rust%20tests", "plan%20trip", "summary"];
const GOALS: [&str; 12] = [
    "Write a cold email that offers our payroll software to dental clinics in {city}",
    "Review this Rust function for data races and name each in one sentence",
    "Summarize the minutes of a board meeting in five bullets for {reader}",
    "A watercolour of a lighthouse at dawn, 16:9, no people",
    "Translate our refund policy to French and keep every number",
    "Plan a three day trip to Lisbon for two adults under 600 euros",
    "Explain quicksort to a class of twelve-year-olds without code",
    "Extract name, date and total of each invoice as JSON",
    "Erstelle einen Wochenplan für vegetarische Gerichte mit Einkaufsliste",
    "Escribe una descripción de producto para unas zapatillas de correr",
    "Rank these job applications by years of experience and say why",
    "Write unit tests for a function that parses ISO 8601 dates",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Usage,
    ReadOne,
    ReadList,
    Write,
    Synchronous,
    Deferred,
    Upload,
    Search,
}

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let [base_url, key, process, seconds] =
        <[String; 4]>::try_from(env::args().skip(1).collect::<Vec<_>>())
            .map_err(|_| "load BASE_URL API_KEY PROCESS SECONDS")?;
    let seconds: u64 = seconds.parse()?;
    let caller = Arc::new(Caller {
        http: reqwest::Client::new(),
        base_url,
        key,
        picture: BASE64_STANDARD.decode(PICTURE)?,
        presets: Mutex::default(),
        results: Mutex::default(),
        number: AtomicU64::new(0),
        measured: Mutex::default(),
    });
    // One of each, so that there is something to read.
    for (kind, _) in MIX {
        caller.act(kind, Instant::now()).await;
    }
    caller.measured.lock().map_err(|_| "poisoned")?.clear();

    let kinds = shuffled();
    let began = Instant::now();
    let mut memory = Vec::new();
    let mut due = began;
    let mut turns = kinds.iter().cycle();
    let mut acting = tokio::task::JoinSet::new();
    while began.elapsed().as_secs() < seconds {
        if memory.len() as u64 <= began.elapsed().as_secs() / 10 {
            memory.push(resident(&process)?);
        }
        let kind = *turns.next().unwrap_or(&Kind::Usage);
        sleep_until(due).await;
        let acted = caller.clone();
        acting.spawn(async move { acted.act(kind, due).await });
        let calls = if kind == Kind::Upload { 3 } else { 1 };
        due += Duration::from_secs(1) / A_SECOND * calls;
        while acting.try_join_next().is_some() {}
    }
    acting.join_all().await;
    memory.push(resident(&process)?);
    let measured = caller.measured.lock().map_err(|_| "poisoned")?;
    report(&measured, &memory, began.elapsed())
}

/// The mix, spread evenly.
fn shuffled() -> Vec<Kind> {
    let mut places: Vec<(usize, Kind)> = MIX
        .iter()
        .flat_map(|&(kind, share)| (0..share).map(move |it| ((2 * it + 1) * 1000 / share, kind)))
        .collect();
    places.sort();
    places.into_iter().map(|(_, kind)| kind).collect()
}

/// Resident memory of a process in MiB (`man 5 proc_pid_status`).
fn resident(process: &str) -> Result<u64, Failure> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").trim().parse::<u64>()? / 1024)
}

/// What a call brought.
struct Outcome {
    kind: Kind,
    status: u16,
    took: Duration,
}

struct Caller {
    http: reqwest::Client,
    base_url: String,
    key: String,
    picture: Vec<u8>,
    /// Paths of presets.
    presets: Mutex<VecDeque<String>>,
    /// Paths of operations and history items.
    results: Mutex<VecDeque<String>>,
    number: AtomicU64,
    measured: Mutex<Vec<Outcome>>,
}

impl Caller {
    async fn act(&self, kind: Kind, due: Instant) {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let turn = number / 5;
        match kind {
            Kind::Usage => drop(self.call(kind, Method::GET, "/usage", None, due).await),
            Kind::ReadOne => {
                let made = if turn.is_multiple_of(3) { &self.presets } else { &self.results };
                if let Some(path) = pick(made, number) {
                    self.call(kind, Method::GET, &path, None, due).await;
                }
            }
            Kind::ReadList => {
                let list = LISTS[turn as usize % LISTS.len()];
                self.call(kind, Method::GET, &format!("{list}limit=20"), None, due).await;
            }
            Kind::Write => self.write(turn, number, due).await,
            Kind::Synchronous | Kind::Deferred => {
                let (path, body) = work(number);
                let answer = self.call(kind, Method::POST, path, Some(body), due).await;
                keep(&self.results, "/operations/", &answer["id"]);
                keep(&self.results, "/history/generation/", &answer["generationId"]);
                keep(&self.results, "/history/optimization/", &answer["optimizationId"]);
            }
            Kind::Upload => self.upload(due).await,
            Kind::Search => {
                let words = WORDS[number as usize % WORDS.len()];
                let list = SEARCHES[turn as usize % SEARCHES.len()];
                self.call(kind, Method::GET, &format!("{list}{words}"), None, due).await;
            }
        }
    }

    /// Creates a preset, changes one, deletes the oldest.
    async fn write(&self, turn: u64, number: u64, due: Instant) {
        let goal = GOALS[number as usize % GOALS.len()];
        let mut text = json!({"name": format!("Preset {number}"), "values": {"city": goal}});
        let oldest = || self.presets.lock().ok().filter(|it| it.len() > KEPT)?.pop_front();
        let (changed, deleted) = match turn % 3 {
            1 => (pick(&self.presets, number), None),
            2 => (None, oldest()),
            _ => (None, None),
        };
        match (changed, deleted) {
            (Some(path), _) => {
                drop(self.call(Kind::Write, Method::PATCH, &path, Some(text), due).await)
            }
            (_, Some(path)) => drop(self.call(Kind::Write, Method::DELETE, &path, None, due).await),
            (None, None) => {
                text["promptText"] = json!(format!("{goal}. Version {number}."));
                let preset =
                    self.call(Kind::Write, Method::POST, "/prompt-presets", Some(text), due).await;
                keep(&self.presets, "/prompt-presets/", &preset["id"]);
            }
        }
    }

    async fn upload(&self, due: Instant) {
        let declared = json!({
            "scope": "generation", "filename": "pixel.png", "contentType": "image/png", "size": self.picture.len(),
        });
        let created = self.call(Kind::Upload, Method::POST, "/uploads", Some(declared), due).await;
        let Some(url) = created["upload"]["url"].as_str() else { return };
        let mut put = self.http.put(url).body(self.picture.clone());
        for (name, value) in created["upload"]["headers"].as_object().into_iter().flatten() {
            put = put.header(name, value.as_str().unwrap_or_default());
        }
        self.answered(Kind::Upload, put, Instant::now()).await;
        let id = created["id"].as_str().unwrap_or_default();
        self.call(
            Kind::Upload,
            Method::POST,
            &format!("/uploads/{id}/complete"),
            None,
            Instant::now(),
        )
        .await;
    }

    /// Returns `data` of the answer.
    async fn call(
        &self,
        kind: Kind,
        method: Method,
        path: &str,
        body: Option<Value>,
        due: Instant,
    ) -> Value {
        let mut request = self
            .http
            .request(method.clone(), format!("{}{path}", self.base_url))
            .bearer_auth(&self.key);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        if matches!(kind, Kind::Synchronous | Kind::Deferred) {
            let key = self.number.fetch_add(1, Ordering::Relaxed);
            request =
                request.header("idempotency-key", format!("load-{}-{key}", std::process::id()));
        }
        if kind == Kind::Deferred {
            request = request.header("prefer", "respond-async");
        }
        self.answered(kind, request, due).await
    }

    async fn answered(&self, kind: Kind, request: RequestBuilder, due: Instant) -> Value {
        let (status, body) = match request.send().await {
            Ok(response) => {
                (response.status().as_u16(), response.bytes().await.unwrap_or_default())
            }
            Err(error) => {
                eprintln!("{kind:?}: {error}");
                (0, Default::default())
            }
        };
        let outcome = Outcome { kind, status, took: due.elapsed() };
        if !(200..300).contains(&status) {
            eprintln!("{kind:?} {status}: {}", String::from_utf8_lossy(&body));
        }
        if let Ok(mut measured) = self.measured.lock() {
            measured.push(outcome);
        }
        serde_json::from_slice::<Value>(&body).unwrap_or_default()["data"].take()
    }
}

/// Keeps the path of a resource, if it has an identifier. Presets that are over the number are for deletion.
fn keep(made: &Mutex<VecDeque<String>>, path: &str, id: &Value) {
    let (Some(id), Ok(mut made)) = (id.as_str(), made.lock()) else { return };
    made.push_back(format!("{path}{id}"));
    if made.len() > 10 * KEPT {
        made.pop_front();
    }
}

/// One of the newer half: the oldest may be deleted meanwhile.
fn pick(made: &Mutex<VecDeque<String>>, number: u64) -> Option<String> {
    let made = made.lock().ok()?;
    let newer = made.len().div_ceil(2).max(1);
    made.get(made.len().checked_sub(1 + number as usize % newer)?).cloned()
}

/// An operation: path and body.
fn work(number: u64) -> (&'static str, Value) {
    let goal = format!("{} (order {number})", GOALS[number as usize % GOALS.len()]);
    match number % 4 {
        0 | 1 => ("/prompts/generate", json!({"message": goal})),
        2 => ("/prompts/analyze", json!({"prompt": goal})),
        _ => ("/prompts/optimize", json!({"prompt": goal})),
    }
}

fn report(measured: &[Outcome], memory: &[u64], length: Duration) -> Result<(), Failure> {
    let failed = measured.iter().filter(|it| !(200..300).contains(&it.status)).count();
    let line = |name: &str, mut times: Vec<Duration>| {
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!(
            "{name:12} {:>6} calls, p50 {:>7.1?}, p99 {:>7.1?}, p99.9 {:>7.1?}, longest {:>7.1?}",
            times.len(),
            at(0.5),
            at(0.99),
            at(0.999),
            at(1.0)
        );
        at(0.99)
    };
    for (kind, _) in MIX {
        let times: Vec<_> =
            measured.iter().filter(|it| it.kind == kind).map(|it| it.took).collect();
        if !times.is_empty() {
            line(&format!("{kind:?}"), times);
        }
    }
    let p99 = line("all", measured.iter().map(|it| it.took).collect());
    println!(
        "{:.0} calls a second for {:.0?}, failed: {failed}",
        measured.len() as f64 / length.as_secs_f64(),
        length
    );
    println!("resident, each 10 s, MiB: {memory:?}");
    let half = &memory[memory.len() / 2..];
    let growth = half.last().unwrap_or(&0).saturating_sub(half[0]);
    if failed > 0 || p99 > P99 || growth > GROWTH {
        return Err(
            format!("{failed} failed, p99 is {p99:.1?}, memory grew by {growth} MiB").into()
        );
    }
    Ok(())
}
