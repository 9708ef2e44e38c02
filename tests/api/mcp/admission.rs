//! Every message is a request: it passes the gate once, whatever it says.

use acceptance::{
    World,
    mcp::{Client, NEWEST, Reply, WITH_SESSIONS},
};
use domain::{Plan, Scopes};
use reqwest::{
    RequestBuilder,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use serde_json::json;

use super::subject;

/// What has no request of its own to the API, with the status of its answer.
fn oddities(client: &Client) -> Vec<(&'static str, RequestBuilder, u16)> {
    let ping = client.message("ping", json!({}));
    let raw = |body: &'static str| client.posting(&ping).body(body);
    let other = |name, value| {
        let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
        client.posting(&ping).headers(HeaderMap::from_iter([(name, value)]))
    };
    let say = |method, params| client.posting(&client.message(method, params));
    let (uri, level) = ("prompt-workflow://models", "info");
    let reference = json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": "b"}});
    let endless = format!("prompt-workflow://library/items/{}", "i".repeat(70_000));
    vec![
        ("no JSON", raw("{"), 400),
        ("no message", raw("5"), 400),
        ("a batch", raw(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#), 400),
        ("a property twice", raw(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#), 400),
        ("a response", raw(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), 400),
        ("a notification", raw(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), 202),
        ("an unknown method", say("no/such", json!({})), 200),
        ("malformed parameters", say("tools/call", json!({"name": 5})), 200),
        ("a completion", say("completion/complete", reference), 200),
        ("a level", say("logging/setLevel", json!({"level": level})), 200),
        ("a subscription", say("resources/subscribe", json!({"uri": uri})), 200),
        ("its end", say("resources/unsubscribe", json!({"uri": uri})), 200),
        ("a task", say("tasks/get", json!({"taskId": "t"})), 200),
        ("an address beyond all", say("resources/read", json!({"uri": endless})), 200),
        ("an empty name", say("prompts/get", json!({"name": ""})), 200),
        ("a cursor of nobody's", say("tools/list", json!({"cursor": "x"})), 200),
        ("another revision", other("mcp-protocol-version", "1"), 400),
        ("another type", other("content-type", "text/plain"), 415),
    ]
}

#[tokio::test]
async fn a_message_counts_as_one_request_whatever_is_wrong_with_it() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    let before = ada.get("/usage").await.header_number("ratelimit-remaining");
    let mut left = before;
    for (what, request, status) in oddities(&client) {
        let answer = Reply::to(request).await;
        assert_eq!(answer.status, status, "{what}: {:?}", answer.messages);
        left -= 1;
        let told = answer.header("ratelimit-remaining").map(ToOwned::to_owned);
        assert_eq!(told, Some(left.to_string()), "{what}");
    }
    assert_eq!(ada.get("/usage").await.header_number("ratelimit-remaining"), left - 1);
}

#[tokio::test]
async fn nothing_is_admitted_beyond_the_rate_limit() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    world.store.set_suspended(ada.id, true).await.expect("storage");
    for (what, request, _) in oddities(&client) {
        let answer = Reply::to(request).await;
        assert_eq!(answer.status, 403, "{what}");
        answer.is_refused(403, "account_suspended");
    }
}

#[tokio::test]
async fn cached_refusals_come_before_messages_are_read() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Free).await;
    let client = ada.mcp().await;
    let left = ada.get("/usage").await.header_number("ratelimit-remaining");
    for _ in 0..left {
        client.say("ping", json!({})).await.result();
    }
    let told = client.call("list_models", json!({})).await.tool_error();
    assert_eq!(told["code"], "rate_limited");
    world.faults.reset();
    // That it is a tool's call, which would have a result, stands in the body.
    let refused = client.call("list_models", json!({})).await;
    refused.is_refused(429, "rate_limited");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(refused.header("ratelimit-remaining"), Some("0"));
    for (what, request, _) in oddities(&client) {
        let answer = Reply::to(request).await;
        assert_eq!(answer.status, 429, "{what}");
    }
    assert_eq!(world.faults.calls().len(), 0);
}

#[tokio::test]
async fn a_token_that_grants_nothing_makes_no_account() {
    let world = World::start().await;
    for (number, (method, params)) in [
        ("initialize", json!({})),
        ("ping", json!({})),
        ("tools/list", json!({})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("tools/call", json!({"name": "list_models", "arguments": {}})),
        ("tools/call", json!({"name": "get_capabilities", "arguments": {}})),
        ("no/such", json!({})),
    ]
    .into_iter()
    .enumerate()
    {
        let stranger = world.subject(&format!("stranger {number}"), Scopes::NONE);
        let client = stranger.mcp_before_anything(WITH_SESSIONS);
        let params = if method == "initialize" { client.introduction() } else { params };
        let refused = client.say(method, params).await;
        refused.is_refused(403, "insufficient_scope");
        let challenge = refused.header("www-authenticate").expect("a challenge");
        assert!(challenge.contains(r#"error="insufficient_scope""#), "{challenge}");
        assert!(challenge.contains("resource_metadata="), "{challenge}");
        assert!(!challenge.contains("scope=\"\""), "{challenge}");
        assert!(refused.header("mcp-session-id").is_none(), "{method}");
        let account = world.store.account(stranger.id).await.expect("storage");
        assert!(account.is_none(), "{method}");
    }
    let newest = world.subject("another", Scopes::NONE).mcp_before_anything(NEWEST);
    newest.say("server/discover", json!({})).await.is_refused(403, "insufficient_scope");
}
