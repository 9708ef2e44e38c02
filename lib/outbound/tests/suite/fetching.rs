//! Reading pages from servers that mean no good.

#[allow(dead_code)]
use crate::support;

use std::{
    io::Write,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use domain::Timestamp;
use flate2::{Compression, write::GzEncoder};
use outbound::{
    FetchError, Fetcher, GuardedClient, Loopback, Ports, SystemResolver, Unreachable, UnsafeUrl,
};
use support::{Names, Server, World, page, response};
use tokio::io::AsyncWriteExt;

fn unreachable(reason: Unreachable) -> FetchError {
    FetchError::Unreachable(reason)
}

fn redirect(location: &str) -> Vec<u8> {
    response("302 Found", &format!("Location: {location}\r\n"), b"")
}

#[tokio::test]
async fn a_page_is_read_with_its_type_and_final_address() {
    let server = Server::start(|head, mut stream| async move {
        let answer = if head.starts_with("GET /new") {
            page("<p>Hello</p>")
        } else {
            redirect("/new?a=1#b")
        };
        let _ = stream.write_all(&answer).await;
    })
    .await;
    let world = World::new();
    let fetched = world.get(&server.url("site.example")).await.expect("a page");
    assert_eq!(fetched.body, b"<p>Hello</p>");
    assert_eq!(fetched.content_type.as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(fetched.final_url, format!("{}new?a=1", server.url("site.example")));
    assert_eq!(fetched.status, 200);
}

#[tokio::test]
async fn requests_say_who_asks_and_carry_nothing_else() {
    let server = Server::start(|head, mut stream| async move {
        let cookie = "Set-Cookie: a=b\r\nLocation: /next\r\n";
        let first = response("302 Found", cookie, b"");
        let answer = if head.starts_with("GET /next") { page("x") } else { first };
        let _ = stream.write_all(&answer).await;
    })
    .await;
    World::new().get(&server.url("site.example")).await.expect("a page");
    let requests = server.requests.lock().expect("requests").clone();
    assert_eq!(requests.len(), 2);
    for head in requests {
        let head = head.to_lowercase();
        assert!(head.contains("user-agent: prompt-workflow/1.0 (+reverse-prompts)\r\n"), "{head}");
        assert!(head.contains("accept: text/html,"), "{head}");
        for forbidden in ["cookie", "authorization", "referer", "origin"] {
            assert!(!head.contains(forbidden), "{head}");
        }
    }
}

#[tokio::test]
async fn a_name_with_a_private_address_is_never_connected_to() {
    let server = Server::sending(page("secret")).await;
    for addresses in
        [&["127.0.0.1"][..], &["8.8.8.8", "127.0.0.1"], &["::ffff:127.0.0.1"], &["::1"]]
    {
        let mut world = World::resolving(Names::default().with("site.example", &[addresses]));
        world.loopback = Loopback::Refused;
        let result = world.get(&server.url("site.example")).await;
        assert_eq!(result, Err(UnsafeUrl::Address.into()), "{addresses:?}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn an_address_in_the_hosts_place_is_checked_without_a_resolver() {
    let server = Server::sending(page("secret")).await;
    let mut world = World::new();
    world.loopback = Loopback::Refused;
    assert_eq!(world.get(&server.url("127.0.0.1")).await, Err(UnsafeUrl::Address.into()));
    assert_eq!(server.connections(), 0);
    assert_eq!(world.names.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_refused() {
    for (location, reason) in [
        ("http://10.0.0.1/", UnsafeUrl::Address),
        ("http://169.254.169.254/latest/meta-data/", UnsafeUrl::Address),
        ("http://[fd00::1]/", UnsafeUrl::Address),
        ("http://inside.example/", UnsafeUrl::Address),
        ("http://nas.local/", UnsafeUrl::Host),
        ("file:///etc/passwd", UnsafeUrl::Scheme),
        ("http://user:password@site.example/", UnsafeUrl::Credentials),
        ("http://site.example:6379/", UnsafeUrl::Port),
    ] {
        let server = Server::sending(redirect(location)).await;
        let names = Names::default()
            .with("site.example", &[&["127.0.0.1"]])
            .with("inside.example", &[&["192.168.1.1"]]);
        let result = World::resolving(names).get(&server.url("site.example")).await;
        assert_eq!(result, Err(reason.into()), "{location}");
    }
}

#[tokio::test]
async fn a_name_that_changes_its_address_reaches_nothing() {
    let server = Server::sending(redirect("/again")).await;
    let names = Names::default().with("site.example", &[&["127.0.0.1"], &["10.0.0.1"]]);
    let world = World::resolving(names);
    let result = world.get(&server.url("site.example")).await;
    assert_eq!(result, Err(UnsafeUrl::Address.into()));
    // What was resolved is what was connected to: one question for each connection, and none besides.
    assert_eq!(world.names.asked.load(Ordering::SeqCst), 2);
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn three_redirects_are_followed_and_a_fourth_is_not() {
    for (hops, reached) in [(3, true), (4, false)] {
        let server = Server::start(move |head, mut stream| async move {
            let path = head.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
            let done: usize = path.parse().unwrap_or(0);
            let answer =
                if done == hops { page("here") } else { redirect(&format!("/{}", done + 1)) };
            let _ = stream.write_all(&answer).await;
        })
        .await;
        let result = World::new().get(&server.url("site.example")).await;
        assert_eq!(result.is_ok(), reached, "{hops}: {result:?}");
        if !reached {
            assert_eq!(result, Err(unreachable(Unreachable::Redirects)));
        }
        assert_eq!(server.connections(), 4);
    }
}

#[tokio::test]
async fn a_body_that_drips_ends_with_the_deadline() {
    let world = World::new();
    let clock = world.clock.clone();
    let server = Server::start(move |_, mut stream| {
        let clock = clock.clone();
        async move {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
            let _ = stream.write_all(head.as_bytes()).await;
            // One byte a second, by the clock of the test.
            while stream.write_all(b"a").await.is_ok() {
                clock.advance(Duration::from_secs(1));
                tokio::task::yield_now().await;
            }
        }
    })
    .await;
    let result = world.get(&server.url("site.example")).await;
    assert_eq!(result, Err(unreachable(Unreachable::Timeout)));
}

#[tokio::test]
async fn a_server_that_says_nothing_ends_with_the_deadline_of_the_caller() {
    let mut world = World::new();
    world.limits.total = Duration::from_secs(3600);
    let clock = world.clock.clone();
    let server = Server::start(move |_, stream| {
        let clock = clock.clone();
        async move {
            clock.advance(Duration::from_secs(60));
            std::future::pending::<()>().await;
            drop(stream);
        }
    })
    .await;
    let result = world.get(&server.url("site.example")).await;
    assert_eq!(result, Err(unreachable(Unreachable::Timeout)));
}

#[tokio::test]
async fn an_endless_body_is_cut_off() {
    let server = Server::start(|_, mut stream| async move {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        let _ = stream.write_all(head.as_bytes()).await;
        while stream.write_all(&[b'a'; 65_536]).await.is_ok() {}
    })
    .await;
    let result = World::new().get(&server.url("site.example")).await;
    assert_eq!(result, Err(unreachable(Unreachable::TooLarge)));
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_read_and_one_byte_more_is_not() {
    let mut world = World::new();
    world.limits.body = 1000;
    let fits = Server::sending(page(&"a".repeat(1000))).await;
    assert_eq!(world.get(&fits.url("site.example")).await.expect("a page").body.len(), 1000);
    let exceeds = Server::sending(page(&"a".repeat(1001))).await;
    let result = world.get(&exceeds.url("site.example")).await;
    assert_eq!(result, Err(unreachable(Unreachable::TooLarge)));
}

fn gzipped(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).expect("memory");
    encoder.finish().expect("memory")
}

#[tokio::test]
async fn compressed_pages_are_read_and_compressed_bombs_are_cut_off() {
    let headers = "Content-Type: text/html\r\nContent-Encoding: gzip\r\n";
    let server = Server::sending(response("200 OK", headers, &gzipped(b"<p>Hello</p>"))).await;
    let fetched = World::new().get(&server.url("site.example")).await.expect("a page");
    assert_eq!(fetched.body, b"<p>Hello</p>");
    let bomb = gzipped(&vec![b'a'; 100_000_000]);
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    let server = Server::sending(response("200 OK", headers, &bomb)).await;
    let result = World::new().get(&server.url("site.example")).await;
    assert_eq!(result, Err(unreachable(Unreachable::TooLarge)));
}

#[tokio::test]
async fn faulty_or_unwanted_compression_is_not_read() {
    for (coding, body) in
        [("gzip", &b"not gzip at all"[..]), ("br", b"\x0b\x02\x80x\x03"), ("zip", b"PK")]
    {
        let headers = format!("Content-Type: text/html\r\nContent-Encoding: {coding}\r\n");
        let server = Server::sending(response("200 OK", &headers, body)).await;
        let result = World::new().get(&server.url("site.example")).await;
        assert_eq!(result, Err(unreachable(Unreachable::Protocol)), "{coding}");
    }
}

#[tokio::test]
async fn statuses_of_failure_are_told_apart_from_pages() {
    for status in [304_u16, 400, 401, 403, 404, 429, 500, 503] {
        let answer =
            response(&format!("{status} No"), "Content-Type: text/html\r\n", b"<p>login</p>");
        let server = Server::sending(answer).await;
        let result = World::new().get(&server.url("site.example")).await;
        assert_eq!(result, Err(unreachable(Unreachable::Status(status))));
    }
}

#[tokio::test]
async fn only_pages_and_texts_are_read() {
    for (kind, readable) in [
        ("text/html", true),
        ("TEXT/HTML; Charset=ISO-8859-1", true),
        ("application/xhtml+xml", true),
        ("text/plain", true),
        ("text/markdown; charset=utf-8", true),
        ("application/pdf", false),
        ("image/png", false),
        ("application/octet-stream", false),
        ("text/javascript", false),
        ("video/mp4", false),
    ] {
        let server =
            Server::sending(response("200 OK", &format!("Content-Type: {kind}\r\n"), b"x")).await;
        let result = World::new().get(&server.url("site.example")).await;
        if readable {
            assert_eq!(result.expect(kind).content_type.as_deref(), Some(kind));
        } else {
            assert_eq!(result, Err(unreachable(Unreachable::ContentType)), "{kind}");
        }
    }
    let untyped = Server::sending(response("200 OK", "", b"\xe4 in Latin-1")).await;
    let fetched = World::new().get(&untyped.url("site.example")).await.expect("a page");
    assert_eq!((fetched.content_type, fetched.body), (None, b"\xe4 in Latin-1".to_vec()));
}

#[tokio::test]
async fn answers_that_are_not_http_are_not_read() {
    let huge = format!("HTTP/1.1 200 OK\r\nX-Huge: {}\r\n\r\nbody", "a".repeat(2_000_000));
    let many: String = (0..100_000).map(|number| format!("X-{number}: 1\r\n")).collect();
    for answer in [
        huge,
        format!("HTTP/1.1 200 OK\r\n{many}\r\nbody"),
        "SSH-2.0-OpenSSH_9.6\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nshort".to_owned(),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".to_owned(),
        String::new(),
    ] {
        let start: String = answer.chars().take(40).collect();
        let server = Server::sending(answer).await;
        let result = World::new().get(&server.url("site.example")).await;
        assert_eq!(result, Err(unreachable(Unreachable::Protocol)), "{start}");
    }
}

#[tokio::test]
async fn names_without_addresses_and_closed_ports_are_told_apart() {
    let world = World::resolving(
        Names::default().with("site.example", &[&["127.0.0.1"]]).with("empty.example", &[&[]]),
    );
    for host in ["unknown.example", "empty.example"] {
        let result = world.get(&format!("http://{host}/")).await;
        assert_eq!(result, Err(unreachable(Unreachable::Name)), "{host}");
    }
    let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = server.local_addr().expect("an address").port();
    drop(server);
    let result = world.get(&format!("http://site.example:{port}/")).await;
    assert_eq!(result, Err(unreachable(Unreachable::Refused)));
}

#[tokio::test]
async fn a_server_without_encryption_is_not_asked_for_a_page_over_https() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(&page("plain")).await;
        }
    });
    let result = World::new().get(&format!("https://site.example:{port}/")).await;
    assert_eq!(result, Err(unreachable(Unreachable::Connect)));
}

#[tokio::test]
async fn names_are_taken_to_the_operating_system_in_production() {
    let server = Server::sending(page("here")).await;
    let world = World::new();
    for (loopback, reached) in [(Loopback::Allowed, true), (Loopback::Refused, false)] {
        let client =
            GuardedClient::new(Arc::new(SystemResolver), loopback, Ports::All).expect("a client");
        let fetcher = Fetcher::new(client, world.clock.clone(), world.limits);
        let url = world.url(&server.url("localhost"));
        let result = fetcher.get(url, Timestamp::from_millis(60_000)).await;
        assert_eq!(result.is_ok(), reached, "{result:?}");
        assert!(reached || result == Err(UnsafeUrl::Address.into()));
    }
}
