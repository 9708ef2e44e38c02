//! Bodies in the bucket that attempts left without recording them.

use std::time::Duration;

use acceptance::{
    Account, World,
    account::fresh_key,
    fault_injection::{CrashPoint, Fault},
    scripted_engine::Behavior,
};
use domain::Plan;
use serde_json::{Value, json};
use store::{
    admission::Limits,
    body::{Lifetime, attempt_name},
    keys,
    operations::settlement::{Completion, Ending},
};

use crate::history::delete::incompressible;

const DURABLE: &str = "durable/";

/// A prompt whose result no item of the table holds.
fn large() -> Value {
    json!({"prompt": incompressible(30_000)})
}

async fn accepted(account: &Account) -> String {
    let accepted = account.post_async("/prompts/optimize", &fresh_key(), &large()).await;
    accepted.data(202)["id"].as_str().expect("an id").to_owned()
}

async fn status(account: &Account, id: &str) -> Value {
    account.get(&format!("/operations/{id}")).await.data(200)["status"].clone()
}

/// Lets the processor work until it dies when `condition` holds, then lets the lease end.
async fn die_once(world: &World, condition: impl Fn() -> bool) {
    tokio::select! {
        _ = world.process() => panic!("it has not died"),
        () = world.until(condition) => {}
    }
    world.clock.advance(Duration::from_secs(125));
}

/// Lets the processor work until it dies at its call after `after` others, then lets the lease end.
async fn die(world: &World, after: usize, call_arrives: bool) {
    world.faults.crash(CrashPoint { after, call_arrives });
    let _ = world.faults.or_crash(world.process()).await;
    world.faults.recover();
    world.clock.advance(Duration::from_secs(125));
}

#[tokio::test]
async fn a_dead_attempts_body_is_removed_wherever_the_next_process_dies() {
    let mut left = 0;
    for (after, call_arrives) in (6..11).flat_map(|after| [(after, false), (after, true)]) {
        let world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        let id = accepted(&account).await;
        world.faults.inject("TransactWriteItems", Fault::Slow(Duration::from_secs(3_600)), 1);
        die_once(&world, || world.faults.is_exhausted()).await;
        assert_eq!(world.objects(DURABLE).await, 1);
        die(&world, after, call_arrives).await;
        left += usize::from(world.objects(DURABLE).await == 2);
        world.process_everything().await;
        assert_eq!(status(&account, &id).await, "SUCCEEDED");
        assert_eq!(world.objects(DURABLE).await, 1, "after {after}, arrives {call_arrives}");
    }
    assert!(left > 1, "the second process never died beside its own body");
}

#[tokio::test]
async fn a_body_that_arrives_after_the_operations_end_is_removed() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let id = accepted(&account).await;
    world.engine.set(Behavior::Hangs);
    die_once(&world, || world.engine.asked() == 1).await;
    world.engine.set(Behavior::Works);
    assert_eq!(world.process().await, 1);
    assert_eq!(status(&account, &id).await, "SUCCEEDED");
    let operation = id.parse().expect("an id");
    let record = world.store.operation_record(account.id, operation).await.expect("storage");
    let name = attempt_name(&record.expect("a record"), 1);
    let body = incompressible(30_000).into_bytes();
    world.store.stage_body(body, Lifetime::Durable, &name).await.expect("storage");
    assert_eq!(world.objects(DURABLE).await, 2);
    world.process_everything().await;
    assert_eq!(world.objects(DURABLE).await, 1);
}

#[tokio::test]
async fn the_body_of_a_result_that_cannot_be_recorded_is_removed() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let first = account.post("/prompts/optimize", &fresh_key(), &large()).await.data(200).clone();
    let mut next = large();
    next["promptId"] = first["optimizationId"].clone();
    world.engine.set(Behavior::WorksAt(world.clock.clone(), world.now() + Duration::from_secs(5)));
    let calling = tokio::spawn({
        let account = account.clone();
        async move { account.post("/prompts/optimize", "k", &next).await }
    });
    world.until(|| world.engine.asked() == 2).await;
    let id = first["optimizationId"].as_str().expect("an id");
    account.delete(&format!("/history/optimization/{id}")).await.data(200);
    world.clock.advance(Duration::from_secs(5));
    calling.await.expect("an answer").is_error(409, "source_conflict");
    world.process_everything().await;
    assert_eq!(world.objects(DURABLE).await, 0);
}

#[tokio::test]
async fn a_process_that_stood_still_beyond_its_deadline_writes_no_body() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let done = world.now() + Duration::from_secs(24);
    world.engine.set(Behavior::WorksAt(world.clock.clone(), done));
    let calling = tokio::spawn({
        let account = account.clone();
        async move { account.post("/prompts/optimize", "k", &large()).await }
    });
    world.until(|| world.engine.asked() == 1).await;
    world.clock.advance(Duration::from_secs(26));
    calling.await.expect("an answer").is_error(503, "provider_timeout");
    assert_eq!(world.objects(DURABLE).await, 0);
}

/// Which attempt has written the body of an operation to the table.
async fn writer(world: &World, account: &Account, id: &str) -> Option<String> {
    let key = keys::body(account.id, id.parse().expect("an id"));
    let read = world.dynamodb.get_item().table_name(&world.store.names().table);
    let item = read.set_key(Some(key)).send().await.expect("storage").item?;
    Some(item["att"].as_n().expect("a number").clone())
}

#[tokio::test]
async fn a_small_body_of_a_dead_attempt_is_replaced_by_the_next_one_or_removed_with_a_failure() {
    for succeeds in [true, false] {
        let world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        let goal = json!({"message": "A haiku"});
        let accepted = account.generate_async(&fresh_key(), &goal).await;
        let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
        world.faults.inject("TransactWriteItems", Fault::Slow(Duration::from_secs(3_600)), 1);
        die_once(&world, || world.faults.is_exhausted()).await;
        assert_eq!(writer(&world, &account, &id).await.as_deref(), Some("1"));
        let running = account.get(&format!("/operations/{id}")).await.data(200).clone();
        assert_eq!((&running["status"], &running["result"]), (&json!("RUNNING"), &Value::Null));
        if !succeeds {
            world.engine.set(Behavior::Fails(engine::EngineError::Rejected {
                reason: "it is not allowed".to_owned(),
            }));
        }
        world.process_everything().await;
        let expected = if succeeds { "SUCCEEDED" } else { "FAILED" };
        assert_eq!(status(&account, &id).await, expected);
        assert_eq!(writer(&world, &account, &id).await.as_deref(), succeeds.then_some("2"));
    }
}

#[tokio::test]
async fn an_attempt_whose_lease_has_ended_writes_no_body_to_the_table() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let accepted = account.generate_async(&fresh_key(), &json!({"message": "A haiku"})).await;
    let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
    for (passes, is_written) in [(Duration::from_secs(20), false), (Duration::ZERO, true)] {
        let lease = Duration::from_secs(10);
        let operation = id.parse().expect("an id");
        let claimed = world.store.claim(account.id, operation, lease).await.expect("storage");
        let claimed = claimed.expect("nobody has it");
        let name = attempt_name(&claimed, claimed.attempt);
        let body = world.store.stage_body(b"{}".to_vec(), Lifetime::Temporary, &name).await;
        let completion = Completion {
            body: body.expect("a small one"),
            bytes: 2,
            file_bytes: 0,
            history: None,
            offset_index: None,
            is_enqueued: true,
        };
        world.clock.advance(passes);
        let settled = world.store.settle(&claimed, &Ending::Success(Box::new(completion))).await;
        assert_eq!(settled.is_ok(), is_written);
        assert_eq!(writer(&world, &account, &id).await.is_some(), is_written);
    }
}
