use std::time::Duration;

use acceptance::World;
use domain::Plan;

#[tokio::test]
async fn requests_beyond_the_limit_are_refused_from_the_cache() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    for _ in 0..31 {
        account.get("/models").await;
    }
    world.faults.reset();
    for _ in 0..20 {
        let answer = account.get("/models").await;
        answer.is_error(429, "rate_limited");
        assert_eq!(answer.header_number("ratelimit-limit"), 30);
    }
    assert_eq!(world.faults.calls().len(), 0);
    world.clock.advance(Duration::from_secs(60));
    account.get("/models").await.data(200);
}

#[tokio::test]
async fn a_cached_refusal_expires_within_seconds_of_a_better_plan() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    for _ in 0..31 {
        account.get("/models").await;
    }
    account.get("/models").await.is_error(429, "rate_limited");
    world.store.set_plan(account.id, Plan::Max).await.expect("storage");
    world.clock.advance(Duration::from_secs(5));
    account.get("/models").await.data(200);
}

#[tokio::test]
async fn a_revoked_key_is_refused_from_the_cache() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    assert!(world.store.revoke_key(account.id, account.key_id).await.expect("storage"));
    let goal = serde_json::json!({"message": "A haiku"});
    account.generate("k", &goal).await.is_error(401, "invalid_credentials");
    world.faults.reset();
    for _ in 0..20 {
        let answer = account.generate("k", &goal).await;
        answer.is_error(401, "invalid_credentials");
        assert!(answer.header("ratelimit-limit").is_none());
    }
    assert_eq!(world.faults.calls().len(), 0);
}
