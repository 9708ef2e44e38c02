use std::time::Duration;

use acceptance::World;
use domain::{Plan, Scopes};
use futures::future::join_all;

#[tokio::test]
async fn the_window_is_counted_down_and_resets() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    for used in 1..=30 {
        let answer = account.get("/models").await;
        answer.data(200);
        assert_eq!(answer.header_number("ratelimit-limit"), 30);
        assert_eq!(answer.header_number("ratelimit-remaining"), 30 - used);
        assert_eq!(answer.header_number("ratelimit-reset"), 60);
    }
    world.clock.advance(Duration::from_millis(20_500));
    let answer = account.get("/models").await;
    let error = answer.is_error(429, "rate_limited");
    assert_eq!(
        error["message"],
        "The account may make 30 requests a minute, and they are made; the next minute begins at \
         2026-03-15T12:01:00.000Z."
    );
    assert_eq!(answer.header_number("ratelimit-remaining"), 0);
    assert_eq!(answer.header_number("ratelimit-reset"), 40);
    assert_eq!(answer.header_number("retry-after"), 40);
    world.clock.advance(Duration::from_millis(39_500));
    let answer = account.get("/models").await;
    answer.data(200);
    assert_eq!(answer.header_number("ratelimit-remaining"), 29);
}

#[tokio::test]
async fn all_keys_of_an_account_share_its_window() {
    let world = World::start().await;
    let first = world.account(Plan::Free).await;
    let second = world.key(first.id, Scopes::ALL, None).await;
    let other = world.account(Plan::Free).await;
    first.get("/models").await.data(200);
    assert_eq!(second.get("/models").await.header_number("ratelimit-remaining"), 28);
    assert_eq!(other.get("/models").await.header_number("ratelimit-remaining"), 29);
}

#[tokio::test]
async fn requests_that_fail_count_and_tell_the_rate() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let unscoped = world.key(account.id, Scopes::NONE, None).await;
    let refused = [
        account.get("/operations?limit=0").await,
        unscoped.get("/usage").await,
        account.get("/operations/op_x").await,
    ];
    for (answer, (status, remaining)) in refused.iter().zip([(400, 29), (403, 28), (404, 27)]) {
        assert_eq!(answer.status, status);
        assert_eq!(answer.header_number("ratelimit-remaining"), remaining);
        assert_eq!(answer.header_number("ratelimit-reset"), 60);
    }
}

#[tokio::test]
async fn exactly_the_limit_passes_when_all_come_at_once() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let answers = join_all((0..100).map(|_| account.get("/models"))).await;
    let passed = answers.iter().filter(|answer| answer.status == 200).count();
    let limited = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!((passed, limited), (60, 40));
}

#[tokio::test]
async fn a_better_plan_counts_from_the_next_request() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    account.get("/models").await.data(200);
    world.store.set_plan(account.id, Plan::Max).await.expect("storage");
    let answer = account.get("/models").await;
    assert_eq!(answer.header_number("ratelimit-limit"), 300);
    assert_eq!(answer.header_number("ratelimit-remaining"), 298);
}
