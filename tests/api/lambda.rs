//! The functions on the events that AWS sends them: one file of `events/` a trigger.

use sqs_consumer::SqsHandler as _;
use std::time::Duration;

use acceptance::{Account, World, fault_injection::Fault, files, uploads::id_of};
use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use domain::{Plan, Scopes};
use lambda_http::{IntoResponse as _, tower::ServiceExt as _};
use serde_json::{Value, json};

/// Sends an API Gateway event through the adapter that the functions run behind.
async fn invoke(world: &World, account: &Account, event: &str) -> Value {
    let event = event.replace("{api_key}", &account.key);
    let event = serde_json::from_str(&event).expect("an API Gateway event");
    let request: lambda_http::Request = edge::runtime::lambda::readable(event).into();
    let response = world.application.router().oneshot(request).await.expect("an answer");
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

/// API Gateway decodes the path, and passes on the query as it came.
#[tokio::test]
async fn an_event_whose_path_and_query_make_no_uri_is_answered_like_any_other() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let event: Value =
        serde_json::from_str(include_str!("../../events/list-operations.json")).expect("JSON");
    let answer = async |path: &str, query: &str| {
        let mut event = event.clone();
        event["rawPath"] = json!(path);
        event["rawQueryString"] = json!(query);
        invoke(&world, &account, &event.to_string()).await
    };
    for query in ["kind=<a>", "kind=a b", "kind=\"{a}\"", "kind=`é`\u{1}", "kind=a#b"] {
        assert_eq!(answer("/v1/operations", query).await["status"], 200, "{query}");
    }
    for id in ["a b", "<a>", "a#b", "a?b", "a\\b", "é|^[]{}", "\u{7f}"] {
        let answer = answer(&format!("/v1/operations/{id}"), "").await;
        assert_eq!(answer["status"], 404, "{id}: {answer}");
        assert_eq!(answer["body"]["error"]["code"], "not_found", "{id}: {answer}");
    }
    let cut = answer("/v1/operations", "kind=a#b&limit=0").await;
    assert_eq!(cut["status"], 400, "nothing behind a sign is lost: {cut}");
}

#[tokio::test]
async fn a_queue_event_runs_its_operation_and_reports_each_message_by_itself() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let accepted = account.generate_async("k", &json!({"message": "A haiku"})).await;
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

    let handled = world.advancing_time(world.application.processor.handle(event)).await;
    let failed: Vec<_> =
        handled.batch_item_failures.iter().map(|failure| &*failure.item_identifier).collect();
    // The event's own message has no record, yet; it is to be received again.
    assert_eq!(failed, ["059f36b4-87a3-44ab-83d2-661975830a7d", "unreadable"]);
    let operation = account.get(&format!("/operations/{id}")).await;
    assert_eq!(operation.data(200)["status"], "SUCCEEDED");
}

#[tokio::test]
async fn a_message_is_sent_again_before_the_queue_gives_it_up() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let accepted = account.generate_async("k", &json!({"message": "A haiku"})).await;
    let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
    let received = |times: u32| {
        let mut message = SqsMessage::default();
        let body = json!({"accountId": account.id.to_string(), "operationId": id});
        message.body = Some(body.to_string());
        message.message_id = Some("ours".to_owned());
        message.attributes =
            [("ApproximateReceiveCount".to_owned(), times.to_string())].into_iter().collect();
        let mut event = SqsEvent::default();
        event.records = vec![message];
        event
    };
    let sent = || world.faults.count("SendMessage");
    world.faults.inject("GetItem", Fault::Unreachable, 1_000);
    let before = sent();
    for times in [1, 7] {
        let handled = world.application.processor.handle(received(times));
        let handled = world.advancing_time(handled).await;
        assert_eq!(handled.batch_item_failures.len(), 1);
        assert_eq!(sent(), before);
    }
    let handled = world.advancing_time(world.application.processor.handle(received(8))).await;
    assert!(handled.batch_item_failures.is_empty(), "another message stands for this one");
    assert_eq!(sent(), before + 1);
    world.faults.recover();
    world.clock.advance(std::time::Duration::from_secs(901));
    world.process_everything().await;
    let operation = account.get(&format!("/operations/{id}")).await;
    assert_eq!(operation.data(200)["status"], "SUCCEEDED");

    world.clock.advance(std::time::Duration::from_secs(86_401));
    world.faults.inject("GetItem", Fault::Unreachable, 1_000);
    let handled = world.advancing_time(world.application.processor.handle(received(8))).await;
    assert_eq!(handled.batch_item_failures.len(), 1, "what cannot be mended is for people");
}

#[tokio::test]
async fn a_bucket_event_verifies_the_file_ahead() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let file = files::png(1);
    let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
    let id = id_of(&created);
    assert_eq!(account.put(&created, &file).await, 200);
    let text = include_str!("../../events/upload-events-queue.json");
    let event: SqsEvent = serde_json::from_str(text).expect("an SQS event");
    let handled = world.application.upload_events.handle(event.clone()).await;
    assert!(handled.batch_item_failures.is_empty(), "a file that nobody knows is no failure");
    assert_eq!(account.upload_status(&id).await, "pending");

    let unique = |id: &str| id.split_once('_').map(|(_, unique)| unique.to_owned());
    let (account_id, upload_id) = (account.id.to_string(), unique(&id).expect("an id"));
    let key = format!("uploads/{}/{upload_id}", unique(&account_id).expect("an id"));
    let mut ours = event;
    let body = ours.records[0].body.take().expect("a body");
    let named = "uploads/01JD8M3Z5Q4N7V9X2B6C8D0E1F/01JD8M3Z5Q4N7V9X2B6C8D0E1G";
    assert!(body.contains(named));
    ours.records[0].body = Some(body.replace(named, &key));
    let handled = world.application.upload_events.handle(ours).await;
    assert!(handled.batch_item_failures.is_empty());
    assert_eq!(account.upload_status(&id).await, "uploaded");
}

#[tokio::test]
async fn a_tool_is_called_by_an_event_like_by_http() {
    let world = World::start().await;
    let event = include_str!("../../events/mcp.json");
    let token = world.issuer.token("ada", Scopes::ALL);
    let ada = world.bearing(&token);
    let called = invoke(&world, &ada, &event.replace("{access_token}", &token)).await;
    assert_eq!(called["status"], 200, "{called}");
    let made = &called["body"]["result"]["structuredContent"];
    assert!(made["prompt"].is_string(), "{called}");
    let id = made["operationId"].as_str().expect("an id");
    let operation = ada.get(&format!("/operations/{id}")).await;
    assert_eq!(&operation.data(200)["result"], made);
}

#[tokio::test]
async fn what_storage_does_not_permit_is_among_the_dead_letters_within_minutes() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let accepted = account.generate_async("k", &json!({"message": "A haiku"})).await;
    let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
    let queue = world.store.names().operations_queue_url.clone();
    let dead = async || world.store.queue_depth(&queue).await.expect("a queue").dead;
    world.faults.inject("GetItem", Fault::Denied, usize::MAX);
    let since = world.now();
    while dead().await == 0 {
        world.advancing_time(world.process()).await;
        world.clock.advance(Duration::from_secs(5));
    }
    assert!(world.now().since(since) < Duration::from_secs(300));
    world.faults.recover();
    assert_eq!(world.store.redrive(&queue).await.expect("a queue"), 1);
    world.process_everything().await;
    let operation = account.get(&format!("/operations/{id}")).await;
    assert_eq!(operation.data(200)["status"], "SUCCEEDED");
}

#[tokio::test]
async fn an_operation_is_no_dead_letter_while_no_function_can_be_invoked() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let goal = json!({"message": "A haiku"});
    account.generate_async("k", &goal).await.data(202);
    world.receive_without_invoking(&world.store.names().operations_queue_url, 49).await;
    assert_eq!(world.process().await, 1);
    assert_eq!(account.usage().await["credits"]["used"], 1);
}

#[tokio::test]
async fn a_dead_letter_that_never_ran_holds_its_credit_and_place_until_it_is_redriven() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let goal = json!({"message": "A haiku"});
    let accepted = account.generate_async("k", &goal).await;
    let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
    let queue = world.store.names().operations_queue_url.clone();
    world.receive_without_invoking(&queue, 50).await;
    assert_eq!(world.process().await, 0);
    world.clock.advance(Duration::from_secs(30 * 3_600));
    account.generate("l", &goal).await.is_error(429, "concurrency_limit_reached");
    // By then the table has removed the input.
    let operation_id = id.parse().expect("an id");
    let record = world.store.operation_record(account.id, operation_id).await.expect("storage");
    let input = store::keys::idempotency_record(account.id, &record.expect("a record").idempotency);
    let table = &world.store.names().table;
    let removal = world.dynamodb.delete_item().table_name(table).set_key(Some(input));
    removal.send().await.expect("storage");
    assert_eq!(world.store.redrive(&queue).await.expect("a queue"), 1);
    world.process_everything().await;
    let operation = account.get(&format!("/operations/{id}")).await.data(200).clone();
    assert_eq!(
        (&operation["status"], &operation["error"]["code"]),
        (&json!("FAILED"), &json!("internal_error"))
    );
    let usage = account.usage().await;
    assert_eq!(
        (&usage["credits"]["held"], &usage["operations"]["running"]),
        (&json!(0), &json!(0))
    );
    account.generate("l", &goal).await.data(200);
}
