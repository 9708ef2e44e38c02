use std::time::Duration;

use acceptance::{Account, Answer, World};
use domain::{KeyId, Plan, Scopes};
use edge::runtime::SystemRandom;
use reqwest::Method;
use store::accounts::{AccountError, NewKey};

fn challenge(answer: &Answer) -> &str {
    answer.header("www-authenticate").expect("a challenge")
}

async fn with_authorization(world: &World, value: &str) -> Answer {
    Answer::to(world.anonymous(Method::GET, "/usage").header("Authorization", value)).await
}

#[tokio::test]
async fn no_credential_is_challenged_without_an_error() {
    let world = World::start().await;
    let answer = world.get("/usage").await;
    answer.is_error(401, "missing_credentials");
    assert!(challenge(&answer).starts_with("Bearer "));
    assert!(!challenge(&answer).contains("error="));
}

#[tokio::test]
async fn a_credential_that_is_not_one_of_ours_costs_no_call() {
    let world = World::start().await;
    let Account { key, .. } = world.account(Plan::Free).await;
    let (rest, tag) = key.rsplit_once('_').expect("a tag");
    let other = key.replace("pwk_0", "pwk_1");
    let flipped: String = tag.chars().rev().collect();
    world.faults.reset();
    for value in [
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Bearer {rest}_{flipped}"),
        format!("Bearer {rest}"),
        format!("Bearer {other}"),
        format!("Bearer {key}x"),
        format!("Bearer x{key}"),
        format!("Bearer {key} {key}"),
        "Bearer eyJhbGciOiJub25lIn0.e30.".to_owned(),
        format!("Bearer {}", "a".repeat(8_000)),
    ] {
        let answer = with_authorization(&world, &value).await;
        answer.is_error(401, "invalid_credentials");
        assert!(challenge(&answer).contains(r#"error="invalid_token""#));
        assert!(answer.header("ratelimit-limit").is_none());
    }
    // Another scheme presents nothing that is asked for here.
    let answer = with_authorization(&world, &format!("Basic {key}")).await;
    answer.is_error(401, "missing_credentials");
    assert!(!challenge(&answer).contains("error"));
    assert_eq!(world.faults.calls().len(), 0);
    with_authorization(&world, &format!("bearer {key}")).await.data(200);
}

#[tokio::test]
async fn a_key_that_was_never_added_is_invalid_and_counts_nothing() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let unknown = world.unknown_key(account.id);
    let nobody = world.unknown_key(domain::AccountId::from_bits(1));
    for _ in 0..3 {
        let answer = unknown.get("/usage").await;
        answer.is_error(401, "invalid_credentials");
        assert!(answer.header("ratelimit-limit").is_none());
        nobody.get("/usage").await.is_error(401, "invalid_credentials");
    }
    assert_eq!(account.get("/usage").await.header_number("ratelimit-remaining"), 29);
}

#[tokio::test]
async fn a_revoked_key_stops_working_on_the_next_request() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let second = world.key(account.id, Scopes::ALL, None).await;
    account.get("/usage").await.data(200);
    assert!(world.store.revoke_key(account.id, account.key_id).await.expect("storage"));
    account.get("/usage").await.is_error(401, "invalid_credentials");
    second.get("/usage").await.data(200);
    assert!(!world.store.revoke_key(account.id, account.key_id).await.expect("storage"));
}

#[tokio::test]
async fn a_key_lapses_at_its_expiry() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let expiry = world.now() + Duration::from_secs(10);
    let short = world.key(account.id, Scopes::ALL, Some(expiry)).await;
    world.clock.advance(Duration::from_millis(9_999));
    short.get("/usage").await.data(200);
    world.clock.advance(Duration::from_millis(1));
    let answer = short.get("/usage").await;
    answer.is_error(401, "invalid_credentials");
    assert!(answer.header("ratelimit-limit").is_none());
}

#[tokio::test]
async fn a_suspended_account_is_refused_until_it_is_reinstated() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.store.set_suspended(account.id, true).await.expect("storage");
    let answer = account.get("/models").await;
    answer.is_error(403, "account_suspended");
    assert_eq!(answer.header_number("ratelimit-limit"), 60);
    world.store.set_suspended(account.id, false).await.expect("storage");
    account.get("/models").await.data(200);
}

#[tokio::test]
async fn an_account_has_at_most_ten_live_keys() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    for _ in 0..9 {
        world.key(account.id, Scopes::ALL, None).await.get("/models").await.data(200);
    }
    let one_more = world.unknown_key(account.id);
    let key = store::accounts::NewKey {
        id: one_more.key_id,
        fingerprint: [1; 32],
        name: "one too many".to_owned(),
        scopes: Scopes::ALL,
        expires_at: None,
    };
    assert!(world.store.add_key(account.id, &key).await.is_err());
    assert!(world.store.revoke_key(account.id, account.key_id).await.expect("storage"));
    world.store.add_key(account.id, &key).await.expect("room again");
}

#[tokio::test]
async fn expired_keys_take_no_place_of_the_ten() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let expiry = world.now() + Duration::from_secs(60);
    for _ in 0..9 {
        world.key(account.id, Scopes::ALL, Some(expiry)).await.get("/usage").await.data(200);
    }
    let one_more = || NewKey {
        id: KeyId::new(&*world.clock, &SystemRandom),
        fingerprint: [1; 32],
        name: "One more".to_owned(),
        scopes: Scopes::ALL,
        expires_at: None,
    };
    let refused = world.store.add_key(account.id, &one_more()).await;
    assert!(matches!(refused, Err(AccountError::NoRoomForKey)), "{refused:?}");
    world.clock.advance(Duration::from_secs(60));
    for _ in 0..9 {
        world.key(account.id, Scopes::ALL, None).await.get("/usage").await.data(200);
    }
    account.get("/usage").await.data(200);
    let refused = world.store.add_key(account.id, &one_more()).await;
    assert!(matches!(refused, Err(AccountError::NoRoomForKey)), "{refused:?}");
    let records = world.store.account_keys(account.id).await.expect("storage");
    assert_eq!(records.len(), 19, "what they were is kept");
}
