use std::time::Duration;

use acceptance::{Account, Answer, World, scripted_engine::Behavior};
use domain::Plan;
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

fn goal() -> Value {
    json!({"message": "Write a haiku about the sea", "language": "en"})
}

fn replayed(answer: &Answer) -> bool {
    answer.header("idempotent-replayed") == Some("true")
}

async fn used(account: &Account) -> u64 {
    account.usage().await["credits"]["used"].as_u64().expect("a number")
}

#[tokio::test]
async fn a_replayed_key_returns_the_first_result() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let first = account.generate("k", &goal()).await;
    let again = account.generate("k", &goal()).await;
    assert_eq!(again.data(200), first.data(200));
    assert_ne!(again.body["requestId"], first.body["requestId"]);
    assert!(replayed(&again) && !replayed(&first));
    assert_eq!(used(&account).await, 1);
    assert_eq!(world.engine.asked(), 1);
}

#[tokio::test]
async fn order_of_properties_and_preference_do_not_make_another_request() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let first = account.generate("k", &goal()).await;
    let turned = r#"{"language":"en",  "message":"Write a haiku about the sea"}"#;
    let request = account
        .request(Method::POST, "/prompts/generate")
        .header("Idempotency-Key", "k")
        .header("Content-Type", "application/json")
        .header("Prefer", "respond-async")
        .body(turned);
    let again = Answer::to(request).await;
    assert_eq!(again.data(200), first.data(200));
    assert!(replayed(&again));
}

#[tokio::test]
async fn a_key_with_another_body_is_refused_in_every_state() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let other = json!({"message": "Write a haiku about the hills"});
    account.generate("done", &goal()).await.data(200);
    account.generate("done", &other).await.is_error(409, "idempotency_key_reused");
    account.generate_async("waiting", &goal()).await.data(202);
    account.generate("waiting", &other).await.is_error(409, "idempotency_key_reused");
    account.generate_async("waiting", &other).await.is_error(409, "idempotency_key_reused");
    assert_eq!(used(&account).await, 1);
}

#[tokio::test]
async fn keys_of_different_accounts_never_meet() {
    let world = World::start().await;
    let (one, two) = (world.account(Plan::Pro).await, world.account(Plan::Pro).await);
    let first = one.generate("k", &goal()).await;
    let second = two.generate("k", &goal()).await;
    assert!(!replayed(&second));
    assert_ne!(first.data(200)["operationId"], second.data(200)["operationId"]);
}

#[tokio::test]
async fn while_it_runs_the_key_is_in_progress() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.set(Behavior::Hangs);
    let calling = tokio::spawn({
        let account = account.clone();
        async move { account.generate("k", &goal()).await }
    });
    world.until(|| world.engine.asked() == 1).await;
    let answer = account.generate("k", &goal()).await;
    answer.is_error(409, "idempotency_in_progress");
    assert!(answer.header_number("retry-after") >= 1);
    let other = json!({"message": "Another goal"});
    account.generate("k", &other).await.is_error(409, "idempotency_key_reused");
    assert_eq!(world.engine.asked(), 1);
    calling.abort();
}

#[tokio::test]
async fn a_deferred_operation_answers_the_same_202_whatever_became_of_it() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let first = account.generate_async("k", &goal()).await;
    let waiting = account.generate_async("k", &goal()).await;
    world.clock.advance(Duration::from_secs(1));
    world.advancing_time(world.process()).await;
    let done = account.generate_async("k", &goal()).await;
    let without_preference = account.generate("k", &goal()).await;
    for answer in [&waiting, &done, &without_preference] {
        assert_eq!(answer.data(202), first.data(202));
        assert_eq!(answer.header("location"), first.header("location"));
        assert!(replayed(answer));
    }
    assert!(!replayed(&first));
    assert_eq!(used(&account).await, 1);
}

#[tokio::test]
async fn a_cancelled_operation_is_not_started_again_by_a_retry() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let first = account.generate_async("k", &goal()).await;
    let path = format!("/operations/{}", first.data(202)["id"].as_str().expect("an id"));
    account.delete(&path).await.data(200);
    let again = account.generate_async("k", &goal()).await;
    assert_eq!(again.data(202), first.data(202));
    world.process_everything().await;
    assert_eq!(account.get(&path).await.data(200)["status"], "CANCELLED");
    assert_eq!(world.engine.asked(), 0);
}

#[tokio::test]
async fn a_hundred_callers_with_one_key_run_it_once() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let body = goal();
    let answers = join_all((0..100).map(|_| account.generate("k", &body))).await;
    let results: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert!(!results.is_empty());
    assert_eq!(results.iter().filter(|answer| !replayed(answer)).count(), 1);
    for answer in &results {
        assert_eq!(answer.body["data"], results[0].body["data"]);
    }
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        answer.is_error(409, "idempotency_in_progress");
    }
    assert_eq!(world.engine.asked(), 1);
    let usage = account.usage().await;
    assert_eq!(usage["credits"]["used"], 1);
    assert_eq!(usage["credits"]["held"], 0);
    assert_eq!(
        account.get("/operations").await.data(200)["items"].as_array().map(Vec::len),
        Some(1)
    );
}

#[tokio::test]
async fn a_refused_request_does_not_use_its_key_up() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let unscoped = world.key(account.id, domain::Scopes::NONE, None).await;
    unscoped.generate("k", &goal()).await.is_error(403, "insufficient_scope");
    account.generate("k", &json!({"message": ""})).await.is_error(400, "invalid_request");
    let unknown = json!({"message": "a", "generationId": "gen_x"});
    account.generate("k", &unknown).await.is_error(400, "invalid_reference");
    account.generate_async("other", &goal()).await.data(202);
    account.generate("k", &goal()).await.is_error(429, "concurrency_limit_reached");
    world.process().await;
    let answer = account.generate("k", &goal()).await;
    answer.data(200);
    assert!(!replayed(&answer));
}

#[tokio::test]
async fn a_failed_operation_releases_its_key_even_for_another_body() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let down = || Behavior::Fails(engine::EngineError::Unavailable { retry_after: None });
    world.engine.set(down());
    account.generate("k", &goal()).await.is_error(503, "provider_unavailable");
    account.generate("k", &goal()).await.is_error(503, "provider_unavailable");
    world.engine.set(Behavior::Works);
    let other = json!({"message": "Write a haiku about the hills"});
    let answer = account.generate("k", &other).await;
    assert!(!replayed(&answer));
    answer.data(200);
    account.generate("k", &goal()).await.is_error(409, "idempotency_key_reused");
    assert_eq!(used(&account).await, 1);

    world.engine.set(down());
    let first = account.generate_async("later", &goal()).await;
    world.process().await;
    world.engine.set(Behavior::Works);
    let second = account.generate_async("later", &goal()).await;
    assert_ne!(second.data(202)["id"], first.data(202)["id"]);
}

#[tokio::test]
async fn a_key_is_kept_24_hours_to_the_millisecond_and_free_a_second_later() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.clock.advance(Duration::from_millis(999));
    let first = account.generate("k", &goal()).await;
    world.clock.advance(Duration::from_millis(86_399_999));
    assert!(replayed(&account.generate("k", &goal()).await));
    world.clock.advance(Duration::from_secs(1));
    let second = account.generate("k", &goal()).await;
    assert!(!replayed(&second));
    assert_ne!(second.data(200)["operationId"], first.data(200)["operationId"]);
    assert_eq!(used(&account).await, 2);
}
