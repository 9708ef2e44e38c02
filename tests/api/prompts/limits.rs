use acceptance::{World, account::fresh_key, fault_injection::Fault, scripted_engine::Behavior};
use domain::{Plan, Scope};
use engine::EngineError;
use futures::future::join_all;
use serde_json::json;

#[tokio::test]
async fn as_many_operations_run_at_once_as_the_plan_allows() {
    let world = World::start().await;
    for (plan, limit) in [(Plan::Free, 1), (Plan::Pro, 3), (Plan::ProPlus, 5), (Plan::Max, 10)] {
        let account = world.account(plan).await;
        let goal = json!({"message": "A haiku"});
        let keys: Vec<_> = (0..limit + 5).map(|_| fresh_key()).collect();
        let answers = join_all(keys.iter().map(|key| account.generate_async(key, &goal))).await;
        let accepted = answers.iter().filter(|answer| answer.status == 202).count();
        assert_eq!(accepted, limit, "{plan}");
        for answer in answers.iter().filter(|answer| answer.status != 202) {
            answer.is_error(429, "concurrency_limit_reached");
            assert!(answer.header_number("retry-after") >= 1);
            let message = answer.body["error"]["message"].as_str().expect("a message");
            let said = format!(
                "{limit} AI operations and checks of the account are pending or running, and its plan allows {limit} at once"
            );
            assert!(message.starts_with(&said), "{message}");
        }
        world.process_everything().await;
        assert_eq!(account.usage().await["operations"]["running"], 0);
        // The same keys work once there is room.
        let refused = keys.iter().zip(&answers).find(|(_, answer)| answer.status == 429);
        let (key, _) = refused.expect("one was refused");
        account.generate(key, &goal).await.data(200);
    }
}

#[tokio::test]
async fn the_last_credits_are_given_out_once_each() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "A haiku"});
    for _ in 0..4 {
        account.generate(&fresh_key(), &goal).await.data(200);
    }
    // 4 of the 20 credits of the smaller plan are gone.
    world.store.set_plan(account.id, Plan::Free).await.expect("storage");
    for _ in 0..15 {
        account.generate(&fresh_key(), &goal).await.data(200);
    }
    let keys: Vec<_> = (0..5).map(|_| fresh_key()).collect();
    let answers = join_all(keys.iter().map(|key| account.generate(key, &goal))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 20, "held": 0, "remaining": 0}));
    let answer = account.generate(&fresh_key(), &goal).await;
    answer.is_error(429, "credits_exhausted");
    assert!(answer.header("retry-after").is_none(), "nobody waits for half a month");
    let renewal = usage["period"]["endsAt"].as_str().expect("an instant");
    assert_eq!(renewal, "2026-04-01T00:00:00.000Z");
    let message = answer.body["error"]["message"].as_str().expect("a message");
    assert!(message.contains(renewal), "{message}");
}

#[tokio::test]
async fn a_provider_failure_returns_the_credit_and_tells_when_to_retry() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let wait = Some(std::time::Duration::from_secs(17));
    world.engine.set(Behavior::Fails(EngineError::Unavailable { retry_after: wait }));
    let goal = json!({"message": "A haiku"});
    let answer = account.generate("k", &goal).await;
    answer.is_error(503, "provider_unavailable");
    assert_eq!(answer.header_number("retry-after"), 17);
    world.engine.set(Behavior::Fails(EngineError::Rejected { reason: "it is empty".to_owned() }));
    account.generate("k", &goal).await.is_error(400, "content_rejected");
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 0, "held": 0, "remaining": 20}));
    assert_eq!(usage["operations"]["running"], 0);
    world.engine.set(Behavior::Works);
    account.generate("k", &goal).await.data(200);
}

#[tokio::test]
async fn without_the_queue_nothing_is_started() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let goal = json!({"message": "A haiku"});
    world.faults.inject("SendMessage", Fault::Unreachable, 3);
    let answer = account.generate("k", &goal).await;
    answer.is_error(503, "queue_unavailable");
    assert!(answer.header_number("retry-after") >= 1);
    assert!(world.faults.is_exhausted(), "the queue was tried three times");
    assert_eq!(account.get("/operations").await.data(200)["items"], json!([]));
    assert_eq!(world.engine.asked(), 0);
    account.generate("k", &goal).await.data(200);
}

#[tokio::test]
async fn a_refused_or_repeated_call_leaves_no_message() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let goal = json!({"message": "A haiku"});
    let reader = world.key(account.id, [Scope::UsageRead].into_iter().collect(), None).await;
    let subject = world.subject("ada", [Scope::UsageRead].into_iter().collect());
    account.generate_async("k", &goal).await.data(202);
    world.faults.reset();
    account.generate_async("k", &goal).await.data(202);
    account
        .generate("k", &json!({"message": "An ode"}))
        .await
        .is_error(409, "idempotency_key_reused");
    account.generate("l", &goal).await.is_error(429, "concurrency_limit_reached");
    let gone = json!({"message": "A haiku", "generationId": "gen_01JD8M3Z5Q4N7V9X2B6C8D0E1F"});
    account.generate("m", &gone).await.is_error(400, "invalid_reference");
    reader.generate("n", &goal).await.is_error(403, "insufficient_scope");
    subject.generate("n", &goal).await.is_error(403, "insufficient_scope");
    world.store.set_suspended(account.id, true).await.expect("storage");
    account.generate("o", &goal).await.is_error(403, "account_suspended");
    assert_eq!(world.faults.count("SendMessage"), 0);
    world.store.set_suspended(account.id, false).await.expect("storage");

    world.process_everything().await;
    for _ in 0..19 {
        account.generate(&fresh_key(), &goal).await.data(200);
    }
    world.faults.reset();
    account.generate("p", &goal).await.is_error(429, "credits_exhausted");
    while account.generate("p", &goal).await.header("ratelimit-remaining") != Some("0") {}
    account.generate("p", &goal).await.is_error(429, "rate_limited");
    assert_eq!(world.faults.count("SendMessage"), 0);
}

#[tokio::test]
async fn the_messages_of_an_account_are_a_group_of_the_queue() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.faults.reset();
    account.generate("k", &json!({"message": "A haiku"})).await.data(200);
    let calls = world.faults.calls();
    let sent =
        calls.iter().find(|call| call.operation.ends_with("SendMessage")).expect("a message");
    let unique = account.id.to_string();
    assert_eq!(sent.message_group.as_deref(), unique.split_once('_').map(|(_, unique)| unique));
}
