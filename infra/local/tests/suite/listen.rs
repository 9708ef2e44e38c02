//! The receiver for trying webhooks out, and the switch that lets them reach this machine.

use crate::server;

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use serde_json::json;
use server::{Server, folder, read_until};

const BINARY: &str = env!("CARGO_BIN_EXE_prompt-workflow");
/// A secret that no endpoint has.
const OTHER: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn listen(secret: &str, port: u16) -> Child {
    let mut child = Command::new(BINARY)
        .args(["listen", "--port", &port.to_string()])
        .env("WEBHOOK_SECRET", secret)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    read_until(&mut child, "Listening");
    child
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

#[test]
fn it_prints_what_is_signed_and_ends_with_a_failure_at_what_is_not() {
    let mut server = Server::start(&["--port", "0", "--ephemeral", "--allow-loopback"]);
    let port = free_port();
    let body = json!({
        "url": format!("http://127.0.0.1:{port}/"),
        "events": ["operation.succeeded"],
    });
    let made = server.post("/webhook-endpoints", &body)["data"].clone();
    let mut right = listen(made["secret"].as_str().expect("a secret"), port);
    let made_prompt = server.generate("k", "A haiku about rain");
    let mut line = String::new();
    BufReader::new(right.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
    assert!(line.starts_with("whd_"), "{line}");
    let operation = made_prompt["data"]["operationId"].as_str().expect("an id");
    assert!(line.contains(operation) && line.contains("operation.succeeded"), "{line}");
    right.kill().expect("it runs");
    right.wait().expect("it ends");

    let wrong = listen(OTHER, port);
    let path = format!("/webhook-endpoints/{}", made["id"].as_str().expect("an id"));
    let tested = server.post(&path, &json!({}))["data"].clone();
    assert_eq!(tested["responseStatus"], 401, "{tested}");
    let ended = wrong.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("signature"));
    assert!(server.log().contains("Warning: --allow-loopback"));
}

#[test]
fn a_secret_that_is_none_is_refused() {
    for secret in ["whsec_", "whsec_%%%"] {
        let output = Command::new(BINARY)
            .args(["listen", "--port", "0", "--secret", secret])
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{secret}");
    }
    let output = Command::new(BINARY)
        .args(["listen", "--port", "0"])
        .env_remove("WEBHOOK_SECRET")
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn without_the_switch_nothing_on_this_machine_is_an_endpoint() {
    let mut server = Server::start(&["--port", "0", "--ephemeral"]);
    let body = json!({"url": "http://127.0.0.1:9410/", "events": ["webhook.test"]});
    let refused = server.post("/webhook-endpoints", &body);
    assert_eq!(refused["error"]["code"], "unsafe_url", "{refused}");
    assert!(!server.log().contains("Warning"));
}

#[test]
fn the_switch_is_refused_on_lambda() {
    let output = Command::new(BINARY)
        .args(["--port", "0", "--ephemeral", "--allow-loopback"])
        .env("AWS_LAMBDA_FUNCTION_NAME", "x")
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("refused"));
}

#[test]
fn neither_log_nor_data_has_a_secret() {
    let folder = folder("webhook-secrets");
    let options =
        ["--port", "0", "--data-dir", &folder, "--allow-loopback", "--log", "trace,hyper=off"];
    let mut server = Server::start(&options);
    let port = free_port();
    let body = json!({"url": format!("http://127.0.0.1:{port}/"), "events": ["webhook.test"]});
    let made = server.post("/webhook-endpoints", &body)["data"].clone();
    let path = format!("/webhook-endpoints/{}", made["id"].as_str().expect("an id"));
    server.post(&path, &json!({}));
    let secret = made["secret"].as_str().expect("a secret");
    let bytes = webhook_delivery::secret::parse(secret).expect("base64");
    let secret = secret.trim_start_matches("whsec_").to_owned();
    let log = server.log();
    // What libraries trace of a response's bytes is nobody's production log.
    let ours = log
        .lines()
        .filter(|line| !line.contains("\"target\":\"aws") && !line.contains("\"target\":\"h2"));
    for line in ours {
        assert!(!line.contains(&secret), "{line}");
    }
    let mut files = vec![std::path::PathBuf::from(&folder)];
    let mut searched = 0;
    while let Some(path) = files.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("a folder");
            files.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else {
            let content = std::fs::read(path).expect("a file");
            assert!(!content.windows(bytes.len()).any(|window| window == bytes));
            assert!(!content.windows(secret.len()).any(|window| window == secret.as_bytes()));
            searched += 1;
        }
    }
    assert!(searched >= 3, "{searched} files");
}
