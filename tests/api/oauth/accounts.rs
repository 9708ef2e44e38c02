use std::time::Duration;

use acceptance::World;
use domain::{Plan, Scope, Scopes};
use futures::future::join_all;
use reqwest::Method;
use serde_json::json;
use store::{accounts::TokenSubject, admission::Limits};

#[tokio::test]
async fn a_token_opens_what_its_scopes_name_and_says_what_it_is() {
    let world = World::start().await;
    let caller = world.subject("ada", [Scope::UsageRead].into_iter().collect());
    let answer = caller.get("/capabilities").await;
    let data = answer.data(200);
    assert_eq!(data["plan"], "free");
    assert_eq!(data["scopes"], json!(["usage:read"]));
    assert_eq!(
        data["credential"],
        json!({
            "type": "oauth", "issuer": world.issuer.url, "subject": "ada", "clientId": "a-client",
            "expiresAt": "2026-03-15T13:00:00.000Z",
        })
    );
    assert_eq!(answer.header_number("ratelimit-limit"), 30);
    assert_eq!(caller.get("/usage").await.data(200)["rateLimit"]["remaining"], 28);
    let refused = caller.get("/operations").await;
    refused.is_error(403, "insufficient_scope");
    let challenge = refused.header("www-authenticate").expect("a challenge");
    assert!(challenge.contains(r#"error="insufficient_scope", scope="operations:read""#));
    assert_eq!(refused.header_number("ratelimit-remaining"), 27);
}

#[tokio::test]
async fn a_crowd_of_first_requests_makes_one_account() {
    let world = World::start().await;
    let caller = world.subject("ada", Scopes::ALL);
    let crowd = join_all((0..20).map(|_| caller.get("/usage")));
    for answer in world.advancing_time(crowd).await {
        answer.data(200);
    }
    assert_eq!(caller.get("/models").await.header_number("ratelimit-remaining"), 9);
}

#[tokio::test]
async fn an_account_is_named_as_its_issuer_names_the_subject() {
    let world = World::start().await;
    for (subject, claim, name) in [
        ("1", json!({"name": "Ada Lovelace"}), "Ada Lovelace"),
        ("2", json!({"preferred_username": "ada@example.com"}), "OAuth user"),
        ("a-client", json!({}), "OAuth user"),
        ("3", json!({}), "OAuth user"),
    ] {
        let mut claims = world.issuer.claims(subject, Scopes::ALL);
        for (key, value) in claim.as_object().expect("an object") {
            claims[key] = value.clone();
        }
        let caller = world.bearing(&world.issuer.pair.token(&claims));
        caller.get("/usage").await.data(200);
        let stored = world.store.account_name(caller.id).await.expect("storage");
        assert_eq!(stored.as_deref(), Some(name));
    }
}

#[tokio::test]
async fn what_a_subject_makes_first_bears_its_name() {
    let world = World::start().await;
    let mut claims = world.issuer.claims("ada", Scopes::ALL);
    claims["name"] = "Ada Lovelace".into();
    let caller = world.bearing(&world.issuer.pair.token(&claims));
    let item = json!({
        "title": "A trip", "promptText": "Plan a trip.", "recommendedModels": ["Universal"],
        "category": "Travel",
    });
    let made = caller.send(Method::POST, "/library/items", &item).await;
    assert_eq!(made.data(200)["author"], json!({"name": "Ada Lovelace"}));
}

#[tokio::test]
async fn an_account_says_whose_it_is() {
    let world = World::start().await;
    let caller = world.subject("ada", Scopes::ALL);
    caller.get("/models").await.data(200);
    let account = world.store.account(caller.id).await.expect("storage").expect("an account");
    let token_subject =
        TokenSubject { issuer: world.issuer.url.clone(), subject: "ada".to_owned() };
    assert_eq!(account.token_subject, Some(token_subject));
    let other = world.account(Plan::Free).await;
    let other = world.store.account(other.id).await.expect("storage").expect("an account");
    assert_eq!(other.token_subject, None);
}

#[tokio::test]
async fn a_request_without_its_scope_makes_no_account() {
    let world = World::start().await;
    for path in ["/usage", "/history", "/library/items"] {
        let stranger = world.subject("ada", [Scope::PromptsRefine].into_iter().collect());
        let answer = stranger.get(path).await;
        answer.is_error(403, "insufficient_scope");
        assert_eq!(answer.header_number("ratelimit-limit"), 30);
        assert_eq!(answer.header_number("ratelimit-remaining"), 30);
        assert!((1..=60).contains(&answer.header_number("ratelimit-reset")));
        assert!(world.store.account(stranger.id).await.expect("storage").is_none());
    }
    let caller = world.subject("ada", [Scope::UsageRead].into_iter().collect());
    assert_eq!(caller.get("/usage").await.data(200)["rateLimit"]["remaining"], 29);
}

#[tokio::test]
async fn a_subject_keeps_its_account_and_sees_nobody_elses() {
    let world = World::start().await;
    let first = world.subject("ada", Scopes::ALL);
    let preset = json!({"name": "n", "promptText": "{{a}}", "values": {"a": "1"}});
    let made = first.send(Method::POST, "/prompt-presets", &preset).await;
    let path = format!("/prompt-presets/{}", made.data(200)["id"].as_str().expect("an id"));

    world.clock.advance(Duration::from_secs(7200));
    let mut claims = world.issuer.claims("ada", Scopes::ALL);
    claims["client_id"] = "another".into();
    claims["jti"] = "another".into();
    world.bearing(&world.issuer.pair.token(&claims)).get(&path).await.data(200);

    for stranger in ["Ada", "ada ", "bob"] {
        let stranger = world.subject(stranger, Scopes::ALL);
        stranger.get(&path).await.is_error(404, "not_found");
    }
    world.account(Plan::Max).await.get(&path).await.is_error(404, "not_found");
}

#[tokio::test]
async fn a_token_makes_no_more_trips_than_a_key() {
    let world = World::with_limits(Limits::Lifted).await;
    let caller = world.subject("ada", Scopes::ALL);
    caller.get("/models").await.data(200);
    for path in ["/models", "/usage", "/operations"] {
        let key = world.account(Plan::Max).await;
        key.get(path).await.data(200);
        world.faults.reset();
        key.get(path).await.data(200);
        let by_key = (world.faults.sequential_trips(), world.faults.calls().len());
        world.faults.reset();
        caller.get(path).await.data(200);
        assert_eq!((world.faults.sequential_trips(), world.faults.calls().len()), by_key);
    }
}

#[tokio::test]
async fn the_rate_is_the_accounts_whatever_the_credential() {
    let world = World::start().await;
    let caller = world.subject("ada", Scopes::ALL);
    caller.get("/models").await.data(200);
    let key = world.key(caller.id, Scopes::ALL, None).await;
    for _ in 0..14 {
        caller.get("/models").await.data(200);
        key.get("/models").await.data(200);
    }
    assert_eq!(key.get("/models").await.header_number("ratelimit-remaining"), 0);
    let answer = caller.get("/models").await;
    answer.is_error(429, "rate_limited");
    assert!(answer.header("retry-after").is_some());
    world.faults.reset();
    for _ in 0..20 {
        caller.get("/models").await.is_error(429, "rate_limited");
    }
    for number in 0..20 {
        let mut claims = world.issuer.claims("ada", Scopes::ALL);
        claims["jti"] = number.to_string().into();
        let again = world.bearing(&world.issuer.pair.token(&claims));
        again.get("/models").await.is_error(429, "rate_limited");
    }
    assert_eq!(world.faults.calls().len(), 0, "a flood is answered from memory");
    let other = world.subject("bob", Scopes::ALL);
    other.get("/models").await.data(200);
    world.clock.advance(Duration::from_secs(60));
    caller.get("/models").await.data(200);
}

#[tokio::test]
async fn a_suspended_account_stays_outside_with_every_token() {
    let world = World::start().await;
    let caller = world.subject("ada", Scopes::ALL);
    caller.get("/models").await.data(200);
    world.store.set_suspended(caller.id, true).await.expect("storage");
    caller.get("/models").await.is_error(403, "account_suspended");
    world.subject("ada", Scopes::NONE).get("/models").await.is_error(403, "account_suspended");
    world.store.set_suspended(caller.id, false).await.expect("storage");
    caller.get("/models").await.data(200);
}

#[tokio::test]
async fn a_plan_is_the_accounts() {
    let world = World::start().await;
    let caller = world.subject("ada", Scopes::ALL);
    caller.get("/models").await.data(200);
    world.store.set_plan(caller.id, Plan::Pro).await.expect("storage");
    let answer = caller.get("/usage").await;
    assert_eq!(answer.data(200)["plan"], "pro");
    assert_eq!(answer.header_number("ratelimit-limit"), 60);
}

#[tokio::test]
async fn a_subject_without_account_and_scope_is_refused_from_memory() {
    let world = World::start().await;
    let stranger = world.subject("ada", [Scope::UsageRead].into_iter().collect());
    let goal = serde_json::json!({"message": "A haiku"});
    world.faults.reset();
    stranger.generate("k", &goal).await.is_error(403, "insufficient_scope");
    let calls = world.faults.calls();
    assert_eq!(calls.len(), 1, "only the account item is asked: {calls:?}");
    world.faults.reset();
    for _ in 0..20 {
        let answer = stranger.generate("k", &goal).await;
        answer.is_error(403, "insufficient_scope");
        assert_eq!(answer.header_number("ratelimit-limit"), 30);
    }
    assert_eq!(world.faults.calls().len(), 0);
    // A request that its token allows is not refused by that.
    stranger.get("/usage").await.data(200);
    world.clock.advance(Duration::from_secs(5));
    stranger.generate("k", &goal).await.is_error(403, "insufficient_scope");
    assert_eq!(stranger.usage().await["rateLimit"]["remaining"], 27, "now they are counted");
}
