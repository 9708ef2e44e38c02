//! The functions on the events that AWS sends them: one file of `events/` a trigger.

use acceptance::{Account, World};
use aws_lambda_events::sqs::SqsEvent;
use domain::Plan;
use lambda_http::{IntoResponse as _, tower::ServiceExt as _};
use serde_json::{Value, json};

/// Sends an API Gateway event through the adapter that the functions run behind.
async fn invoke(world: &World, account: &Account, event: &str) -> Value {
    let event = event.replace("{api_key}", &account.key);
    let request = lambda_http::request::from_str(&event).expect("an API Gateway event");
    let response = world.assembly.app().oneshot(request).await.expect("an answer");
    let response = response.into_response().await;
    let body = std::str::from_utf8(response.body()).expect("text").to_owned();
    json!({
        "status": response.status().as_u16(),
        "body": serde_json::from_str::<Value>(&body).expect("JSON"),
    })
}

#[tokio::test]
async fn http_events_are_answered_like_http() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let health = invoke(&world, &account, include_str!("../../events/health.json")).await;
    assert_eq!(health["status"], 200);
    assert_eq!(health["body"]["data"]["status"], "available");

    let event = include_str!("../../events/generate-prompt.json");
    let made = invoke(&world, &account, event).await;
    assert_eq!(made["status"], 200, "{made}");
    let body: Value = serde_json::from_str(event).expect("JSON");
    let body: Value = serde_json::from_str(body["body"].as_str().expect("text")).expect("JSON");
    let over_http = account.generate("event-generate-prompt", &body).await;
    assert_eq!(over_http.data(200), &made["body"]["data"], "the same key, the same request");

    let list = include_str!("../../events/list-operations.json");
    let listed = invoke(&world, &account, list).await;
    let items = listed["body"]["data"]["items"].as_array().expect("a list");
    assert_eq!(items.len(), 1, "{listed}");
    assert_eq!(items[0]["id"], made["body"]["data"]["operationId"]);
}

#[tokio::test]
async fn a_queue_event_runs_its_operation_and_reports_each_message_by_itself() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let accepted = account.generate_later("k", &json!({"message": "A haiku"})).await;
    let id = accepted.data(202)["id"].as_str().expect("an id");
    let text = include_str!("../../events/operations-queue.json");
    let mut event: SqsEvent = serde_json::from_str(text).expect("an SQS event");
    let mut ours = event.records[0].clone();
    let body = json!({"accountId": account.id.to_string(), "operationId": id});
    ours.body = Some(body.to_string());
    ours.message_id = Some("ours".to_owned());
    let mut unreadable = event.records[0].clone();
    unreadable.body = Some("{}".to_owned());
    unreadable.message_id = Some("unreadable".to_owned());
    event.records.extend([ours, unreadable]);

    let handled = world.passing_time(world.assembly.processor.handle(event)).await;
    let failed: Vec<_> =
        handled.batch_item_failures.iter().map(|failure| &*failure.item_identifier).collect();
    // The event's own message has no record, yet; it is to be received again.
    assert_eq!(failed, ["059f36b4-87a3-44ab-83d2-661975830a7d", "unreadable"]);
    let operation = account.get(&format!("/operations/{id}")).await;
    assert_eq!(operation.data(200)["status"], "SUCCEEDED");
}
