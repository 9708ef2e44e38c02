//! Sending other requests than reading pages through the same guard.

#[allow(dead_code)]
use crate::support;

use http::{HeaderMap, HeaderValue, Method, header::CONTENT_TYPE};
use outbound::{Loopback, UnsafeUrl, read_at_most};
use support::{Server, World, response};

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
