//! Calls that wait for a language model: the processor asks it, once.

use std::time::Duration;

use acceptance::{
    Account, Answer, World,
    account::fresh_key,
    scripted_engine::Behavior,
    scripted_model::{ScriptedModel, answered, refinement},
};
use domain::Plan;
use engine::EngineError;
use futures::future::join;
use serde_json::{Value, json};

use crate::mcp::subject;

const FEEDBACK: &str = "Make it about snow.";
const REFINE: &str = "/prompts/refine";

fn body() -> Value {
    json!({"prompt": "Write a haiku about rain.", "feedback": FEEDBACK})
}

async fn refine(account: &Account) -> Answer {
    account.post(REFINE, "k", &body()).await
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A service with a language model that takes so long from now.
async fn asking(model_takes: Duration) -> (World, Account) {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    asks(&world, model_takes);
    (world, account)
}

fn asks(world: &World, model_takes: Duration) {
    let good = answered(refinement(FEEDBACK, "Write a haiku about snow."));
    world.engine.replace(ScriptedModel::new("openai", vec![good; 4]).engine(world));
    world.engine.set(Behavior::WorksAt(world.clock.clone(), world.now() + model_takes));
}

/// The answer to a call, while the processor receives its message as soon as it is sent.
async fn processed<T>(world: &World, call: impl Future<Output = T>) -> T {
    world.faults.reset();
    let processor = async {
        world.until(|| world.faults.count("SendMessage") == 1).await;
        assert_eq!(world.process().await, 1, "the message has no delay");
    };
    world.advancing_time(join(call, processor)).await.0
}

#[tokio::test]
async fn a_model_that_takes_longer_than_the_call_is_asked_once() {
    let (world, account) = asking(seconds(30)).await;
    let arrived = world.now();
    let call = async {
        let answer = refine(&account).await;
        let took = world.now().since(arrived);
        let again = refine(&account).await;
        (answer, took, again)
    };
    let (answer, took, again) = processed(&world, call).await;
    answer.is_error(503, "provider_timeout");
    assert!(answer.header_number("retry-after") >= 1);
    assert!((seconds(25)..seconds(26)).contains(&took), "{took:?}");
    again.is_error(409, "idempotency_in_progress");
    assert!(world.now().since(arrived) >= seconds(30), "the processor has worked on");

    let result = refine(&account).await;
    assert_eq!(result.data(200)["engine"]["name"], "openai");
    assert_eq!(result.header("idempotent-replayed"), Some("true"));
    world.process_everything().await;
    assert_eq!(world.engine.asked(), 1);
    assert_eq!(account.usage().await["credits"]["used"], 1);
}

#[tokio::test]
async fn a_call_is_answered_soon_after_the_processor_has_the_result() {
    let (world, account) = asking(seconds(0)).await;
    world.engine.replace(rules::Rules);
    let optimized = account
        .post("/prompts/optimize", &fresh_key(), &json!({"prompt": "Write about the sea."}))
        .await
        .data(200)
        .clone();
    world.process_everything().await;
    let id = optimized["optimizationId"].as_str().expect("an id");
    let of_version = json!({
        "feedback": FEEDBACK,
        "sourceVersionId": optimized["versions"][0]["versionId"],
    });
    for (path, body) in
        [(REFINE.to_owned(), body()), (format!("/optimizations/{id}/refinements"), of_version)]
    {
        asks(&world, seconds(4));
        let arrived = world.now();
        let asked = world.engine.asked();
        let answer = processed(&world, account.post(&path, &fresh_key(), &body)).await;
        let made = answer.data(200);
        assert_eq!(made["engine"]["name"], "openai");
        assert_eq!(answer.header("idempotent-replayed"), None);
        let took = world.now().since(arrived);
        assert!((seconds(4)..seconds(5)).contains(&took), "{path}: {took:?}");
        assert_eq!(world.engine.asked(), asked + 1);
        let of_operation = format!("/operations/{}", made["operationId"].as_str().expect("an id"));
        assert_eq!(&account.get(&of_operation).await.data(200)["result"], made);
        world.process_everything().await;
    }
}

#[tokio::test]
async fn a_tool_waits_for_the_processor_too() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    asks(&world, seconds(10));
    let made = processed(&world, client.call("refine_prompt", body())).await;
    assert_eq!(made.data()["engine"]["name"], "openai");
    assert_eq!(world.engine.asked(), 1);
}

#[tokio::test]
async fn a_waiting_operation_is_running_from_its_start_and_cannot_be_cancelled() {
    let (world, account) = asking(seconds(3)).await;
    let call = refine(&account);
    let looked = async {
        world.until(|| world.faults.count("TransactWriteItems") == 1).await;
        let listed = account.get("/operations").await.data(200)["items"][0].clone();
        let path = format!("/operations/{}", listed["id"].as_str().expect("an id"));
        (listed, account.delete(&path).await)
    };
    world.faults.reset();
    let (answer, (listed, cancelled)) = world.advancing_time(join(call, looked)).await;
    assert_eq!(listed["status"], "RUNNING");
    assert!(listed["startedAt"].is_string());
    assert_eq!(cancelled.status, 409, "{}", cancelled.body);
    answer.data(200);
}

#[tokio::test]
async fn a_failure_is_answered_with_its_pause_and_frees_the_key() {
    let (world, account) = asking(seconds(0)).await;
    let retry_after = Some(seconds(77));
    world.engine.set(Behavior::Fails(EngineError::Unavailable { retry_after }));
    let failed = processed(&world, refine(&account)).await;
    failed.is_error(503, "provider_unavailable");
    assert_eq!(failed.header("retry-after"), Some("77"));
    assert_eq!(account.usage().await["credits"]["used"], 0);
    let operation = account.get("/operations").await.data(200)["items"][0].clone();
    assert_eq!(operation["error"].as_object().expect("an error").len(), 2, "code and message");
    world.process_everything().await;
    asks(&world, seconds(0));
    let again = processed(&world, refine(&account)).await;
    assert_eq!(again.data(200)["engine"]["name"], "openai");
}

#[tokio::test]
async fn without_a_processor_the_call_asks_the_model_itself_after_two_seconds() {
    let (world, account) = asking(seconds(10)).await;
    let arrived = world.now();
    let late_processor = async {
        world.until(|| world.engine.asked() == 1).await;
        let began = world.now().since(arrived);
        assert_eq!(world.process().await, 1);
        began
    };
    let call = refine(&account);
    let (answer, began) = world.advancing_time(join(call, late_processor)).await;
    answer.data(200);
    assert!((seconds(2)..seconds(3)).contains(&began), "{began:?}");
    world.process_everything().await;
    assert_eq!(world.engine.asked(), 1);
}

#[tokio::test]
async fn a_call_and_a_processor_that_begin_at_once_ask_once() {
    for millis in (1_500..2_500).step_by(125) {
        let (world, account) = asking(seconds(6)).await;
        let begin = world.now() + Duration::from_millis(millis);
        let processor = async {
            domain::Clock::sleep_until(&*world.clock, begin).await;
            world.process().await
        };
        let call = refine(&account);
        world.advancing_time(join(call, processor)).await.0.data(200);
        world.process_everything().await;
        assert_eq!(world.engine.asked(), 1, "a processor after {millis} ms");
    }
}

/// A call whose process dies once its operation is recorded.
async fn crashed(world: &mut World, account: &Account) {
    world.faults.reset();
    let calling = tokio::spawn({
        let account = account.clone();
        async move { refine(&account).await }
    });
    world.until(|| world.faults.count("TransactWriteItems") == 1).await;
    calling.abort();
    world.restart();
}

#[tokio::test]
async fn the_processor_goes_on_when_the_calls_process_has_died() {
    let (mut world, account) = asking(seconds(30)).await;
    crashed(&mut world, &account).await;
    assert_eq!(world.advancing_time(world.process()).await, 1);
    let answer = refine(&account).await;
    assert_eq!(answer.data(200)["engine"]["name"], "openai");
    assert_eq!(answer.header("idempotent-replayed"), Some("true"));
    assert_eq!(world.engine.asked(), 1);
}

#[tokio::test]
async fn a_retry_asks_the_model_if_nobody_has_begun_what_a_dead_call_started() {
    let (mut world, account) = asking(seconds(0)).await;
    crashed(&mut world, &account).await;
    refine(&account).await.is_error(409, "idempotency_in_progress");
    world.clock.advance(seconds(5));
    let answer = world.advancing_time(refine(&account)).await;
    assert_eq!(answer.data(200)["engine"]["name"], "openai");
    world.process_everything().await;
    assert_eq!(world.engine.asked(), 1);
}

#[tokio::test]
async fn a_wait_reads_fifteen_units_at_most() {
    let (world, account) = asking(seconds(30)).await;
    let counted = async {
        // What the processor reads before the model is not the wait's.
        world.until(|| world.engine.asked() == 1).await;
        world.faults.reset();
    };
    let call = async {
        refine(&account).await.is_error(503, "provider_timeout");
        (world.faults.count("BatchGetItem"), world.faults.units("BatchGetItem"))
    };
    let (looks, units) = processed(&world, async { join(call, counted).await.0 }).await;
    assert!((25..=30).contains(&looks), "{looks} looks");
    assert!(units <= 15.0, "{units} units in {looks} looks");
}
