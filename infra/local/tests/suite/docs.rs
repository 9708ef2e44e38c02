//! The page on which the API can be tried.

use crate::server;

use reqwest::Response;
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
    let docs = server.banner["docsUrl"].as_str().expect("an address");
    assert_eq!(server.get("/")["data"]["documentation"], docs);

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
    assert_eq!(kinds, ["image/png", "text/css", "text/javascript", "text/javascript"]);
    assert_eq!(get(&server, "/docs/swagger-initializer.js", None).status(), 404);
}

#[test]
fn the_key_is_filled_in_for_this_machine_and_no_other_site_can_read_it() {
    let server = Server::start(&["--ephemeral", "--port", "0"]);
    let local = format!("localhost:{}", server.base_url().rsplit(':').next().expect("a port"));
    let local = local.strip_suffix("/v1").expect("the base address");
    for host in [None, Some(local), Some("[::1]:9400")] {
        assert!(text(&server, "/docs", host).contains(server.key()), "{host:?}");
    }
    // A name of its own that leads to 127.0.0.1, as DNS rebinding has it.
    for host in ["rebound.example", "127.0.0.1.example:9400", "localhost.example"] {
        let page = text(&server, "/docs", Some(host));
        assert!(page.contains("swagger-ui") && !page.contains("pwk_"), "{host}");
    }
    let answer = get(&server, "/docs", Some(local));
    assert!(!answer.headers().contains_key("access-control-allow-origin"), "{answer:?}");
    // A script may be used by any site.
    assert!(!text(&server, "/docs/docs.js", None).contains("pwk_"));
}
