//! The page on which prompts are worked on.

use crate::server;

use reqwest::{Method, Response};
use server::Server;

fn origin(server: &Server) -> &str {
    server.base_url().strip_suffix("/v1").expect("the base address")
}

fn get(server: &Server, path: &str, cookie: &str) -> Response {
    let request = server.client().get(format!("{}{path}", origin(server)));
    server.block_on(request.header("cookie", cookie).send()).expect("an answer")
}

/// Whether a page has the key.
fn has_key(server: &Server, answer: Response) -> bool {
    let page = server.block_on(answer.text()).expect("text");
    assert!(page.contains(r#"name="api-key""#), "{page}");
    page.contains("pwk_")
}

#[test]
fn the_page_is_of_our_own_files_and_asks_only_the_api_and_the_storage() {
    let server = Server::start(&["--ephemeral", "--port", "0"]);
    let answer = get(&server, "/", "");
    assert_eq!(answer.status(), 200);
    let policy = answer.headers()["content-security-policy"].to_str().expect("text").to_owned();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; "),
        "{policy}"
    );
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    let connected = policy.split("; ").find_map(|part| part.strip_prefix("connect-src 'self' "));
    let created = server.post(
        "/uploads",
        &serde_json::json!({"scope": "reverse_image", "filename": "point.png", "contentType": "image/png",
            "size": 70}),
    );
    let storage = created["data"]["upload"]["url"].as_str().expect("an address");
    let connected = connected.expect("the storage");
    assert!(storage.starts_with(&format!("{connected}/")), "{storage} {connected}");

    let page = server.block_on(answer.text()).expect("text");
    assert!(!page.contains("http") && !page.contains("style="), "{page}");
    let mut files: Vec<_> =
        page.split('"').filter(|part| part.starts_with("workbench/")).map(str::to_owned).collect();
    assert_eq!(
        files,
        [
            "workbench/icon.svg",
            "workbench/workbench.css",
            "workbench/results.css",
            "workbench/workbench.js"
        ]
    );
    // Scripts name others, which the browser looks for beside them.
    let mut at = 0;
    while at < files.len() {
        let answer = get(&server, &format!("/{}", files[at]), "");
        assert_eq!(answer.status(), 200, "{}", files[at]);
        let text = server.block_on(answer.text()).expect("text");
        let named = text.split('"').filter_map(|part| part.strip_prefix("./"));
        let named = named.map(|name| format!("workbench/{name}"));
        let new: Vec<_> = named.filter(|name| !files.contains(name)).collect();
        files.extend(new);
        assert!(!text.contains("innerHTML") && !text.contains("pwk_"), "{}", files[at]);
        at += 1;
    }
    assert_eq!(files.len(), 13, "{files:?}");
    assert_eq!(get(&server, "/workbench/main.rs", "").status(), 404);
}

#[test]
fn only_who_opens_the_printed_address_first_gets_the_key_in_both_pages() {
    let server = Server::start(&["--ephemeral", "--port", "0"]);
    let address = server.banner["workbenchUrl"].as_str().expect("an address");
    assert_eq!(address.split("?token=").next(), Some(&*format!("{}/", origin(&server))));
    assert!(!has_key(&server, get(&server, "/", "")), "without a token");
    assert!(!has_key(&server, get(&server, "/?token=", "")), "an empty token");
    let guess = format!("/?token={}", "0".repeat(32));
    assert!(!has_key(&server, get(&server, &guess, "")), "another token");
    // The other page has a token of its own.
    let docs = server.banner["docsUrl"].as_str().expect("an address");
    let other = docs.split("?token=").nth(1).expect("a token");
    assert!(!has_key(&server, get(&server, &format!("/?token={other}"), "")), "that of /docs");
    // None uses the token up: nobody has seen the page.
    server.open("workbenchUrl", Method::HEAD, None, "");
    assert!(!has_key(
        &server,
        server.open("workbenchUrl", Method::GET, Some("rebound.example"), "")
    ));

    let first = server.open("workbenchUrl", Method::GET, None, "");
    let cookie = first.headers()["set-cookie"].to_str().expect("text").to_owned();
    assert!(has_key(&server, first));
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    let second = server.open("workbenchUrl", Method::GET, None, "");
    assert!(!second.headers().contains_key("set-cookie"));
    assert!(!has_key(&server, second));

    let cookie = cookie.split(';').next().expect("name and value");
    assert!(has_key(&server, get(&server, "/", cookie)));
    assert!(has_key(&server, get(&server, "/docs", cookie)));
    for host in ["rebound.example", "127.0.0.1.example:9400"] {
        assert!(
            !has_key(&server, server.open("workbenchUrl", Method::GET, Some(host), cookie)),
            "{host}"
        );
    }
    // The API takes keys and no cookies.
    assert_eq!(get(&server, "/v1/usage", cookie).status(), 401);
    // The deployment's own page has no key for anybody.
    assert!(!has_key(&server, get(&server, "/v1/workbench", cookie)));
}
