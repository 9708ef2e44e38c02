use std::time::Duration;

use acceptance::{
    Answer, World,
    issuer::{Pair, base64url},
};
use domain::{Plan, Scopes};
use reqwest::Method;
use serde_json::{Value, json};

/// Checks that a token opens nothing, costs no call and counts nothing.
async fn is_refused(world: &World, token: &str) -> String {
    world.faults.reset();
    let answer = world.bearing(token).get("/usage").await;
    answer.is_error(401, "invalid_credentials");
    let challenge = answer.header("www-authenticate").expect("a challenge").to_owned();
    assert!(challenge.starts_with(r#"Bearer realm="prompt-workflow", error="invalid_token""#));
    assert!(answer.header("ratelimit-limit").is_none());
    assert_eq!(world.faults.calls().len(), 0, "{token}");
    challenge
}

#[tokio::test]
async fn every_forgery_is_401_and_none_is_500() {
    let world = World::start().await;
    let issuer = &world.issuer;
    let claims = issuer.claims("ada", Scopes::ALL);
    let text = claims.to_string();
    let good = issuer.pair.token(&claims);
    world.bearing(&good).get("/usage").await.data(200);
    let (input, signature) = good.rsplit_once('.').expect("three parts");
    let payload = input.split_once('.').expect("three parts").1;
    let headed = |header: Value| issuer.pair.sign(&header.to_string(), &text);
    let unsigned = |header: Value, signature: &str| {
        format!("{}.{payload}.{signature}", base64url(header.to_string()))
    };
    let thief = Pair::new("first");
    let with = |name: &str, value: Value| {
        let mut claims = claims.clone();
        claims[name] = value;
        issuer.pair.token(&claims)
    };
    let own = json!({"alg": "ES256", "typ": "at+jwt", "kid": "first"});
    let key_along = {
        let mut header = own.clone();
        header["jwk"] = thief.jwk();
        header["jku"] = "https://evil.example/keys".into();
        header["x5u"] = "https://evil.example/chain".into();
        thief.sign(&header.to_string(), &text)
    };
    for token in [
        unsigned(json!({"alg": "none", "typ": "at+jwt"}), ""),
        unsigned(json!({"alg": "nOnE", "typ": "at+jwt", "kid": "first"}), signature),
        unsigned(json!({"alg": "HS256", "typ": "at+jwt", "kid": "first"}), signature),
        headed(json!({"alg": "ES256", "typ": "JWT", "kid": "first"})),
        headed(json!({"alg": "ES256", "kid": "first"})),
        headed(json!({"alg": "ES256", "typ": "at+jwt", "kid": {"$ne": null}})),
        headed(json!({"alg": "ES256", "typ": "at+jwt", "kid": "first", "crit": ["exp"]})),
        thief.token(&claims),
        key_along,
        with("iss", json!("https://other.example")),
        with("iss", json!(null)),
        with("aud", json!("https://other.example")),
        with("aud", json!([])),
        with("exp", json!(0)),
        with("exp", json!("tomorrow")),
        with("nbf", json!(99_999_999_999u64)),
        with("iat", json!(99_999_999_999u64)),
        with("sub", json!("")),
        with("sub", json!(["ada"])),
        with("scope", json!({"a": 1})),
        with("cnf", json!({"jkt": "a"})),
        issuer.pair.sign(&own.to_string(), &good),
        issuer.pair.sign(&own.to_string(), &format!("{{\"name\":{}", "[".repeat(3000))),
        issuer.pair.sign(&own.to_string(), ""),
        issuer.pair.sign("", &text),
        format!("{good}.{payload}.{signature}"),
        format!("{input}."),
        format!("{input}.{}", base64url([0; 64])),
        input.to_owned(),
        "..".to_owned(),
        "a.b.c".to_owned(),
        "opaque".to_owned(),
        "a".repeat(8193),
        with("padding", json!("a".repeat(6500))),
        with("padding", json!("a".repeat(60_000))),
    ] {
        is_refused(&world, &token).await;
    }
    world.bearing(&good).get("/usage").await.data(200);
}

#[tokio::test]
async fn a_key_that_its_issuer_did_not_name_a_moment_ago_is_none() {
    let world = World::start().await;
    world.subject("ada", Scopes::ALL).get("/usage").await.data(200);
    world.clock.advance(Duration::from_secs(10));
    let claims = world.issuer.claims("ada", Scopes::ALL).to_string();
    for header in [
        json!({"alg": "ES256", "typ": "at+jwt", "kid": "new"}),
        json!({"alg": "RS256", "typ": "at+jwt", "kid": "first"}),
        json!({"alg": "ES256", "typ": "at+jwt", "kid": "../../../etc/passwd"}),
    ] {
        let token = world.issuer.pair.sign(&header.to_string(), &claims);
        world.faults.reset();
        let answer = world.bearing(&token).get("/usage").await;
        answer.is_error(401, "invalid_credentials");
        assert!(answer.header("retry-after").is_none(), "{header}");
        let challenge = answer.header("www-authenticate").expect("a challenge");
        assert!(challenge.contains(r#"error="invalid_token""#), "{challenge}");
        assert!(answer.header("ratelimit-limit").is_none());
        assert_eq!(world.faults.calls().len(), 0);
    }
    let next = Pair::new("new");
    world.issuer.publish(&[&world.issuer.pair, &next]);
    world.clock.advance(Duration::from_secs(20));
    let token = next.token(&world.issuer.claims("ada", Scopes::ALL));
    world.bearing(&token).get("/usage").await.data(200);
    // Once the issuer has been asked, a key that it does not name is none.
    world.clock.advance(Duration::from_secs(30));
    is_refused(&world, &Pair::new("none").token(&world.issuer.claims("ada", Scopes::ALL))).await;
}

#[tokio::test]
async fn a_refusal_says_why() {
    let world = World::start().await;
    let mut claims = world.issuer.claims("ada", Scopes::ALL);
    claims["aud"] = "https://other.example".into();
    let challenge = is_refused(&world, &world.issuer.pair.token(&claims)).await;
    let why = "The access token is not accepted: its audience does not include this API.";
    assert!(challenge.contains(&format!(r#"error_description="{why}""#)), "{challenge}");
}

#[tokio::test]
async fn a_token_ends_a_minute_after_it_says() {
    let world = World::start().await;
    let caller = world.subject("ada", Scopes::ALL);
    caller.get("/usage").await.data(200);
    world.clock.advance(Duration::from_secs(3600 + 59));
    caller.get("/usage").await.data(200);
    world.clock.advance(Duration::from_secs(1));
    let challenge = is_refused(&world, &caller.key).await;
    assert!(challenge.contains("it has expired"), "{challenge}");
}

#[tokio::test]
async fn a_token_that_begins_in_the_future_waits_for_it() {
    let world = World::start().await;
    let mut claims = world.issuer.claims("ada", Scopes::ALL);
    claims["nbf"] = (world.now().seconds() + 61).into();
    let token = world.issuer.pair.token(&claims);
    is_refused(&world, &token).await;
    world.clock.advance(Duration::from_secs(1));
    world.bearing(&token).get("/usage").await.data(200);
}

#[tokio::test]
async fn a_token_stands_in_the_header_and_nowhere_else() {
    let world = World::start().await;
    let token = world.subject("ada", Scopes::ALL).key;
    let in_query = world.get(&format!("/usage?access_token={token}")).await;
    in_query.is_error(401, "missing_credentials");
    let form = world
        .anonymous(Method::POST, "/prompts/token-estimate")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(format!("access_token={token}&prompt=x"));
    Answer::to(form).await.is_error(401, "missing_credentials");
    let twice = world
        .anonymous(Method::GET, "/usage")
        .header("Authorization", format!("Bearer {token}"))
        .header("Authorization", format!("Bearer {token}"));
    Answer::to(twice).await.is_error(401, "invalid_credentials");
    for other in [
        format!("DPoP {token}"),
        "Basic YTpi".to_owned(),
        "Basic".to_owned(),
        "Digest username=\"a\"".to_owned(),
    ] {
        let other = world.anonymous(Method::GET, "/usage").header("Authorization", other);
        let answer = Answer::to(other).await;
        answer.is_error(401, "missing_credentials");
        let challenge = answer.header("www-authenticate").expect("a challenge");
        assert!(challenge.starts_with("Bearer ") && !challenge.contains("error"), "{challenge}");
    }
    for empty in ["Bearer", "Bearer ", "bearer x"] {
        let empty = world.anonymous(Method::GET, "/usage").header("Authorization", empty);
        Answer::to(empty).await.is_error(401, "invalid_credentials");
    }
}

#[tokio::test]
async fn without_issuers_no_token_is_accepted() {
    let world = World::without_oauth().await;
    let caller = world.subject("ada", Scopes::ALL);
    let answer = caller.get("/usage").await;
    answer.is_error(401, "invalid_credentials");
    let challenge = answer.header("www-authenticate").expect("a challenge");
    assert!(!challenge.contains("resource_metadata"), "{challenge}");
    assert_eq!(world.issuer.asked(), 0);
    world.account(Plan::Free).await.get("/usage").await.data(200);
}
