//! What a client may take of the server, and what every answer says.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{Router, routing::get};
use local::server::{self, Bounds};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::server::Server;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(60);

/// A server whose answers are the number of requests so far.
async fn counting(bounds: Bounds) -> (std::net::SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = requests.clone();
    let app = Router::new()
        .route("/", get(async move || (counted.fetch_add(1, Ordering::SeqCst) + 1).to_string()));
    tokio::spawn(server::serve(listener, app, bounds, pending()));
    (address, requests)
}

async fn ask(connection: &mut TcpStream) {
    connection.write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n").await.expect("it is written");
}

/// The body of the next answer: one digit.
async fn answer(connection: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut bytes = [0; 1024];
    while !text.contains("\r\n\r\n") {
        let read = tokio::time::timeout(LONG, connection.read(&mut bytes)).await;
        let read = read.expect("an answer").expect("it is read");
        assert!(read > 0, "it was closed after {text:?}");
        text.push_str(std::str::from_utf8(&bytes[..read]).expect("text"));
    }
    text.rsplit("\r\n").next().expect("a body").to_owned()
}

#[tokio::test]
async fn a_connection_that_sends_half_a_header_is_closed() {
    let bounds = Bounds { header_time: Duration::from_millis(50), ..Bounds::default() };
    let (address, requests) = counting(bounds).await;
    for sent in ["", "GET / HTTP/1.1\r\nHost: h"] {
        let mut connection = TcpStream::connect(address).await.expect("a connection");
        connection.write_all(sent.as_bytes()).await.expect("it is written");
        let mut rest = Vec::new();
        let closed = tokio::time::timeout(LONG, connection.read_to_end(&mut rest)).await;
        closed.expect("it is closed").expect("without an error");
        assert!(rest.is_empty(), "{rest:?}");
    }
    assert_eq!(requests.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_connection_too_many_waits_until_another_one_ends() {
    let (address, requests) = counting(Bounds { header_time: LONG, connections: 2 }).await;
    let mut first = TcpStream::connect(address).await.expect("a connection");
    let mut second = TcpStream::connect(address).await.expect("a connection");
    for connection in [&mut first, &mut second] {
        ask(connection).await;
        answer(connection).await;
    }
    let mut third = TcpStream::connect(address).await.expect("a place in the backlog");
    ask(&mut third).await;
    for number in 3..20 {
        ask(&mut first).await;
        answer(&mut first).await;
        assert_eq!(requests.load(Ordering::SeqCst), number, "the third was not answered");
    }
    drop(second);
    assert_eq!(answer(&mut third).await, "20");
}

#[test]
fn no_answer_lets_a_browser_guess_its_type() {
    let server = Server::start(&["--ephemeral", "--port", "0"]);
    let origin = server.base_url().strip_suffix("/v1").expect("the base address");
    for path in [
        "/",
        "/workbench/workbench.js",
        "/workbench/none.js",
        "/docs",
        "/docs/docs.js",
        "/docs/swagger-ui-bundle.js",
        "/docs/webhooks.md",
        "/oauth/.well-known/openid-configuration",
        "/files/none",
        "/v1/docs/docs.js",
        "/v1/workbench/workbench.js",
        "/v1/health",
    ] {
        let sent = server.client().get(format!("{origin}{path}")).send();
        let answer = server.block_on(sent).expect("an answer");
        let sniffing = answer.headers().get_all("x-content-type-options");
        assert_eq!(sniffing.iter().collect::<Vec<_>>(), ["nosniff"], "{path}");
    }
}
