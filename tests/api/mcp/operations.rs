//! AI tools are AI operations: credits, limits, events, and one operation a message.

use std::time::Duration;

use acceptance::{
    World,
    account::fresh_key,
    fault_injection::Fault,
    mcp::{NEWEST, WITH_SESSIONS},
    receiver::Receiver,
    scripted_engine::Behavior,
};
use domain::Plan;
use engine::EngineError;
use serde_json::json;

use super::subject;

#[tokio::test]
async fn an_ai_tool_is_an_operation_and_a_reading_one_is_none() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    let made = client.call("generate_prompt", json!({"message": "A haiku"})).await.data().clone();
    client.call("list_models", json!({})).await.data();
    client.call("estimate_tokens", json!({"prompt": "A haiku"})).await.data();
    let listed = client.call("list_operations", json!({})).await.data().clone();
    let items = listed["items"].as_array().expect("a list");
    assert_eq!(items.len(), 1);
    assert_eq!(items[0]["id"], made["operationId"]);
    assert_eq!(items[0]["kind"], "generatePrompt");
    assert_eq!(ada.usage().await["credits"]["used"], 1);
    let read = client.call("get_operation", json!({"id": made["operationId"]})).await;
    assert_eq!(read.data()["result"], made);
    let item = json!({"type": "generation", "id": made["generationId"]});
    assert_eq!(client.call("get_history_item", item).await.data()["versionCount"], 1);
}

#[tokio::test]
async fn a_repeated_message_is_one_operation_and_the_same_words_in_another_are_a_second_one() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let haiku = json!({"message": "A haiku"});
    let client = ada.mcp().await;
    let message = client.calling("generate_prompt", haiku.clone());
    let first = client.send(&message).await;
    assert!(first.result()["_meta"]["idempotentReplayed"].is_null());
    world.clock.advance(Duration::from_secs(3600 - 60));
    let again = client.send(&message).await;
    assert_eq!(again.data(), first.data(), "however late");
    assert_eq!(again.result()["_meta"]["idempotentReplayed"], true);
    let another = client.call("generate_prompt", haiku.clone()).await;
    assert_ne!(another.data()["operationId"], first.data()["operationId"]);
    // Another conversation counts its messages from the beginning, too.
    let elsewhere = ada.mcp().await;
    let same_number = elsewhere.send(&message).await;
    assert_ne!(same_number.data()["operationId"], first.data()["operationId"]);
    assert_eq!(ada.usage().await["credits"]["used"], 3);
}

#[tokio::test]
async fn without_sessions_a_repetition_counts_for_ten_minutes() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp_before_anything(NEWEST);
    let message = client.calling("generate_prompt", json!({"message": "A haiku"}));
    let first = client.send(&message).await.data().clone();
    world.clock.advance(Duration::from_secs(100));
    assert_eq!(client.send(&message).await.data(), &first);
    world.clock.advance(Duration::from_secs(600));
    assert_ne!(client.send(&message).await.data()["operationId"], first["operationId"]);
}

#[tokio::test]
async fn ten_minutes_begin_with_the_first_message_and_not_with_the_clock() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp_before_anything(NEWEST);
    world.clock.advance(Duration::from_secs(599));
    let message = client.calling("generate_prompt", json!({"message": "A haiku"}));
    let first = client.send(&message).await.data().clone();
    for wait in [2, 597] {
        world.clock.advance(Duration::from_secs(wait));
        let again = client.send(&message).await;
        assert_eq!(again.data(), &first, "{wait} s later");
        assert_eq!(again.result()["_meta"]["idempotentReplayed"], true);
    }
    world.clock.advance(Duration::from_secs(1));
    let second = client.send(&message).await.data().clone();
    assert_ne!(second["operationId"], first["operationId"]);
    assert_eq!(client.send(&message).await.data(), &second);
    assert_eq!(ada.usage().await["credits"]["used"], 2);
}

#[tokio::test]
async fn an_operation_that_goes_on_is_met_however_late() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp_before_anything(NEWEST);
    let later = json!({"message": "A haiku", "respondAsync": true});
    let message = client.calling("generate_prompt", later);
    let accepted = client.send(&message).await.data().clone();
    world.clock.advance(Duration::from_secs(900));
    assert_eq!(client.send(&message).await.data()["operationId"], accepted["operationId"]);
    world.process_everything().await;
    let poll = json!({"id": accepted["operationId"]});
    assert_eq!(client.call("get_operation", poll).await.data()["status"], "SUCCEEDED");
    let another = client.send(&message).await.data().clone();
    assert_ne!(another["operationId"], accepted["operationId"], "it is over, and was long ago");
}

#[tokio::test]
async fn a_key_of_ones_own_stands_for_a_day_without_conversations_too() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp_before_anything(NEWEST);
    let arguments = json!({"message": "A haiku", "idempotencyKey": "my key"});
    let first = client.call("generate_prompt", arguments.clone()).await.data().clone();
    world.clock.advance(Duration::from_secs(3000));
    assert_eq!(client.call("generate_prompt", arguments).await.data(), &first);
}

#[tokio::test]
async fn a_message_that_meets_its_running_twin_says_where_the_operation_can_be_found() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp().await;
    world.engine.set(Behavior::Hangs);
    let arguments = json!({"message": "A haiku", "idempotencyKey": "my key"});
    let message = client.calling("generate_prompt", arguments);
    let request = client.posting(&message);
    let twin = tokio::spawn(async move { request.send().await.is_ok() });
    world.until(|| world.engine.asked() == 1).await;
    let mut again = message.clone();
    again["params"]["_meta"]["progressToken"] = "p-1".into();
    for message in [&message, &again] {
        let told = client.send(message).await;
        // Nothing has begun that progress could be told of.
        assert_eq!(told.header("content-type"), Some("application/json"));
        assert_eq!(told.data()["status"], "RUNNING");
        let poll = json!({"id": told.data()["operationId"]});
        let read = client.call("get_operation", poll).await.data().clone();
        assert_eq!(read["status"], "RUNNING");
        assert_eq!(read["id"], told.data()["operationId"]);
    }
    let by_rest = ada.generate("my key", &json!({"message": "A haiku"})).await;
    by_rest.is_error(409, "idempotency_in_progress");
    assert!(by_rest.header("retry-after").is_some());
    twin.abort();
}

#[tokio::test]
async fn a_key_makes_calls_one_wherever_and_however_they_come() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let arguments = json!({"message": "A haiku", "idempotencyKey": "my key"});
    let first = ada.mcp().await.call("generate_prompt", arguments.clone()).await.data().clone();
    let again = ada.mcp().await.call("generate_prompt", arguments).await.data().clone();
    assert_eq!(again, first);
    let by_rest = ada.generate("my key", &json!({"message": "A haiku"})).await;
    assert_eq!(by_rest.data(200), &first);
    let other = json!({"message": "A sonnet", "idempotencyKey": "my key"});
    let error = ada.mcp().await.call("generate_prompt", other).await.tool_error();
    assert_eq!(error["code"], "idempotency_key_reused");
}

#[tokio::test]
async fn quotas_hold_and_are_told_to_the_model() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp().await;
    for _ in 0..20 {
        client.call("generate_prompt", json!({"message": "A haiku"})).await.data();
    }
    world.store.set_plan(ada.id, Plan::Free).await.expect("storage");
    let error = client.call("generate_prompt", json!({"message": "A haiku"})).await.tool_error();
    assert_eq!(error["code"], "credits_exhausted");
    assert!(error.get("retryAfterSeconds").is_none(), "{error}");
    assert!(error["message"].to_string().contains("2026-04-01T00:00:00.000Z"), "{error}");
    let item = json!({
        "title": "A trip", "promptText": "Plan a trip.", "recommendedModels": ["Universal"],
        "category": "Travel",
    });
    let id = client.call("create_library_item", item).await.data()["id"].clone();
    let error = client.call("publish_library_item", json!({ "id": id })).await.tool_error();
    assert_eq!(error["code"], "plan_required");
}

#[tokio::test]
async fn events_of_operations_are_delivered_whoever_started_them() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let receiver = Receiver::start().await;
    ada.create_endpoint(&receiver.url, &["operation.succeeded"]).await;
    let client = ada.mcp().await;
    let made = client.call("generate_prompt", json!({"message": "A haiku"})).await.data().clone();
    world.deliver_all().await;
    let arrivals = receiver.received();
    assert_eq!(arrivals.len(), 1);
    assert_eq!(arrivals[0].event()["data"]["operationId"], made["operationId"]);
}

#[tokio::test]
async fn a_deferred_call_is_polled_or_cancelled() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp().await;
    let later = json!({"message": "A haiku", "respondAsync": true});
    let accepted = client.call("generate_prompt", later.clone()).await.data().clone();
    assert_eq!(accepted["status"], "PENDING");
    let poll = json!({"id": accepted["operationId"]});
    assert_eq!(client.call("get_operation", poll.clone()).await.data()["status"], "PENDING");
    world.process().await;
    let done = client.call("get_operation", poll.clone()).await.data().clone();
    assert_eq!(done["status"], "SUCCEEDED");
    assert!(done["result"]["prompt"].is_string());
    let late = client.call("cancel_operation", poll).await.tool_error();
    assert_eq!(late["code"], "operation_not_cancellable");
    let accepted = client.call("generate_prompt", later).await.data().clone();
    let cancel = json!({"id": accepted["operationId"]});
    assert_eq!(client.call("cancel_operation", cancel).await.data()["status"], "CANCELLED");
}

#[tokio::test]
async fn a_call_that_takes_too_long_says_where_its_operation_can_be_found() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp().await;
    world.engine.set(Behavior::Hangs);
    let calling = client.call("generate_prompt", json!({"message": "A haiku"}));
    let told = world.advancing_time(calling).await.data().clone();
    assert_eq!(told["status"], "RUNNING");
    world.engine.set(Behavior::Works);
    world.process_everything().await;
    let read = client.call("get_operation", json!({"id": told["operationId"]})).await;
    assert_eq!(read.data()["status"], "SUCCEEDED");
}

#[tokio::test]
async fn a_provider_that_fails_is_told_to_the_model_and_costs_nothing() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let wait = Some(Duration::from_secs(17));
    world.engine.set(Behavior::Fails(EngineError::Unavailable { retry_after: wait }));
    let client = ada.mcp().await;
    let message = client.calling("generate_prompt", json!({"message": "A haiku"}));
    let error = client.send(&message).await.tool_error();
    assert_eq!(error["code"], "provider_unavailable");
    assert_eq!(error["retryAfterSeconds"], 17);
    assert_eq!(ada.usage().await["credits"]["used"], 0);
    world.engine.set(Behavior::Works);
    // The failure has released the message's key.
    client.send(&message).await.data();
}

#[tokio::test]
async fn a_client_that_hangs_up_loses_nothing() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp().await;
    world.engine.set(Behavior::Hangs);
    let message = client.calling("generate_prompt", json!({"message": "A haiku"}));
    let request = client.posting(&message);
    let sending = tokio::spawn(async move { request.send().await.is_ok() });
    world.until(|| world.engine.asked() == 1).await;
    sending.abort();
    world.engine.set(Behavior::Works);
    world.process_everything().await;
    assert!(client.send(&message).await.data()["prompt"].is_string());
    assert_eq!(ada.usage().await["credits"]["used"], 1);
}

#[tokio::test]
async fn an_account_is_made_by_its_subjects_first_message() {
    let world = World::start().await;
    let new = world.subject("never seen", domain::Scopes::ALL);
    let client = new.mcp_before_anything(WITH_SESSIONS);
    let usage = client.call("get_usage", json!({})).await.data().clone();
    assert_eq!(usage["plan"], "free");
    assert_eq!(new.generate(&fresh_key(), &json!({"message": "A haiku"})).await.status, 200);
}

#[tokio::test]
async fn an_outage_is_the_answer_of_the_request_and_not_a_result() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Max).await;
    let client = ada.mcp().await;
    world.faults.inject("UpdateItem", Fault::Unreachable, 50);
    let reply = client.call("get_usage", json!({})).await;
    assert_eq!(reply.status, 500, "{:?}", reply.messages);
    assert_eq!(reply.messages[0]["error"]["code"], "internal_error", "{:?}", reply.messages);
}
