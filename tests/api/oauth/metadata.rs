use acceptance::{Answer, World};
use domain::{Plan, Scope, Scopes};
use reqwest::Method;
use serde_json::{Value, json};

/// A request to an address as it is written.
async fn read(url: &str) -> Answer {
    Answer::to(reqwest::Client::new().get(url)).await
}

fn origin(world: &World) -> &str {
    world.base_url.strip_suffix("/v1").expect("a version")
}

/// A parameter of the challenge.
fn parameter(answer: &Answer, name: &str) -> Option<String> {
    let challenge = answer.header("www-authenticate")?;
    let (_, after) = challenge.split_once(&format!("{name}=\""))?;
    Some(after.split_once('"')?.0.to_owned())
}

#[tokio::test]
async fn a_client_that_knows_nothing_but_the_api_finds_its_way_to_a_token() {
    let world = World::start().await;
    let refused = world.get("/usage").await;
    refused.is_error(401, "missing_credentials");
    assert!(parameter(&refused, "error").is_none());
    let metadata = read(&parameter(&refused, "resource_metadata").expect("an address")).await;
    assert_eq!(metadata.status, 200);
    assert_eq!(metadata.body["resource"], world.base_url);
    let issuer = metadata.body["authorization_servers"][0].as_str().expect("an issuer");
    let server = read(&format!("{issuer}/.well-known/openid-configuration")).await;
    assert_eq!(server.body["issuer"], issuer);
    let mut claims = world.issuer.claims("ada", Scopes::ALL);
    claims["aud"] = metadata.body["resource"].clone();
    world.bearing(&world.issuer.pair.token(&claims)).get("/usage").await.data(200);
}

#[tokio::test]
async fn metadata_stand_where_rfc_9728_has_them_and_at_the_root() {
    let world = World::start().await;
    let well_known = format!("{}/.well-known/oauth-protected-resource", origin(&world));
    let expected = json!({
        "resource": world.base_url,
        "authorization_servers": [world.issuer.url],
        "scopes_supported": Scope::ALL.map(Scope::as_str),
        "bearer_methods_supported": ["header"],
        "resource_name": "Prompt Workflow Service",
        "resource_documentation": format!("{}/openapi.json", world.base_url),
    });
    for address in [well_known.clone(), format!("{well_known}/v1")] {
        let answer = read(&address).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert!(answer.header("x-request-id").is_some());
        assert_eq!(answer.body, expected);
        let wrong = Answer::to(reqwest::Client::new().post(&address)).await;
        wrong.is_error(405, "method_not_allowed");
    }
    for address in [format!("{well_known}/v2"), format!("{well_known}/v1/usage")] {
        read(&address).await.is_error(404, "not_found");
    }
    let browser = reqwest::Client::new().get(&well_known).header("Origin", "https://example.com");
    assert_eq!(Answer::to(browser).await.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn without_issuers_the_metadata_name_none() {
    let world = World::without_oauth().await;
    let address = format!("{}/.well-known/oauth-protected-resource/v1", origin(&world));
    let answer = read(&address).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body["authorization_servers"], Value::Null);
    assert_eq!(answer.body["resource"], world.base_url);
}

#[tokio::test]
async fn every_challenge_says_where_the_metadata_are() {
    let world = World::start().await;
    let address = format!("{}/.well-known/oauth-protected-resource/v1", origin(&world));
    let key = world.account(Plan::Free).await;
    let narrow = world.key(key.id, Scopes::NONE, None).await;
    let wrong = world.anonymous(Method::GET, "/usage").bearer_auth("x");
    for answer in [world.get("/usage").await, narrow.get("/usage").await, Answer::to(wrong).await] {
        assert_eq!(parameter(&answer, "resource_metadata").as_deref(), Some(&*address));
    }
}
