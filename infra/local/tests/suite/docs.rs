//! The page on which the API can be tried.

use crate::server;

use reqwest::{Method, Response};
use server::Server;

fn get(server: &Server, path: &str, host: Option<&str>) -> Response {
    let origin = server.base_url().strip_suffix("/v1").expect("the base address");
    let mut request = server.client().get(format!("{origin}{path}"));
    if let Some(host) = host {
        request = request.header("host", host).header("origin", format!("http://{host}"));
    }
    server.block_on(request.send()).expect("an answer")
}

fn text(server: &Server, path: &str, host: Option<&str>) -> String {
    server.block_on(get(server, path, host).text()).expect("text")
}

#[test]
fn the_page_is_named_and_asks_no_other_host() {
    let server = Server::start(&["--ephemeral", "--port", "0"]);
    let named = server.get("/")["data"]["documentation"].clone();
    let opened = server.banner["docsUrl"].as_str().expect("an address");
    assert_eq!(opened.split("?token=").next(), named.as_str());

    let answer = get(&server, "/docs", None);
    assert_eq!(answer.status(), 200);
    let policy = answer.headers()["content-security-policy"].to_str().expect("text").to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(!policy.contains("http") && !policy.contains('*'), "{policy}");

    let page = server.block_on(answer.text()).expect("text");
    let named = page.split('"').filter(|part| part.starts_with("docs/"));
    let kinds = named.map(|path| {
        let answer = get(&server, &format!("/{path}"), None);
        assert_eq!(answer.status(), 200, "{path}");
        answer.headers()["content-type"].to_str().expect("text").to_owned()
    });
    let mut kinds: Vec<_> = kinds.collect();
    // The guides that it links to.
    kinds.retain(|kind| kind != "text/plain; charset=utf-8");
    let script = "text/javascript; charset=utf-8";
    assert_eq!(kinds, ["image/png", "text/css", "text/javascript", script]);
    assert_eq!(get(&server, "/docs/swagger-initializer.js", None).status(), 404);
}

/// Whether the page has the key.
fn has_key(server: &Server, answer: Response) -> bool {
    let page = server.block_on(answer.text()).expect("text");
    assert!(page.contains("swagger-ui"), "{page}");
    page.contains("pwk_")
}

#[test]
fn only_who_opens_the_address_of_the_banner_first_gets_the_key() {
    let server = Server::start(&["--ephemeral", "--port", "0"]);
    assert!(!has_key(&server, get(&server, "/docs", None)), "without a token");
    assert!(!has_key(&server, get(&server, "/docs?token=", None)), "an empty token");
    let guess = format!("/docs?token={}", "0".repeat(32));
    assert!(!has_key(&server, get(&server, &guess, None)), "another token");
    // Neither uses the token up: nobody has seen the page.
    server.open("docsUrl", Method::HEAD, None, "");
    assert!(!has_key(&server, server.open("docsUrl", Method::GET, Some("rebound.example"), "")));

    let first = server.open("docsUrl", Method::GET, None, "");
    let cookie = first.headers()["set-cookie"].to_str().expect("text").to_owned();
    assert!(has_key(&server, first));
    assert!(cookie.ends_with("; Path=/docs; HttpOnly; SameSite=Strict"), "{cookie}");
    let second = server.open("docsUrl", Method::GET, None, "");
    assert!(!second.headers().contains_key("set-cookie"));
    assert!(!has_key(&server, second));
    assert!(!has_key(&server, server.open("docsUrl", Method::GET, None, "docs-1=0; other=1")));

    let cookie = cookie.split(';').next().expect("name and value");
    let cookie = format!("other=1; {cookie}");
    for host in [None, Some("localhost:9400"), Some("[::1]:9400")] {
        assert!(has_key(&server, server.open("docsUrl", Method::GET, host, &cookie)), "{host:?}");
    }
    // Names of its own that lead to 127.0.0.1, as DNS rebinding has them.
    for host in ["rebound.example", "127.0.0.1.example:9400", "localhost.example"] {
        assert!(
            !has_key(&server, server.open("docsUrl", Method::GET, Some(host), &cookie)),
            "{host}"
        );
    }
}

#[test]
fn no_other_site_can_read_the_page() {
    let server = Server::start(&["--ephemeral", "--port", "0"]);
    let answer = get(&server, "/docs", Some("localhost"));
    assert!(!answer.headers().contains_key("access-control-allow-origin"), "{answer:?}");
    // A script may be used by any site.
    assert!(!text(&server, "/docs/docs.js", None).contains("pwk_"));
}
