use std::time::Duration;

use acceptance::{World, account::fresh_key};
use domain::Plan;
use serde_json::{Value, json};

#[tokio::test]
async fn a_result_is_kept_24_hours_and_the_record_90_days() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let made =
        account.generate(&fresh_key(), &json!({"message": "A haiku"})).await.data(200).clone();
    let path = format!("/operations/{}", made["operationId"].as_str().expect("an id"));
    assert_eq!(account.get(&path).await.data(200)["result"], made);
    world.clock.advance(Duration::from_millis(86_400_000 - 1));
    assert_eq!(account.get(&path).await.data(200)["result"], made);
    world.clock.advance(Duration::from_millis(1));
    let aged = account.get(&path).await.data(200).clone();
    assert_eq!(aged["result"], Value::Null);
    assert_eq!(aged["status"], "SUCCEEDED");
    assert_eq!(aged["resultExpiresAt"], "2026-03-16T12:00:00.000Z");
    world.clock.advance(Duration::from_millis(89 * 86_400_000 - 1));
    account.get(&path).await.data(200);
    world.clock.advance(Duration::from_millis(1));
    account.get(&path).await.is_error(404, "not_found");
    assert_eq!(account.get("/operations").await.data(200)["items"], json!([]));
}

#[tokio::test]
async fn what_is_no_operation_is_not_found_and_too_long_an_id_is_invalid() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    for id in ["op_", "x", "op_01ARZ3NDEKTSV4RRFFQ69G5FAV", "OP_01ARZ3NDEKTSV4RRFFQ69G5FAV", "%20"]
    {
        account.get(&format!("/operations/{id}")).await.is_error(404, "not_found");
    }
    account.get(&format!("/operations/{}", "x".repeat(191))).await.is_error(404, "not_found");
    let answer = account.get(&format!("/operations/{}", "x".repeat(192))).await;
    answer.is_error(400, "invalid_request");
    assert_eq!(answer.problem_paths(), ["path.id"]);
}
