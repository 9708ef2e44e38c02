//! Sending other requests than reading pages through the same guard.

#[allow(dead_code)]
use crate::support;

use std::sync::{Arc, Mutex};

use http::{HeaderMap, HeaderValue, Method, header::CONTENT_TYPE};
use outbound::{Loopback, Unreachable, UnsafeUrl, read_at_most};
use support::{Server, World, response};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

fn json() -> HeaderMap {
    HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))])
}

#[tokio::test]
async fn a_post_arrives_and_its_redirect_is_only_reported() {
    let headers = "Location: http://10.0.0.1/\r\n";
    let server = Server::sending(response("307 Temporary Redirect", headers, b"moved away")).await;
    let world = World::new();
    let url = world.url(&server.url("site.example"));
    let mut answer =
        world.client().send(Method::POST, &url, json(), b"{}".to_vec()).await.expect("an answer");
    assert_eq!(answer.status(), 307);
    assert_eq!(read_at_most(&mut answer, 5).await, Ok((b"moved".to_vec(), false)));
    assert_eq!(server.connections(), 1);
    let head = server.requests.lock().expect("requests")[0].to_lowercase();
    assert!(
        head.starts_with("post / http/1.1\r\n") && head.contains("content-length: 2\r\n"),
        "{head}"
    );
}

#[tokio::test]
async fn a_post_to_this_machine_is_refused_without_the_switch() {
    let server = Server::sending(response("200 OK", "", b"")).await;
    let mut world = World::new();
    world.loopback = Loopback::Refused;
    for host in ["site.example", "127.0.0.1", "[::1]"] {
        let url = world.url(&server.url(host));
        let result = world.client().send(Method::POST, &url, json(), b"{}".to_vec()).await;
        assert_eq!(result.err(), Some(UnsafeUrl::Address.into()), "{host}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn requests_one_after_another_share_a_connection_whose_address_was_checked() {
    let server = hanging_up_after(3).await;
    let names = support::Names::default().with("site.example", &[&["127.0.0.1"], &["10.0.0.1"]]);
    let world = World::resolving(names);
    let (client, url) = (world.client(), world.url(&server.url("site.example")));
    for _ in 0..3 {
        let answer = client.send(Method::GET, &url, HeaderMap::new(), Vec::new()).await;
        assert_eq!(answer.map(|answer| answer.status().as_u16()), Ok(204));
    }
    assert_eq!(server.connections(), 1);
}

/// Answers each connection's first `answers` requests, and hangs up at the next one.
async fn hanging_up_after(answers: usize) -> Server {
    Server::start(move |_, mut stream| async move {
        let mut request = [0; 4_096];
        for _ in 0..answers {
            let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await;
            let _ = stream.read(&mut request).await;
        }
    })
    .await
}

#[tokio::test]
async fn a_request_that_is_lost_with_a_kept_connection_is_sent_over_a_new_one() {
    let server = hanging_up_after(1).await;
    let world = World::new();
    let (client, url) = (world.client(), world.url(&server.url("site.example")));
    let send = async || {
        let answer = client.send(Method::GET, &url, HeaderMap::new(), Vec::new()).await;
        assert_eq!(answer.map(|answer| answer.status().as_u16()), Ok(204));
    };
    futures::future::join(send(), send()).await;
    assert_eq!(server.connections(), 2);
    // Both connections are lost at their next request.
    send().await;
    send().await;
    assert_eq!(server.connections(), 4);
}

#[tokio::test]
async fn what_is_sent_once_more_has_its_headers_and_its_body() {
    let received = Arc::new(Mutex::new(Vec::new()));
    let bodies = received.clone();
    let server = Server::start(move |_, mut stream| {
        let bodies = bodies.clone();
        async move {
            let mut body = [0; 2];
            let _ = stream.read_exact(&mut body).await;
            bodies.lock().expect("bodies").push(body);
            let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await;
            let _ = stream.read(&mut body).await;
        }
    })
    .await;
    let world = World::new();
    let (client, url) = (world.client(), world.url(&server.url("site.example")));
    for body in [b"{}", b"[]"] {
        let answer = client.send(Method::POST, &url, json(), body.to_vec()).await;
        assert_eq!(answer.map(|answer| answer.status().as_u16()), Ok(204));
    }
    assert_eq!(*received.lock().expect("bodies"), [*b"{}", *b"[]"]);
    for head in &*server.requests.lock().expect("requests") {
        assert!(head.contains("content-type: application/json\r\n"), "{head}");
    }
}

#[tokio::test]
async fn a_host_that_answers_nothing_is_asked_once() {
    let server = hanging_up_after(0).await;
    let world = World::new();
    let (client, url) = (world.client(), world.url(&server.url("site.example")));
    for asked in 1..3 {
        let answer = client.send(Method::GET, &url, HeaderMap::new(), Vec::new()).await;
        assert_eq!(answer.err(), Some(Unreachable::Protocol.into()));
        assert_eq!(server.connections(), asked);
    }
}
