//! `Prefer: wait`: how long a caller waits.

use std::time::Duration;

use acceptance::{Account, Answer, World, scripted_engine::Behavior};
use domain::Plan;
use serde_json::{Value, json};

fn goal() -> Value {
    json!({"message": "A haiku about rain"})
}

async fn preferring(account: &Account, key: &str, preferences: &[&str]) -> Answer {
    let request = account.generate_request(key, &goal());
    let add = |request: reqwest::RequestBuilder, value: &&str| request.header("Prefer", *value);
    Answer::to(preferences.iter().fold(request, add)).await
}

#[tokio::test]
async fn a_result_in_time_is_the_answer() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let answer = preferring(&account, "a", &["wait=10"]).await;
    assert!(answer.data(200)["prompt"].is_string());
    assert_eq!(answer.header("preference-applied"), Some("wait=10"));
    let answer = preferring(&account, "b", &["respond-async", "wait=10"]).await;
    assert!(answer.data(200)["prompt"].is_string());
    assert_eq!(answer.header("preference-applied"), Some("wait=10"));
    let replayed = preferring(&account, "b", &["wait=10"]).await;
    assert_eq!(replayed.data(200), answer.data(200));
    assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
}

#[tokio::test]
async fn a_result_that_is_late_is_polled_for_and_paid_once() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.set(Behavior::Hangs);
    let began = world.now();
    let answer = world.advancing_time(preferring(&account, "k", &["wait=3, respond-async"])).await;
    let waited = world.now().since(began);
    assert!((Duration::from_secs(3)..Duration::from_secs(6)).contains(&waited), "{waited:?}");
    assert_eq!(answer.header("preference-applied"), Some("respond-async, wait=3"));
    let accepted = answer.data(202);
    assert_eq!((&accepted["status"], &accepted["result"]), (&json!("RUNNING"), &json!(null)));
    let path = format!("/operations/{}", accepted["id"].as_str().expect("an id"));
    assert!(answer.header("location").is_some_and(|location| location.ends_with(&path)));

    let again = world.advancing_time(preferring(&account, "k", &["wait=1"])).await;
    assert_eq!(again.data(202)["id"], accepted["id"]);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.header("preference-applied"), None, "nobody waited");
    account.generate("k", &goal()).await.is_error(409, "idempotency_in_progress");

    world.engine.set(Behavior::Works);
    world.clock.advance(Duration::from_secs(9));
    world.process_everything().await;
    let ended = account.get(&path).await.data(200).clone();
    assert_eq!((&ended["status"], &ended["creditsUsed"]), (&json!("SUCCEEDED"), &json!(1)));
    let result = preferring(&account, "k", &["wait=1"]).await;
    assert_eq!(result.data(200), &ended["result"]);
    assert_eq!(account.usage().await["credits"]["used"], 1);
}

#[tokio::test]
async fn callers_that_wait_a_second_each_use_no_attempts_up() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.set(Behavior::Hangs);
    let first = world.advancing_time(preferring(&account, "k", &["wait=1"])).await;
    for _ in 0..4 {
        world.clock.advance(Duration::from_secs(7));
        let again = world.advancing_time(preferring(&account, "k", &["wait=1"])).await;
        assert_eq!(again.data(202)["id"], first.data(202)["id"]);
    }
    assert_eq!(world.engine.asked(), 1);
    world.engine.set(Behavior::Works);
    world.process_everything().await;
    let result = preferring(&account, "k", &["wait=1"]).await;
    assert!(result.data(200)["prompt"].is_string());
}

#[tokio::test]
async fn seconds_may_have_leading_zeros_and_quotes() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    for (key, preference) in [("a", "wait=007"), ("b", "wait=\"7\""), ("c", "Wait = 7")] {
        let answer = preferring(&account, key, &[preference]).await;
        assert!(answer.data(200)["prompt"].is_string());
        assert_eq!(answer.header("preference-applied"), Some("wait=7"), "{preference}");
    }
}

#[tokio::test]
async fn other_preferences_are_refused() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let refused: [&[&str]; 14] = [
        &["wait=0"],
        &["wait=26"],
        &["wait=1.5"],
        &["wait=+5"],
        &["wait=\"5"],
        &["wait=5\""],
        &["wait=\"\"5\"\""],
        &["wait=\""],
        &["wait"],
        &["wait=2, wait=3"],
        &["respond-async, respond-async"],
        &["respond-async=1"],
        &["handling=strict"],
        &[""],
    ];
    for preferences in refused {
        let answer = preferring(&account, "k", preferences).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), ["header.Prefer"], "{preferences:?}");
    }
    assert_eq!(world.engine.asked(), 0);
}
