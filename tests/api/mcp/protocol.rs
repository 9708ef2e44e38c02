//! Conversations, revisions, and what HTTP has to say.

use acceptance::{
    Answer, World,
    mcp::{NEWEST, Reply, WITH_SESSIONS},
    world::AccessTokens,
};
use domain::{Plan, Scopes};
use reqwest::{
    Method,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use serde_json::json;
use store::admission::Limits;

use super::subject;

/// The header that names a revision, instead of the one that is there.
fn version(version: &'static str) -> HeaderMap {
    let value = HeaderValue::from_static(version);
    HeaderMap::from_iter([(HeaderName::from_static("mcp-protocol-version"), value)])
}

#[tokio::test]
async fn a_session_starts_with_the_newest_revision_that_both_know() {
    let world = World::with_limits(Limits::Lifted).await;
    let ada = subject(&world, "ada", Plan::Free).await;
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        // It demands that batches are taken.
        ("2025-03-26", WITH_SESSIONS),
        ("2025-06-18", "2025-06-18"),
        (WITH_SESSIONS, WITH_SESSIONS),
        ("2199-01-01", WITH_SESSIONS),
    ] {
        let client = ada.mcp_before_anything(WITH_SESSIONS);
        let mut introduction = client.introduction();
        introduction["protocolVersion"] = asked.into();
        let begun = client.say("initialize", introduction).await;
        let result = begun.result();
        assert_eq!(result["protocolVersion"], agreed, "{asked}");
        assert_eq!(result["serverInfo"]["name"], "prompt-workflow");
        for offered in ["tools", "prompts", "resources", "completions"] {
            assert!(result["capabilities"][offered].is_object(), "{offered}");
        }
        assert!(begun.header("mcp-session-id").is_some_and(|id| id.len() == 22));
        assert!(begun.header("ratelimit-remaining").is_some());
    }
}

#[tokio::test]
async fn the_newest_revision_needs_no_beginning() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp_before_anything(NEWEST);
    let discovered = client.say("server/discover", json!({})).await;
    let supported = discovered.result()["supportedVersions"].as_array().expect("a list").clone();
    assert_eq!(supported, ["2024-11-05", "2025-06-18", WITH_SESSIONS, NEWEST]);
    assert!(discovered.header("mcp-session-id").is_none());
    let made = client.call("generate_prompt", json!({"message": "A haiku"})).await;
    assert!(made.data()["operationId"].is_string());
    let listed = client.say("tools/list", json!({})).await;
    assert_eq!(listed.result()["cacheScope"], "private", "it depends on the token");
    let mut unknown = client.message("tools/list", json!({}));
    unknown["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2199-01-01".into();
    let refused = Reply::to(client.posting(&unknown).headers(version("2199-01-01"))).await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.error()["data"]["requested"], "2199-01-01");
    assert!(refused.error()["data"]["supported"].as_array().is_some_and(|all| all.len() > 1));
}

#[tokio::test]
async fn two_instances_answer_one_session() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let first = ada.mcp().await;
    let app = world.application.clone().router();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let haiku = first.calling("generate_prompt", json!({"message": "A haiku"}));
    let made = first.send(&haiku).await.data().clone();
    // The same message, with everything that goes with it, at another instance.
    let mut there = first.posting(&haiku).build().expect("a request");
    there.url_mut().set_port(Some(port)).expect("a port");
    let client = reqwest::Client::new();
    let request = reqwest::RequestBuilder::from_parts(client, there);
    let again = Reply::to(request).await;
    assert_eq!(again.data(), &made);
    assert_eq!(again.result()["_meta"]["idempotentReplayed"], true);
    server.abort();
}

#[tokio::test]
async fn a_client_that_knows_nothing_finds_its_way_to_a_token_for_the_endpoint_alone() {
    let world = World::start().await;
    let refused = Reply::to(world.anonymous(Method::POST, "/mcp")).await;
    refused.is_refused(401, "missing_credentials");
    let said = refused.message()["error"]["message"].as_str().expect("a message");
    assert!(!said.contains("API key"), "{said}");
    let challenge = refused.header("www-authenticate").expect("a challenge");
    let (_, metadata) = challenge.split_once("resource_metadata=\"").expect("an address");
    let metadata = metadata.trim_end_matches('"');
    let metadata = Answer::to(reqwest::Client::new().get(metadata)).await;
    let resource = format!("{}/mcp", world.base_url);
    assert_eq!(metadata.body["resource"], resource.as_str());
    assert_eq!(metadata.body["authorization_servers"], json!([world.issuer.url]));
    let mut claims = world.issuer.claims("ada", Scopes::ALL);
    claims["aud"] = resource.into();
    let narrow = world.bearing(&world.issuer.pair.token(&claims));
    narrow.mcp().await.call("get_usage", json!({})).await.data();
    // It was made out for the endpoint, and opens nothing else.
    narrow.get("/usage").await.is_error(401, "invalid_credentials");
}

#[tokio::test]
async fn a_token_for_the_api_opens_the_endpoint_only_if_the_operator_allows_it() {
    for accepted in [AccessTokens::OfTheResource, AccessTokens::OfTheApiAtMcpToo] {
        let world = World::accepting(accepted).await;
        let mut claims = world.issuer.claims("ada", Scopes::ALL);
        claims["aud"] = world.base_url.clone().into();
        let of_api = world.bearing(&world.issuer.pair.token(&claims));
        of_api.get("/usage").await.data(200);
        let answer = of_api.mcp_before_anything(NEWEST).call("get_usage", json!({})).await;
        if accepted == AccessTokens::OfTheApiAtMcpToo {
            answer.data();
            continue;
        }
        answer.is_refused(401, "invalid_credentials");
        let challenge = answer.header("www-authenticate").expect("a challenge");
        for part in [
            r#"error="invalid_token""#,
            r#"scope="usage:read""#,
            "oauth-protected-resource/v1/mcp\"",
        ] {
            assert!(challenge.contains(part), "{challenge}");
        }
        let account = world.store.account(of_api.id).await.expect("storage");
        assert!(account.is_some(), "of the request to the API");
    }
}

#[tokio::test]
async fn a_challenge_names_the_least_scopes_that_the_message_needs() {
    let world = World::start().await;
    let item = "prompt-workflow://library/items/lib_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    for (method, params, scope) in [
        ("initialize", json!({}), None),
        ("ping", json!({}), None),
        ("tools/list", json!({}), None),
        ("tools/call", json!({"name": "list_models"}), None),
        ("tools/call", json!({"name": "no_such_tool"}), None),
        ("tools/call", json!({}), None),
        ("tools/call", json!({"name": 5}), None),
        ("tools/call", json!({"name": "get_usage"}), Some("usage:read")),
        (
            "tools/call",
            json!({"name": "analyze_and_optimize_prompt"}),
            Some("prompts:analyze prompts:optimize"),
        ),
        ("prompts/list", json!({}), Some("prompts:presets:read")),
        ("prompts/get", json!({"name": "p"}), Some("prompts:presets:read")),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}}),
            Some("prompts:presets:read"),
        ),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "prompt-workflow://models/{name}"}}),
            None,
        ),
        ("resources/list", json!({}), None),
        ("resources/read", json!({"uri": "prompt-workflow://models"}), None),
        ("resources/read", json!({"uri": item}), Some("library:read")),
    ] {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let bare = world.anonymous(Method::POST, "/mcp").json(&message);
        let wrong = world.anonymous(Method::POST, "/mcp").json(&message).bearer_auth("x");
        for request in [bare, wrong] {
            let refused = Reply::to(request).await;
            assert_eq!(refused.status, 401, "{message}");
            let challenge = refused.header("www-authenticate").expect("a challenge");
            let named = challenge.split_once("scope=\"").and_then(|(_, rest)| rest.split_once('"'));
            assert_eq!(named.map(|(scope, _)| scope), scope, "{message}: {challenge}");
        }
    }
    let nonsense = world.anonymous(Method::POST, "/mcp").body("{");
    Reply::to(nonsense).await.is_refused(401, "missing_credentials");
}

#[tokio::test]
async fn without_issuers_the_endpoint_is_closed_and_capabilities_say_so() {
    let world = World::without_oauth().await;
    let key = world.account(Plan::Max).await;
    let client = key.mcp_before_anything(WITH_SESSIONS);
    client.say("ping", json!({})).await.is_refused(401, "invalid_credentials");
    assert_eq!(key.get("/capabilities").await.data(200)["features"]["mcp"], false);
    let open = World::start().await;
    let key = open.account(Plan::Max).await;
    assert_eq!(key.get("/capabilities").await.data(200)["features"]["mcp"], true);
}

#[tokio::test]
async fn each_message_counts_as_one_request_and_none_is_admitted_beyond_the_limit() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    let count = async || ada.get("/usage").await.header_number("ratelimit-remaining");
    for (method, params) in [
        ("ping", json!({})),
        ("tools/list", json!({})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "prompt-workflow://models"})),
        ("tools/call", json!({"name": "list_models", "arguments": {}})),
        ("tools/call", json!({"name": "generate_prompt", "arguments": {"message": "A haiku"}})),
        ("tools/call", json!({"name": "get_preset", "arguments": {}})),
        ("tools/call", json!({"name": "no_such_tool", "arguments": {}})),
    ] {
        let before = count().await;
        let answer = client.say(method, params).await;
        assert_eq!(answer.status, 200);
        // The answer itself tells, too.
        assert_eq!(answer.header("ratelimit-remaining"), Some((before - 1).to_string().as_str()));
        assert_eq!(count().await, before - 2, "{method}");
    }
    let left = count().await;
    for _ in 0..left {
        client.say("ping", json!({})).await.result();
    }
    let refused = client.say("ping", json!({})).await;
    refused.is_refused(429, "rate_limited");
    assert!(refused.header("retry-after").is_some());
    // A model is told in words that it can act upon, once the gate is asked again.
    world.clock.advance(std::time::Duration::from_secs(5));
    let told = client.call("list_models", json!({})).await.tool_error();
    assert_eq!(told["code"], "rate_limited");
    assert!(told["retryAfterSeconds"].as_u64().is_some_and(|seconds| seconds <= 60));
}

#[tokio::test]
async fn a_suspended_account_hears_so() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    world.store.set_suspended(ada.id, true).await.expect("storage");
    client.say("tools/list", json!({})).await.is_refused(403, "account_suspended");
    let told = client.call("list_models", json!({})).await.tool_error();
    assert_eq!(told["code"], "account_suspended");
}

#[tokio::test]
async fn there_are_no_streams_to_listen_on_and_no_sessions_to_end() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Free).await;
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let answer = Answer::to(ada.request(method, "/mcp")).await;
        answer.is_error(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), Some("POST"));
    }
    let client = ada.mcp().await;
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let accepted = client.send(&notification).await;
    assert_eq!(accepted.status, 202);
    assert!(accepted.messages.is_empty());
}

#[tokio::test]
async fn what_is_no_message_is_told_in_the_protocols_form() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let ping = client.message("ping", json!({}));
    let posting = |body: &'static str| client.posting(&ping).body(body);
    for (request, status, code) in [
        (posting("{"), 400, -32700),
        (posting(""), 400, -32700),
        (posting("5"), 400, -32600),
        (posting(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#), 400, -32600),
        (posting(r#"["initialize"]"#), 400, -32600),
        (posting(r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#), 400, -32600),
        (client.posting(&ping).headers(version("1")), 400, -32600),
        (client.posting(&ping).headers(version("2025-03-26")), 400, -32600),
    ] {
        let answer = Reply::to(request).await;
        assert_eq!(answer.status, status, "{:?}", answer.messages);
        assert_eq!(answer.error()["code"], code);
        assert_eq!(answer.message()["jsonrpc"], "2.0");
        assert!(answer.header("x-request-id").is_some());
    }
    let token = world.issuer.token("ada", Scopes::ALL);
    let accepting = |types| {
        let request = world.anonymous(Method::POST, "/mcp").json(&ping).bearer_auth(&token);
        Reply::to(request.header("Accept", types))
    };
    let unacceptable = accepting("application/json").await;
    assert_eq!(unacceptable.status, 406);
    unacceptable.error();
    accepting("text/html, */*").await.result();
    let unknown = client.say("no/such", json!({})).await;
    assert_eq!(unknown.error()["code"], -32601);
    let huge = json!({"message": "a".repeat(5 * 1024 * 1024)});
    client.call("generate_prompt", huge).await.is_refused(400, "invalid_request");
}

#[tokio::test]
async fn a_page_whose_name_may_have_been_rebound_is_refused() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let ping = client.message("ping", json!({}));
    for (origin, status) in [
        ("https://app.example.com", 200),
        ("http://localhost:6274", 200),
        ("http://127.0.0.1:6274", 200),
        ("http://[::1]:6274", 200),
        ("http://rebound.example.com:9400", 403),
        ("http://localhost.example.com", 403),
        ("null", 403),
        ("file://", 403),
    ] {
        let answer = Reply::to(client.posting(&ping).header("Origin", origin)).await;
        assert_eq!(answer.status, status, "{origin}");
        if status == 403 {
            assert_eq!(answer.error()["code"], -32600);
        }
    }
}

#[tokio::test]
async fn a_browser_may_send_the_headers_of_the_protocol() {
    let world = World::start().await;
    let preflight = world.anonymous(Method::OPTIONS, "/mcp").header("Origin", "https://a.example");
    let preflight = preflight.header("Access-Control-Request-Method", "POST");
    let asked = "authorization,mcp-protocol-version,mcp-session-id,mcp-method,mcp-name";
    let answer = Answer::to(preflight.header("Access-Control-Request-Headers", asked)).await;
    let allowed = answer.header("access-control-allow-headers").expect("headers").to_lowercase();
    for header in asked.split(',') {
        assert!(allowed.contains(header), "{header}");
    }
}
