//! What an operation answers while storage cannot be reached.

use std::time::Duration;

use acceptance::{
    World,
    fault_injection::Fault,
    operations::{UNREACHABLE_URL, table},
};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

#[tokio::test]
async fn storage_that_is_away_is_503_where_that_is_declared_and_else_500_and_both_say_when_to_try_again()
 {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let document: Value =
        serde_json::from_str(include_str!("../../../infra/openapi.json")).expect("JSON");
    let rows = table(UNREACHABLE_URL);
    let mut ids = Vec::new();
    for row in &rows {
        ids.push(row.id(&account).await);
    }
    world.faults.inject("UpdateItem", Fault::Unreachable, 10_000);
    let mut codes = Vec::new();
    for (row, id) in rows.iter().zip(&ids) {
        let answer = row.call(|method, path| account.request(method, path), id).await;
        let declared = row.documented(&document)["responses"]["503"].is_object();
        let code = answer.body["error"]["code"].as_str().unwrap_or_default().to_owned();
        assert_eq!(answer.status, if declared { 503 } else { 500 }, "{} {code}", row.operation);
        assert_eq!(answer.header_number("retry-after"), 2, "{}", row.operation);
        codes.push(code);
    }
    codes.sort();
    codes.dedup();
    let expected =
        ["internal_error", "provider_timeout", "queue_unavailable", "storage_unavailable"];
    assert_eq!(codes, expected);
}

#[tokio::test]
async fn work_that_would_end_too_late_is_refused_before_it_starts() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "A haiku"});
    let text = json!({"prompt": "A haiku"});
    let counted = || account.send(Method::POST, "/prompts/token-estimate", &text);
    world.faults.inject("UpdateItem", Fault::Slow(Duration::from_secs(3)), 10_000);
    for _ in 0..10 {
        world.advancing_time(counted()).await.data(200);
    }
    let refused = world.advancing_time(account.generate("late", &goal)).await;
    refused.is_error(503, "provider_unavailable");
    assert_eq!(refused.header_number("retry-after"), 5);

    world.faults.recover();
    for _ in 0..20 {
        counted().await.data(200);
    }
    let usage = account.get("/usage").await.data(200).clone();
    assert_eq!((&usage["credits"]["used"], &usage["credits"]["held"]), (&json!(0), &json!(0)));
    account.generate("late", &goal).await.data(200);
}

#[tokio::test]
async fn what_storage_does_not_permit_will_not_pass_by_itself() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.faults.inject("UpdateItem", Fault::Denied, 1);
    let answer = account.get("/usage").await;
    answer.is_error(500, "internal_error");
    assert_eq!(answer.header("retry-after"), None);
}
