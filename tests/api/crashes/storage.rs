use acceptance::{World, account::fresh_key, fault_injection::Fault};
use domain::Plan;
use serde_json::json;

#[tokio::test]
async fn transactions_that_meet_another_one_are_tried_again() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.faults.inject("TransactWriteItems", Fault::TransactionConflict, 3);
    let goal = json!({"message": "A haiku"});
    world.advancing_time(account.generate("k", &goal)).await.data(200);
    assert!(world.faults.is_exhausted());
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 1, "held": 0, "remaining": 19}));
}

#[tokio::test]
async fn a_throttled_table_is_tried_again() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let goal = json!({"message": "A haiku"});
    world.faults.inject("TransactWriteItems", Fault::Throttled, 2);
    world.advancing_time(account.generate("k", &goal)).await.data(200);
    world.faults.inject("UpdateItem", Fault::Throttled, 2);
    account.get("/usage").await.data(200);
    assert!(world.faults.is_exhausted());
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_not_written_twice() {
    for lost in 1..=5 {
        let world = World::start().await;
        let account = world.account(Plan::Free).await;
        let goal = json!({"message": "A haiku"});
        world.faults.inject("TransactWriteItems", Fault::AnswerLost, lost);
        let mut answer = world.advancing_time(account.generate("k", &goal)).await;
        if lost > 2 {
            // The operation may have begun. Then the processor does it.
            answer.is_error(503, "provider_timeout");
            world.faults.recover();
            world.process_everything().await;
            answer = world.advancing_time(account.generate("k", &goal)).await;
        }
        answer.data(200);
        let usage = account.usage().await;
        assert_eq!(
            usage["credits"],
            json!({"limit": 20, "used": 1, "held": 0, "remaining": 19}),
            "{lost} answers lost"
        );
        assert_eq!(usage["operations"]["running"], 0);
        assert_eq!(usage["operations"]["byKind"]["generatePrompt"], 1);
    }
}

#[tokio::test]
async fn a_start_that_cannot_be_committed_in_time_is_an_error_and_starts_nothing() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let goal = json!({"message": "A haiku"});
    world.faults.inject("TransactWriteItems", Fault::TransactionConflict, 1_000);
    let answer = world.advancing_time(account.generate(&fresh_key(), &goal)).await;
    answer.is_error(503, "provider_timeout");
    world.faults.recover();
    world.process_everything().await;
    assert_eq!(account.get("/operations").await.data(200)["items"], json!([]));
    assert_eq!(account.usage().await["credits"]["used"], 0);
}

#[tokio::test]
async fn single_writes_that_meet_a_transaction_are_tried_again() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.faults.inject("UpdateItem", Fault::TransactionConflict, 6);
    let answer = world.advancing_time(account.get("/usage")).await;
    answer.data(200);
    assert_eq!(answer.header_number("ratelimit-remaining"), 29, "counted once");
    let goal = json!({"message": "A haiku"});
    account.generate_async("k", &goal).await.data(202);
    world.faults.inject("UpdateItem", Fault::TransactionConflict, 6);
    world.advancing_time(world.process()).await;
    assert!(world.faults.is_exhausted());
    assert_eq!(account.usage().await["credits"]["used"], 1);
}

#[tokio::test]
async fn a_claim_whose_answer_is_lost_is_still_ones_own() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let accepted = account.generate_async("k", &json!({"message": "A haiku"})).await;
    let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
    world.faults.inject("UpdateItem", Fault::AnswerLost, 1);
    world.process().await;
    assert_eq!(account.get(&path).await.data(200)["status"], "SUCCEEDED");
    assert_eq!(world.engine.asked(), 1);
}

#[tokio::test]
async fn a_processor_that_cannot_reach_storage_soon_tries_again() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let accepted = account.generate_async("k", &json!({"message": "A haiku"})).await;
    let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
    world.faults.inject("GetItem", Fault::Unreachable, 3);
    world.process().await;
    assert!(world.faults.is_exhausted());
    assert_eq!(account.get(&path).await.data(200)["status"], "PENDING");
    world.clock.advance(std::time::Duration::from_secs(31));
    assert_eq!(world.process().await, 1);
    assert_eq!(account.get(&path).await.data(200)["status"], "SUCCEEDED");
}

#[tokio::test]
async fn a_table_whose_creation_was_answered_too_late_is_as_good_as_any() {
    let world = World::start().await;
    world.faults.inject("CreateTable", Fault::AnswerLost, 1);
    store::schema::create_table(&world.dynamodb, "another").await.expect("a table");
    assert!(world.faults.is_exhausted());
    store::schema::create_table(&world.dynamodb, "another").await.expect("the same table");
}
