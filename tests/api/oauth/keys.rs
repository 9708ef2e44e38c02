use std::{error::Error, sync::Arc, time::Duration};

use acceptance::{
    Account, World,
    issuer::{Behavior, Pair},
    scripted_engine,
};
use domain::{Plan, Scopes};
use futures::future::join_all;
use outbound::UnsafeUrl;
use serde_json::json;

fn signed(world: &World, pair: &Pair) -> Account {
    let mut claims = world.issuer.claims("ada", Scopes::ALL);
    claims["exp"] = 99_999_999_999u64.into();
    world.bearing(&pair.token(&claims))
}

/// Whether that is what keeps a token from being checked.
async fn cause<E: Error + 'static>(world: &World, token: &str) -> bool {
    let server = world.application.edge.resource_server().expect("tokens are accepted").clone();
    let error = server.verify(token).await.expect_err("no keys");
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(this) = cause {
        if this.is::<E>() {
            return true;
        }
        cause = match this.downcast_ref::<Arc<dyn Error + Send + Sync>>() {
            Some(shared) => Some(&**shared),
            None => this.source(),
        };
    }
    false
}

#[tokio::test]
async fn keys_are_asked_for_once_and_not_for_api_keys() {
    let world = World::start().await;
    world.account(Plan::Free).await.get("/usage").await.data(200);
    assert_eq!(world.issuer.asked(), 0);
    let caller = world.subject("ada", Scopes::ALL);
    for _ in 0..5 {
        caller.get("/usage").await.data(200);
    }
    assert_eq!(world.issuer.asked(), 2, "metadata and keys");
    assert_eq!(world.issuer.agent(), "prompt-workflow/1.0 (+oauth)");
}

#[tokio::test]
async fn an_issuer_may_change_its_keys() {
    let world = World::start().await;
    let (old, next) = (signed(&world, &world.issuer.pair), Pair::new("second"));
    old.get("/usage").await.data(200);
    world.clock.advance(Duration::from_secs(30));
    world.issuer.publish(&[&world.issuer.pair, &next]);
    signed(&world, &next).get("/usage").await.data(200);
    old.get("/usage").await.data(200);
    assert_eq!(world.issuer.asked(), 4);
    world.issuer.publish(&[&next]);
    world.clock.advance(Duration::from_secs(600));
    old.get("/usage").await.is_error(401, "invalid_credentials");
    signed(&world, &next).get("/usage").await.data(200);
}

#[tokio::test]
async fn unknown_keys_ask_the_issuer_twice_a_minute_at_most() {
    let world = World::start().await;
    signed(&world, &world.issuer.pair).get("/models").await.data(200);
    let before = world.issuer.asked();
    // A quarter of an hour, a forgery every three seconds.
    for number in 0..300 {
        let forged = signed(&world, &Pair::new(&number.to_string())).get("/models").await;
        forged.is_error(401, "invalid_credentials");
        assert!(forged.header("retry-after").is_none(), "{number}");
        let challenge = forged.header("www-authenticate").expect("a challenge");
        assert!(challenge.contains(r#"error="invalid_token""#), "{challenge}");
        world.clock.advance(Duration::from_secs(3));
    }
    let asked = world.issuer.asked() - before;
    assert!((56..=60).contains(&asked), "{asked} requests in 900 s");
}

#[tokio::test]
async fn an_issuer_that_is_away_keeps_out_only_those_that_nobody_can_check() {
    let world = World::start().await;
    for behavior in [
        Behavior::Away,
        Behavior::Redirecting,
        Behavior::Endless,
        // Nothing is sent there, even by an issuer's word.
        Behavior::Pointing("http://169.254.169.254/latest/meta-data"),
        Behavior::Pointing("https://10.0.0.1/keys"),
        Behavior::Pointing("http://keys.example.com/keys"),
        Behavior::Pointing("file:///etc/passwd"),
    ] {
        world.issuer.behave(behavior.clone());
        let caller = signed(&world, &world.issuer.pair);
        let answer = caller.get("/usage").await;
        answer.is_error(500, "internal_error");
        assert_eq!(answer.header_number("retry-after"), 5, "{behavior:?}");
        let unsafe_url = cause::<UnsafeUrl>(&world, &caller.key).await;
        assert_eq!(unsafe_url, matches!(behavior, Behavior::Pointing(_)), "{behavior:?}");
        assert!(answer.header("www-authenticate").is_none());
        assert!(answer.header("ratelimit-limit").is_none());
        world.clock.advance(Duration::from_secs(5));
    }
    world.issuer.behave(Behavior::Well);
    let caller = signed(&world, &world.issuer.pair);
    caller.get("/usage").await.data(200);
    world.issuer.behave(Behavior::Away);
    for _ in 0..3 {
        world.clock.advance(Duration::from_secs(600));
        caller.get("/usage").await.data(200);
    }
    let unknown = signed(&world, &Pair::new("unknown"));
    let answer = unknown.get("/usage").await;
    // Anybody can make up such a token: it is no failure of the service.
    answer.is_error(401, "invalid_credentials");
    assert!(answer.header("retry-after").is_none());
    world.account(Plan::Free).await.get("/usage").await.data(200);
}

#[tokio::test]
async fn an_issuer_that_never_answers_is_given_five_seconds_by_all_together() {
    let world = World::start().await;
    world.issuer.behave(Behavior::Silent);
    let caller = signed(&world, &world.issuer.pair);
    let began = world.now();
    let crowd = join_all((0..10).map(|_| caller.get("/usage")));
    for answer in world.advancing_time(crowd).await {
        answer.is_error(500, "internal_error");
    }
    let took = world.now().since(began);
    assert!(took >= Duration::from_secs(5) && took < Duration::from_secs(7), "{took:?}");
}

#[tokio::test]
async fn whoever_has_a_known_key_waits_a_second_for_an_issuer_that_does_not_answer() {
    let world = World::start().await;
    let caller = signed(&world, &world.issuer.pair);
    caller.get("/usage").await.data(200);
    world.issuer.behave(Behavior::Silent);
    world.clock.advance(Duration::from_secs(600));
    let began = world.now();
    world.advancing_time(caller.get("/usage")).await.data(200);
    let took = world.now().since(began);
    assert!(took >= Duration::from_secs(1) && took < Duration::from_secs(2), "{took:?}");
}

#[tokio::test]
async fn what_a_synchronous_call_may_take_counts_from_its_arrival() {
    let world = World::start().await;
    let caller = signed(&world, &world.issuer.pair);
    caller.get("/usage").await.data(200);
    world.issuer.behave(Behavior::Silent);
    world.engine.set(scripted_engine::Behavior::Hangs);
    world.clock.advance(Duration::from_secs(600));
    let began = world.now();
    let goal = json!({"message": "A haiku"});
    let call = caller.generate("a-key", &goal);
    let answer = world.advancing_time(call).await;
    answer.is_error(503, "provider_timeout");
    let took = world.now().since(began);
    assert!(took >= Duration::from_secs(24) && took < Duration::from_millis(25_700), "{took:?}");
}

#[tokio::test]
async fn keys_that_no_one_has_confirmed_for_a_day_open_nothing() {
    let world = World::start().await;
    let caller = signed(&world, &world.issuer.pair);
    caller.get("/usage").await.data(200);
    world.issuer.behave(Behavior::Away);
    world.clock.advance(Duration::from_secs(24 * 3600 - 1));
    caller.get("/usage").await.data(200);
    world.clock.advance(Duration::from_secs(1));
    let answer = caller.get("/usage").await;
    answer.is_error(500, "internal_error");
    assert!(answer.header_number("retry-after") <= 5);
}
