//! Long calls tell how they go, if they are asked to.

use acceptance::{World, scripted_engine::Behavior};
use domain::{Plan, Scope, Scopes};
use engine::EngineError;
use serde_json::{Value, json};
use store::admission::Limits;

use super::subject;

fn with_progress(mut message: Value) -> Value {
    message["params"]["_meta"]["progressToken"] = "p-1".into();
    message
}

#[tokio::test]
async fn start_and_end_of_an_operation_are_notified_before_its_result() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let message = client.calling("generate_prompt", json!({"message": "A haiku"}));
    let quiet = client.send(&message).await;
    assert_eq!(quiet.header("content-type"), Some("application/json"));
    let asked = with_progress(client.calling("generate_prompt", json!({"message": "A haiku"})));
    let answer = client.send(&asked).await;
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let operation = answer.data()["operationId"].as_str().expect("an id").to_owned();
    assert_eq!(answer.messages.len(), 3, "{:?}", answer.messages);
    for (told, (step, what)) in
        answer.messages.iter().zip([(1.0, "has begun"), (2.0, "has succeeded")])
    {
        assert_eq!(told["method"], "notifications/progress");
        let params = &told["params"];
        assert_eq!(params["progressToken"], "p-1");
        assert_eq!(
            (params["progress"].as_f64(), params["total"].as_f64()),
            (Some(step), Some(2.0))
        );
        assert_eq!(params["message"], format!("Operation {operation} {what}."));
    }
}

#[tokio::test]
async fn notifications_have_the_token_that_was_sent_an_integer_however_it_is_written() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let mut asked = with_progress(client.calling("generate_prompt", json!({"message": "A haiku"})));
    asked["params"]["_meta"]["progressToken"] = json!(7.0);
    let answer = client.send(&asked).await;
    assert_eq!(answer.messages.len(), 3, "{:?}", answer.messages);
    assert_eq!(answer.messages[0]["params"]["progressToken"], 7);
}

#[tokio::test]
async fn the_beginning_is_told_while_the_engine_still_works() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    world.engine.set(Behavior::Hangs);
    let asked = with_progress(client.calling("generate_prompt", json!({"message": "A haiku"})));
    let mut response = client.posting(&asked).send().await.expect("the service answers");
    let first = response.chunk().await.expect("a chunk").expect("a chunk");
    let first = String::from_utf8_lossy(&first).into_owned();
    assert!(first.contains("has begun"), "{first}");
    let rest = async {
        let mut rest = String::new();
        while let Some(chunk) = response.chunk().await.expect("a chunk") {
            rest.push_str(&String::from_utf8_lossy(&chunk));
        }
        rest
    };
    let rest = world.advancing_time(rest).await;
    assert!(rest.contains("goes on without this call"), "{rest}");
    assert!(rest.contains("RUNNING"), "{rest}");
}

#[tokio::test]
async fn nothing_is_told_of_what_never_begins() {
    let world = World::with_limits(Limits::Lifted).await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    for (tool, arguments) in [
        ("generate_prompt", json!({})),
        ("generate_prompt", json!({"message": "A haiku", "respondAsync": true})),
        ("list_models", json!({})),
    ] {
        let answer = client.send(&with_progress(client.calling(tool, arguments))).await;
        assert_eq!(answer.header("content-type"), Some("application/json"), "{tool}");
    }
    let narrow = world.subject("ada", Scopes::from_iter([Scope::UsageRead])).mcp().await;
    let asked = with_progress(narrow.calling("generate_prompt", json!({"message": "A haiku"})));
    narrow.send(&asked).await.is_refused(403, "insufficient_scope");
}

#[tokio::test]
async fn a_failure_is_told_as_the_end() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let reason = "it is about the sea".to_owned();
    world.engine.set(Behavior::Fails(EngineError::Rejected { reason }));
    let asked = with_progress(client.calling("generate_prompt", json!({"message": "A haiku"})));
    let answer = client.send(&asked).await;
    assert_eq!(answer.tool_error()["code"], "content_rejected");
    let last = answer.messages.iter().rev().nth(1).expect("progress");
    assert!(last["params"]["message"].as_str().is_some_and(|text| text.ends_with("has failed.")));
}
