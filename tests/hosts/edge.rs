//! What lies around all operations: routes, CORS, bodies and the rate.

use acceptance::{Answer, host::Host};
use domain::Plan;
use reqwest::Method;
use serde_json::json;

use crate::host;

#[tokio::test]
async fn an_unknown_route_is_not_found() {
    let host = host().await;
    for path in ["/nope", "/usage/", "/prompts", "/operations/a/b", "/nope/%C3%A4%2Fb?x=%20"] {
        let answer = host.get(path).await;
        answer.is_error(404, "not_found");
        assert_eq!(answer.body["requestId"], answer.header("x-request-id").expect("an id"));
    }
    assert_eq!(host.get("/").await.data(200), host.get("").await.data(200), "with a slash");
}

#[tokio::test]
async fn each_exchange_has_an_identifier_of_its_own() {
    let host = host().await;
    let mut seen = std::collections::BTreeSet::new();
    for path in ["", "", "/health", "/usage", "/nope"] {
        let answer = host.get(path).await;
        assert!(seen.insert(answer.header("x-request-id").expect("an id").to_owned()));
    }
}

#[tokio::test]
async fn a_browser_of_any_origin_may_call_and_read_our_headers() {
    let host = host().await;
    let preflight = Answer::to(
        host.anonymous(Method::OPTIONS, "/prompts/generate")
            .header("Origin", "https://example.com")
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "authorization,idempotency-key,prefer"),
    )
    .await;
    assert_eq!(preflight.status, 200);
    assert_eq!(preflight.header("access-control-allow-origin"), Some("*"));
    assert_eq!(preflight.header("access-control-allow-credentials"), None);
    let allowed = preflight.header("access-control-allow-headers").expect("headers");
    for header in ["authorization", "content-type", "idempotency-key", "prefer"] {
        assert!(allowed.split(',').any(|name| name == header), "{allowed}");
    }
    let account = host.account().await;
    let request = account.request(Method::GET, "/usage").header("Origin", "https://example.com");
    let answer = Answer::to(request).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    let exposed = answer.header("access-control-expose-headers").expect("headers");
    for header in ["x-request-id", "ratelimit-remaining", "idempotent-replayed", "location"] {
        assert!(exposed.split(',').any(|name| name == header), "{header} in {exposed}");
    }
}

/// Sends a body as it is to an operation that costs nothing.
async fn estimate(host: &Host, content_type: &str, body: impl Into<reqwest::Body>) -> Answer {
    let account = host.account().await;
    let request = account.request(Method::POST, "/prompts/token-estimate");
    Answer::to(request.header("Content-Type", content_type).body(body)).await
}

#[tokio::test]
async fn a_body_is_one_json_document_in_utf_8() {
    let host = host().await;
    let text = json!({"prompt": "Füße 🏙️ \u{0} \"quoted\" \\ \r\n"}).to_string();
    for content_type in ["application/json", "application/json; charset=utf-8"] {
        let answer = estimate(&host, content_type, text.clone()).await;
        assert_eq!(answer.data(200)["characters"], 23, "code points survive the way");
    }
    for (content_type, body) in [
        ("application/json", &b"{\"prompt\": \"a\", \"prompt\": \"b\"}"[..]),
        ("application/json", b"{\"prompt\": "),
        ("application/json", b""),
        ("text/plain", b"{\"prompt\": \"a\"}"),
        ("application/octet-stream", b"{\"prompt\": \"a\"}"),
    ] {
        let answer = estimate(&host, content_type, body.to_vec()).await;
        answer.is_error(400, "invalid_request");
        assert!(!answer.problem_paths().is_empty(), "{}", answer.body);
    }
}

#[tokio::test]
async fn a_body_that_is_no_text_is_refused_by_the_service_or_by_what_stands_before_it() {
    let host = host().await;
    let answer = estimate(&host, "application/json", b"{\"prompt\": \"\xff\"}".to_vec()).await;
    assert!(answer.status.as_u16() >= 400, "{}", answer.status);
    if answer.header("x-request-id").is_some() {
        answer.is_error(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_prompt_of_200_000_characters_is_taken_and_one_more_is_not() {
    let host = host().await;
    let body = |count: usize| json!({"prompt": "ä".repeat(count)}).to_string();
    let taken = estimate(&host, "application/json", body(200_000)).await;
    assert_eq!(taken.data(200)["characters"], 200_000);
    let refused = estimate(&host, "application/json", body(200_001)).await;
    refused.is_error(400, "invalid_request");
    assert_eq!(refused.problem_paths(), ["/prompt"]);
}

#[tokio::test]
async fn who_exceeds_the_rate_is_told_when_to_come_again() {
    let host = host().await;
    let Some(account) = host.on_plan(Plan::Free).await else { return };
    let mut remaining = Vec::new();
    // A window may end meanwhile, but hardly two.
    for _ in 0..62 {
        let answer = account.get("/models").await;
        assert_eq!(answer.header_number("ratelimit-limit"), 30);
        if answer.status == 200 {
            remaining.push(answer.header_number("ratelimit-remaining"));
            continue;
        }
        answer.is_error(429, "rate_limited");
        assert_eq!(answer.header_number("ratelimit-remaining"), 0);
        let wait = answer.header_number("retry-after");
        assert!((1..=60).contains(&wait), "{wait}");
        assert_eq!(remaining.last(), Some(&0));
        assert!(remaining.len() >= 30, "{remaining:?}");
        host.assert_documented("listModels", &answer).await;
        return;
    }
    panic!("30 requests a minute, and yet: {remaining:?}");
}
