//! A development server in a process of its own.

#![allow(dead_code, reason = "each test binary uses a part")]

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use reqwest::{Method, Response};
use serde_json::{Value, json};

/// A fresh data folder for a test.
pub fn folder(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path.display().to_string()
}

/// Reads a child's output up to the line that contains `end`.
pub fn read_until(child: &mut Child, end: &str) -> String {
    let mut text = String::new();
    let mut lines = BufReader::new(child.stdout.as_mut().expect("piped"));
    while !text.contains(end) {
        let read = lines.read_line(&mut text).expect("text");
        assert!(read > 0, "it ended early: {text}");
    }
    text
}

/// A running server.
pub struct Server {
    pub child: Child,
    pub banner: Value,
    log: PathBuf,
    runtime: tokio::runtime::Runtime,
    http: reqwest::Client,
}

impl Server {
    /// Starts one and waits for its banner.
    pub fn start(options: &[&str]) -> Self {
        // A file, since a pipe that nobody reads would block the server once it is full.
        static LOGS: AtomicU32 = AtomicU32::new(0);
        let number = LOGS.fetch_add(1, Ordering::Relaxed);
        let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("log-{}-{number}", std::process::id()));
        let mut child = Command::new(env!("CARGO_BIN_EXE_prompt-workflow"))
            .args(options)
            .arg("--json")
            .stdout(Stdio::piped())
            .stderr(File::create(&log).expect("a log"))
            .spawn()
            .expect("the server starts");
        let line = read_until(&mut child, "}");
        let banner = serde_json::from_str(&line).expect("one line of JSON");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        // To read the roots of this machine takes longer than most calls.
        let http = reqwest::Client::builder().tls_certs_only([]).build().expect("a client");
        Self { child, banner, log, runtime, http }
    }

    pub fn base_url(&self) -> &str {
        self.banner["baseUrl"].as_str().expect("an address")
    }

    pub fn key(&self) -> &str {
        self.banner["apiKey"].as_str().expect("a key")
    }

    pub fn get(&self, path: &str) -> Value {
        let request = self.http.get(format!("{}{path}", self.base_url())).bearer_auth(self.key());
        self.answer(request)
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        let request = self.http.post(format!("{}{path}", self.base_url())).bearer_auth(self.key());
        self.answer(request.json(body))
    }

    pub fn generate(&self, key: &str, message: &str) -> Value {
        let request = self
            .http
            .post(format!("{}/prompts/generate", self.base_url()))
            .bearer_auth(self.key())
            .header("Idempotency-Key", key)
            .json(&json!({"message": message}));
        self.answer(request)
    }

    /// The identifier of a deferred operation.
    pub fn generate_later(&self, key: &str, message: &str) -> String {
        let request = self
            .http
            .post(format!("{}/prompts/generate", self.base_url()))
            .bearer_auth(self.key())
            .header("Idempotency-Key", key)
            .header("Prefer", "respond-async")
            .json(&json!({"message": message}));
        self.answer(request)["data"]["id"].as_str().expect("an id").to_owned()
    }

    fn answer(&self, request: reqwest::RequestBuilder) -> Value {
        self.runtime.block_on(async {
            let response = request.send().await.expect("an answer");
            response.json().await.expect("JSON")
        })
    }

    /// Runs asynchronous work against the server.
    pub fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// What a browser gets that opens an address of the banner, under a name of this machine and with a cookie.
    pub fn open(&self, page: &str, method: Method, host: Option<&str>, cookie: &str) -> Response {
        let address = self.banner[page].as_str().expect("an address");
        let mut request = self.client().request(method, address).header("cookie", cookie);
        if let Some(host) = host {
            request = request.header("host", host);
        }
        self.block_on(request.send()).expect("an answer")
    }

    pub fn client(&self) -> reqwest::Client {
        self.http.clone()
    }

    /// What it logged, once it has ended.
    pub fn log(&mut self) -> String {
        self.stop();
        std::fs::read_to_string(&self.log).expect("text")
    }

    /// Kills it without a warning.
    pub fn kill(&mut self) {
        let pid = self.child.id().to_string();
        let killed = Command::new("kill").args(["-9", &pid]).status().expect("kill runs");
        assert!(killed.success());
        self.child.wait().expect("it ends");
    }

    pub fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
