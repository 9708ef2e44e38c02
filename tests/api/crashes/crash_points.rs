use std::time::Duration;

use acceptance::{Account, World, account::fresh_key, fault_injection::CrashPoint};
use domain::{HistoryType, Plan};
use serde_json::{Value, json};
use store::{admission::Limits, list::offset_index::List};

fn goal() -> Value {
    json!({"message": "Write a haiku about the sea"})
}

/// After everything has come to rest: no credit is held, as many are used as operations succeeded,
/// nothing runs, every operation has come to an end, and history's offset index counts what is listed.
async fn assert_books_balance(world: &World, account: &Account) -> Vec<Value> {
    let listed = account.get("/operations?limit=100").await.data(200).clone();
    let operations = listed["items"].as_array().expect("a list").clone();
    let history = account.get("/history?type=generation&limit=100").await.data(200).clone();
    let list = List::history(account.id, HistoryType::Generation);
    let offset_index = world.store.offset_index(list).await.expect("an offset index");
    assert_eq!(offset_index.total(), history["items"].as_array().map_or(0, Vec::len) as u64);
    let usage = account.usage().await;
    let succeeded = operations.iter().filter(|one| one["status"] == "SUCCEEDED").count();
    assert_eq!(usage["credits"]["held"], 0, "{usage}");
    assert_eq!(usage["credits"]["used"], succeeded, "{usage}");
    assert_eq!(usage["operations"]["running"], 0, "{usage}");
    assert_eq!(usage["operations"]["byKind"]["generatePrompt"], succeeded, "{usage}");
    for operation in &operations {
        let status = operation["status"].as_str().expect("a status");
        assert!(["SUCCEEDED", "FAILED", "CANCELLED"].contains(&status), "{operation}");
    }
    operations
}

/// Sends a request to a service that dies at a certain call, then brings it back. Returns whether
/// the caller was answered before.
async fn dies(world: &World, account: &Account, key: &str, later: bool) -> bool {
    let calling = tokio::spawn({
        let (account, key) = (account.clone(), key.to_owned());
        async move {
            if later {
                account.generate_async(&key, &goal()).await
            } else {
                account.generate(&key, &goal()).await
            }
        }
    });
    // Far longer than an answer takes: whoever hears nothing by then never will.
    let answered = world.faults.or_crash(calling).await.is_some();
    world.faults.recover();
    answered
}

#[tokio::test]
async fn a_call_that_crashes_at_any_point_is_charged_at_most_once_and_its_retry_is_answered() {
    for later in [false, true] {
        for call_arrives in [false, true] {
            let mut deaths = 0;
            for after in 0..9 {
                let world = World::with_limits(Limits::Lifted).await;
                let account = world.account(Plan::Max).await;
                let crash_point = CrashPoint { after, call_arrives };
                world.faults.crash(crash_point);
                if !dies(&world, &account, "k", later).await {
                    deaths += 1;
                }
                world.process_everything().await;
                assert_books_balance(&world, &account).await;

                let place = format!("later {later}, arrives {call_arrives}, after {after}");
                let retried = account.generate("k", &goal()).await;
                assert!(retried.status.is_success(), "{place}: {}", retried.body);
                world.process_everything().await;
                let operations = assert_books_balance(&world, &account).await;
                assert_eq!(operations.len(), 1, "{place}: {operations:?}");
                assert_eq!(account.usage().await["credits"]["used"], 1, "{place}");
            }
            let expected = if later { 4 } else { 6 };
            assert!(deaths >= expected - 1, "only {deaths} calls were died at");
        }
    }
}

#[tokio::test]
async fn a_processor_that_crashes_at_any_point_is_replaced() {
    for call_arrives in [false, true] {
        for after in 0..8 {
            let world = World::with_limits(Limits::Lifted).await;
            let account = world.account(Plan::Max).await;
            let accepted = account.generate_async(&fresh_key(), &goal()).await;
            let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
            world.faults.crash(CrashPoint { after, call_arrives });
            let _ = world.faults.or_crash(world.process()).await;
            world.faults.recover();
            world.process_everything().await;
            let operations = assert_books_balance(&world, &account).await;
            assert_eq!(operations.len(), 1);
            assert_eq!(operations[0]["id"], id);
            assert_eq!(operations[0]["status"], "SUCCEEDED", "after {after}: {operations:?}");
        }
    }
}

#[tokio::test]
async fn an_operation_that_kills_its_processor_fails_after_three_attempts() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let accepted = account.generate_async(&fresh_key(), &goal()).await;
    let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
    world.engine.set(acceptance::scripted_engine::Behavior::Hangs);
    for attempt in 1..=3 {
        let working = tokio::time::timeout(Duration::from_millis(100), world.process());
        assert!(working.await.is_err(), "attempt {attempt} hangs");
        assert_eq!(world.engine.asked(), attempt);
        // The lease lapses and the queue hands the message out again.
        world.clock.advance(Duration::from_secs(31));
    }
    world.process_everything().await;
    assert_eq!(world.engine.asked(), 3);
    let failed = account.get(&path).await.data(200).clone();
    assert_eq!(failed["status"], "FAILED");
    assert_eq!(failed["error"]["code"], "provider_timeout");
    assert_books_balance(&world, &account).await;
}

#[tokio::test]
async fn an_operation_whose_work_panics_fails_after_three_attempts_and_harms_no_other() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.set(acceptance::scripted_engine::Behavior::Panics);
    let accepted = account.generate_async(&fresh_key(), &goal()).await;
    let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
    world.process_everything().await;
    assert_eq!(world.engine.asked(), 3);
    assert_eq!(account.get(&path).await.data(200)["status"], "FAILED");
    account.generate("k", &goal()).await.is_error(500, "internal_error");
    world.process_everything().await;
    assert_books_balance(&world, &account).await;
    world.engine.set(acceptance::scripted_engine::Behavior::Works);
    account.generate("k", &goal()).await.data(200);
    assert_books_balance(&world, &account).await;
}

#[tokio::test]
async fn a_cancellation_that_crashes_at_any_point_returns_the_credit_once() {
    for call_arrives in [false, true] {
        for after in 0..4 {
            let world = World::start().await;
            let account = world.account(Plan::Free).await;
            let accepted = account.generate_async(&fresh_key(), &goal()).await;
            let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
            world.faults.crash(CrashPoint { after, call_arrives });
            let _ = world.faults.or_crash(account.delete(&path)).await;
            world.faults.recover();
            let _ = account.delete(&path).await;
            assert_eq!(account.get(&path).await.data(200)["status"], "CANCELLED");
            world.process_everything().await;
            assert_books_balance(&world, &account).await;
        }
    }
}
