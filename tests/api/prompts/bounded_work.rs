//! No input takes the service from others.

use acceptance::{Account, World, account::fresh_key, scripted_engine::Behavior};
use domain::Plan;
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

fn goal() -> Value {
    json!({"message": "A haiku"})
}

/// The operation that an answer has accepted, as it stands now.
async fn operation(account: &Account, accepted: &Value) -> Value {
    let path = format!("/operations/{}", accepted["id"].as_str().expect("an identifier"));
    account.get(&path).await.data(200).clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_input_that_takes_too_much_work_is_too_large_and_costs_nothing() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.engine.set(Behavior::Endless);
    let answer = account.generate("k", &goal()).await;
    answer.is_error(400, "content_too_large");
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 0, "held": 0, "remaining": 20}));
    assert_eq!(usage["operations"]["running"], 0);
    world.engine.set(Behavior::Works);
    account.generate("k", &goal()).await.data(200);
}

#[tokio::test]
async fn a_deferred_input_that_takes_too_much_work_fails_at_its_first_attempt() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.engine.set(Behavior::Endless);
    let accepted = account.generate_async("k", &goal()).await.data(202).clone();
    world.process_everything().await;
    let operation = operation(&account, &accepted).await;
    assert_eq!(operation["status"], "FAILED");
    assert_eq!(operation["error"]["code"], "content_too_large");
    assert_eq!(world.engine.asked(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_whose_work_never_ends_does_not_stop_another() {
    let world = World::start().await;
    let other = world.account(Plan::Free).await;
    let hostile = world.account(Plan::Max).await;
    world.engine.set(Behavior::Endless);
    let keys: Vec<_> = (0..10).map(|_| fresh_key()).collect();
    let message = json!({"message": "A haiku ".repeat(700)});
    let endless = join_all(keys.iter().map(|key| hostile.generate(key, &message)));
    let served = async {
        world.until(|| world.engine.asked() >= 2).await;
        world.engine.set(Behavior::Works);
        other.generate(&fresh_key(), &goal()).await.data(200);
    };
    let (answers, ()) = tokio::join!(endless, served);
    let too_large = answers.iter().filter(|answer| answer.status == 400);
    assert!(too_large.clone().count() >= 2, "those that had begun");
    too_large.for_each(|answer| _ = answer.is_error(400, "content_too_large"));
}

#[tokio::test]
async fn checks_take_a_place_among_the_operations_of_the_plan() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let run = json!({"prompt": "Describe our tea in at most 4 words.", "outputs": ["Tea."]});
    let accepted = account.generate_async("k", &goal()).await.data(202).clone();
    for path in ["/prompts/checks", "/prompts/checks/run"] {
        let body =
            if path.ends_with("run") { run.clone() } else { json!({"prompt": run["prompt"]}) };
        let answer = account.send(Method::POST, path, &body).await;
        answer.is_error(429, "concurrency_limit_reached");
        assert!(answer.header_number("retry-after") >= 1);
    }
    world.process_everything().await;
    assert_eq!(operation(&account, &accepted).await["status"], "SUCCEEDED");
    account.send(Method::POST, "/prompts/checks/run", &run).await.data(200);
}
