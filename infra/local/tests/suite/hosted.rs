//! The service as others than this machine reach it, as in a container.

use crate::server;

use std::process::Command;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::{Method, StatusCode};
use serde_json::json;
use server::Server;

const HOSTED: [&str; 5] = ["--ephemeral", "--port", "0", "--listen", "0.0.0.0"];
/// A picture of one point.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

fn origin(server: &Server) -> &str {
    server.base_url().strip_suffix("/v1").expect("the base address")
}

#[test]
fn the_pages_keep_the_key_to_themselves() {
    let server = Server::start(&HOSTED);
    for path in ["/", "/docs"] {
        let request = server.client().get(format!("{}{path}", origin(&server)));
        let page = server.block_on(async { request.send().await.expect("an answer").text().await });
        let page = page.expect("text");
        assert!(page.contains("api-key") && !page.contains("pwk_"), "{path}");
    }
}

#[test]
fn a_file_goes_by_the_address_of_the_api() {
    let server = Server::start(&HOSTED);
    let picture = STANDARD.decode(PICTURE).expect("base 64");
    let made = server.post(
        "/uploads",
        &json!({"scope": "generation", "filename": "point.png", "contentType": "image/png",
            "size": picture.len()}),
    );
    let url = made["data"]["upload"]["url"].as_str().expect("an address").to_owned();
    assert!(url.starts_with(&format!("{}/files/", origin(&server))), "{url}");
    let put = |url: &str| {
        let mut request = server.client().request(Method::PUT, url).body(picture.clone());
        for (name, value) in made["data"]["upload"]["headers"].as_object().expect("headers") {
            request = request.header(name, value.as_str().expect("text"));
        }
        server.block_on(request.send()).expect("an answer").status()
    };
    // Whatever is not sealed by this process leads nowhere.
    assert_eq!(put(&format!("{url}x")), StatusCode::NOT_FOUND);
    assert_eq!(put(&url.replacen("/files/", "/files/x", 1)), StatusCode::NOT_FOUND);
    assert_eq!(put(&url), StatusCode::OK);
    // The signature holds behind the seal: a file is put once.
    assert_eq!(put(&url), StatusCode::PRECONDITION_FAILED);
    let id = made["data"]["id"].as_str().expect("an id");
    let completed = server.post(&format!("/uploads/{id}/complete"), &json!({}));
    assert_eq!(completed["data"]["status"], "ready", "{completed}");
}

#[test]
fn another_address_is_told_to_clients() {
    let server = Server::start(&[
        "--ephemeral",
        "--port",
        "0",
        "--base-url",
        "https://prompts.example.com/v1/",
    ]);
    assert_eq!(server.banner["baseUrl"], "https://prompts.example.com/v1");
    assert_eq!(server.banner["workbenchUrl"], "https://prompts.example.com/");
    assert_eq!(server.banner["docsUrl"], "https://prompts.example.com/docs");
    // Its issuer is where it listens.
    let issuer = server.banner["oauth"]["issuer"].as_str().expect("an address");
    let request = server.client().get(issuer.strip_suffix("oauth").expect("its path"));
    let answer = server.block_on(request.send()).expect("an answer");
    let policy = answer.headers()["content-security-policy"].to_str().expect("text");
    assert!(policy.contains("connect-src 'self' https://prompts.example.com/;"), "{policy}");
}

#[test]
fn health_tells_by_its_status() {
    let mut server = Server::start(&HOSTED);
    let port = origin(&server).rsplit(':').next().expect("a port").to_owned();
    let health = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prompt-workflow"));
        command.args(["health", "--port", &port]).output().expect("it runs").status.code()
    };
    assert_eq!(health(), Some(0));
    server.stop();
    assert_eq!(health(), Some(1));
}
