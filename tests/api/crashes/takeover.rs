use std::time::Duration;

use acceptance::{
    Account, World, account::fresh_key, fault_injection::Fault, scripted_engine::Behavior,
};
use domain::{OperationId, Plan};
use edge::runtime::SystemRandom;
use serde_json::{Value, json};
use store::operations::queue::OperationMessage;

fn goal() -> Value {
    json!({"message": "Write a haiku about the sea"})
}

#[tokio::test]
async fn a_call_that_needs_longer_is_finished_by_the_processor() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.engine.set(Behavior::Hangs);
    let calling = tokio::spawn({
        let account = account.clone();
        async move { account.generate("k", &goal()).await }
    });
    world.until(|| world.engine.asked() == 1).await;
    world.clock.advance(Duration::from_millis(24_999));
    assert_eq!(world.process().await, 0, "the watchdog sleeps");
    world.clock.advance(Duration::from_millis(1));
    let answer = calling.await.expect("an answer");
    answer.is_error(503, "provider_timeout");
    assert!(answer.header_number("retry-after") >= 1);
    account.generate("k", &goal()).await.is_error(409, "idempotency_in_progress");

    world.engine.set(Behavior::Works);
    world.clock.advance(Duration::from_secs(6));
    world.process().await;
    let result = account.generate("k", &goal()).await;
    assert!(result.data(200)["prompt"].is_string());
    assert_eq!(result.header("idempotent-replayed"), Some("true"));
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 1, "held": 0, "remaining": 19}));
}

#[tokio::test]
async fn a_call_whose_end_is_slowly_recorded_is_answered_while_its_function_still_runs() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let arrived = world.now();
    world.engine.set(Behavior::WorksAt(world.clock.clone(), arrived + Duration::from_secs(24)));
    let calling = tokio::spawn({
        let account = account.clone();
        async move { account.generate("k", &goal()).await }
    });
    world.until(|| world.engine.asked() == 1).await;
    world.faults.inject("TransactWriteItems", Fault::Slow(Duration::from_secs(60)), 1);
    world.clock.advance(Duration::from_secs(24));
    world.until(|| world.faults.is_exhausted()).await;
    world.clock.advance(Duration::from_secs(4));
    let answered = tokio::time::timeout(Duration::from_secs(1), calling).await;
    let answer = answered.expect("its function ends after 29 s").expect("an answer");
    answer.is_error(503, "provider_timeout");
    assert!(answer.header_number("retry-after") >= 1);

    world.engine.set(Behavior::Works);
    world.process_everything().await;
    let result = account.generate("k", &goal()).await;
    assert_eq!(result.header("idempotent-replayed"), Some("true"), "{}", result.body);
    assert_eq!(account.usage().await["credits"]["used"], 1);
}

#[tokio::test]
async fn an_engine_that_gives_up_with_the_call_is_given_more_time_by_the_processor() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.engine.set(Behavior::GivesUp(world.clock.clone()));
    let calling = tokio::spawn({
        let account = account.clone();
        async move { account.generate("k", &goal()).await }
    });
    world.until(|| world.engine.asked() == 1).await;
    world.clock.advance(Duration::from_secs(25));
    calling.await.expect("an answer").is_error(503, "provider_timeout");
    world.engine.set(Behavior::Works);
    world.clock.advance(Duration::from_secs(6));
    world.process().await;
    let result = account.generate("k", &goal()).await;
    assert!(result.data(200)["prompt"].is_string());
    assert_eq!(account.usage().await["credits"]["used"], 1);
}

#[tokio::test]
async fn a_deferred_attempt_has_a_hundred_seconds() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    for (seconds, status) in [(95, "SUCCEEDED"), (110, "RUNNING")] {
        let at = world.now() + Duration::from_secs(seconds);
        world.engine.set(Behavior::WorksAt(world.clock.clone(), at));
        let accepted = account.generate_async(&fresh_key(), &goal()).await;
        let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
        let asked = world.engine.asked();
        world.advancing_time(world.process()).await;
        assert_eq!(world.engine.asked(), asked + 1, "in one attempt");
        let operation = account.get(&format!("/operations/{id}")).await.data(200).clone();
        assert_eq!(operation["status"], status, "after {seconds} s");
    }
}

#[tokio::test]
async fn a_lapsed_attempt_is_taken_over_and_its_late_end_is_fenced() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let accepted = account.generate_async("k", &goal()).await;
    let id = accepted.data(202)["id"].as_str().expect("an id").parse().expect("ours");
    // A first attempt claims the operation and then falls silent.
    let lease = Duration::from_secs(10);
    let first = world.store.claim(account.id, id, lease).await.expect("storage").expect("pending");
    assert_eq!(first.attempt, 1);
    let early = world.store.claim(account.id, id, lease).await.expect("storage");
    assert_eq!(early, None, "the lease still runs");
    world.clock.advance(Duration::from_secs(31));
    world.process().await;
    let done = account.get(&format!("/operations/{id}")).await.data(200).clone();
    assert_eq!(done["status"], "SUCCEEDED");

    // The first one wakes up, its clock far behind, and wants to end what is no longer its own.
    let first = domain::Operation { lease_until: world.now() + lease, ..first };
    let problem = domain::Problem { code: "internal_error".to_owned(), message: String::new() };
    let late = world
        .store
        .settle(&first, &store::operations::settlement::Ending::Failure(problem.into()))
        .await;
    assert_eq!(late.expect("storage"), store::operations::settlement::Settled::Fenced);
    assert_eq!(account.get(&format!("/operations/{id}")).await.data(200), &done);
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 1, "held": 0, "remaining": 19}));
}

#[tokio::test]
async fn a_retry_takes_over_a_synchronous_call_whose_process_died() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.engine.set(Behavior::Hangs);
    let calling = tokio::spawn({
        let account = account.clone();
        async move { account.generate("k", &goal()).await }
    });
    world.until(|| world.engine.asked() == 1).await;
    calling.abort();
    world.engine.set(Behavior::Works);
    account.generate("k", &goal()).await.is_error(409, "idempotency_in_progress");
    world.clock.advance(Duration::from_secs(30));
    let retried = account.generate("k", &goal()).await;
    assert_eq!(retried.header("idempotent-replayed"), None);
    let first = retried.data(200).clone();
    assert_eq!(account.generate("k", &goal()).await.data(200), &first);
    world.process_everything().await;
    assert_eq!(account.generate("k", &goal()).await.data(200), &first);
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 1, "held": 0, "remaining": 19}));
}

/// An operation that is enqueued and never committed.
async fn orphan(world: &World, account: &Account, later: bool) {
    world.faults.inject("TransactWriteItems", Fault::TransactionConflict, 1_000);
    let key = fresh_key();
    let goal = goal();
    let answer = if later {
        world.advancing_time(account.generate_async(&key, &goal)).await
    } else {
        world.advancing_time(account.generate(&key, &goal)).await
    };
    answer.is_error(503, "provider_timeout");
    world.faults.recover();
}

#[tokio::test]
async fn a_message_without_a_record_is_dropped_after_twenty_seconds() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let enqueued_at = world.now();
    orphan(&world, &account, true).await;
    let mut received = 0;
    while world.now().since(enqueued_at) < Duration::from_secs(30) {
        received += world.advancing_time(world.process()).await;
        world.clock.advance(Duration::from_secs(1));
    }
    assert!((2..=4).contains(&received), "{received} receives");
    world.clock.advance(Duration::from_secs(720));
    assert_eq!(world.process().await, 0);
    let operations = account.get("/operations").await.data(200).clone();
    assert_eq!(operations["items"], json!([]));
}

#[tokio::test]
async fn a_watchdog_without_a_record_is_looked_at_once() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    orphan(&world, &account, false).await;
    world.clock.advance(Duration::from_secs(30));
    world.faults.reset();
    assert_eq!(world.process().await, 1);
    assert_eq!(world.faults.count("GetItem"), 1);
    world.clock.advance(Duration::from_secs(720));
    assert_eq!(world.process().await, 0);
}

#[tokio::test]
async fn a_receiver_waits_less_than_half_a_second_for_a_record() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let id = OperationId::new(&*world.clock, &SystemRandom);
    let message = OperationMessage { account_id: account.id, operation_id: id };
    world.store.enqueue(message, Duration::ZERO).await.expect("a queue");
    let began = world.now();
    assert_eq!(world.advancing_time(world.process()).await, 1);
    assert!(world.now().since(began) < Duration::from_millis(500));
}

#[tokio::test]
async fn a_dead_attempts_message_comes_back_when_its_lease_ends() {
    let world = World::start().await;
    world.set_visibility_timeout(720).await;
    let account = world.account(Plan::Free).await;
    let accepted = account.generate_async("k", &goal()).await;
    let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
    world.engine.set(Behavior::Hangs);
    let dying = tokio::time::timeout(Duration::from_millis(200), world.process());
    assert!(dying.await.is_err());
    world.engine.set(Behavior::Works);
    world.clock.advance(Duration::from_secs(103));
    assert_eq!(world.process().await, 0, "the lease still runs");
    world.clock.advance(Duration::from_secs(2));
    assert_eq!(world.process().await, 1);
    assert_eq!(account.get(&path).await.data(200)["status"], "SUCCEEDED");
}
