//! The tokens of language models, summed for an account and a month.

use std::time::Duration;

use acceptance::{
    Account, Answer, World,
    account::fresh_key,
    fault_injection::CrashPoint,
    scripted_model::{ScriptedModel, answered, refinement, wasted},
};
use domain::Plan;
use futures::future::join_all;
use llm::provider::ProviderError;
use serde_json::{Value, json};

const FEEDBACK: &str = "Make it about snow.";

fn body() -> Value {
    json!({"prompt": "Write a haiku about rain.", "feedback": FEEDBACK})
}

async fn refine(world: &World, account: &Account, key: &str) -> Answer {
    world.advancing_time(account.post("/prompts/refine", key, &body())).await
}

/// A model of `provider` with so many good answers.
fn model(provider: &'static str, answers: usize) -> ScriptedModel {
    let good = answered(refinement(FEEDBACK, "Write a haiku about snow."));
    ScriptedModel::new(provider, vec![good; answers])
}

/// The sums of so many answers of a model.
fn sums(provider: &str, answers: u64, cost: Value) -> Value {
    json!({
        "engine": provider,
        "model": "scripted-1",
        "requests": answers,
        "inputTokens": 1_000 * answers,
        "cachedInputTokens": 800 * answers,
        "cacheWriteTokens": 100 * answers,
        "outputTokens": 200 * answers,
        "cost": cost,
    })
}

async fn models(account: &Account) -> Value {
    account.usage().await["models"].clone()
}

#[tokio::test]
async fn usage_sums_the_tokens_of_each_model_with_their_cost_if_it_has_a_price() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    assert_eq!(models(&account).await, json!([]));
    world.engine.replace(model("openai", 2).engine(&world));
    for _ in 0..2 {
        refine(&world, &account, &fresh_key()).await.data(200);
    }
    world.engine.replace(model("anthropic", 1).engine(&world));
    refine(&world, &account, &fresh_key()).await.data(200);
    // 100 tokens at $2 a million, 800 at $0.50, 100 at $2.50 and 200 at $8, twice.
    let expected = [sums("anthropic", 1, Value::Null), sums("openai", 2, json!(0.0049))];
    assert_eq!(models(&account).await, json!(expected));
    let other = world.account(Plan::Pro).await;
    assert_eq!(models(&other).await, json!([]), "another account's");
}

#[tokio::test]
async fn an_operation_that_fails_counts_and_a_replay_does_not() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let refused = ScriptedModel::new("openai", [wasted(ProviderError::Refused)]);
    world.engine.replace(refused.engine(&world));
    refine(&world, &account, "k").await.is_error(400, "content_rejected");
    assert_eq!(models(&account).await[0]["requests"], 1);
    world.engine.replace(model("openai", 1).engine(&world));
    for _ in 0..3 {
        refine(&world, &account, "k").await.data(200);
    }
    world.process_everything().await;
    assert_eq!(models(&account).await[0]["requests"], 2);
}

#[tokio::test]
async fn operations_that_end_at_once_are_all_counted() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    world.engine.replace(model("openai", 8).engine(&world));
    let calls = (0..8).map(|_| async {
        account.post("/prompts/refine", &fresh_key(), &body()).await.data(200);
    });
    world.advancing_time(join_all(calls)).await;
    assert_eq!(models(&account).await[0]["requests"], 8);
}

#[tokio::test]
async fn a_call_that_crashes_at_any_point_counts_each_operation_once() {
    let mut counted = 0;
    for after in 0..12 {
        for call_arrives in [false, true] {
            let mut world = World::start().await;
            let account = world.account(Plan::Max).await;
            world.engine.replace(model("openai", 3).engine(&world));
            world.faults.crash(CrashPoint { after, call_arrives });
            let body = body();
            let call = account.post_async("/prompts/refine", "k", &body);
            let _ = world.faults.or_crash(call).await;
            let _ = world.faults.or_crash(world.process()).await;
            world.restart();
            world.process_everything().await;
            let listed = account.get("/operations").await.data(200).clone();
            let operations = listed["items"].as_array().expect("a list");
            let models = models(&account).await;
            let requests = models[0]["requests"].as_u64().unwrap_or(0) as usize;
            assert_eq!(
                requests,
                operations.len(),
                "after {after}, arrives {call_arrives}: {models}"
            );
            counted += requests;
        }
    }
    assert!(counted >= 14, "{counted} operations have ended");
}

#[tokio::test]
async fn a_month_begins_without_tokens_and_keeps_those_of_operations_that_it_began_with() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.replace(model("openai", 2).engine(&world));
    world.clock.advance(Duration::from_secs(16 * 86_400 + 43_195));
    account.post_async("/prompts/refine", &fresh_key(), &body()).await.data(202);
    world.clock.advance(Duration::from_secs(10));
    account.post_async("/prompts/refine", &fresh_key(), &body()).await.data(202);
    world.process_everything().await;
    assert_eq!(models(&account).await[0]["requests"], 1, "the other one was accepted last month");
}

#[tokio::test]
async fn an_operation_that_asks_no_model_writes_no_sums() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    refine(&world, &account, &fresh_key()).await.data(200);
    world.faults.reset();
    refine(&world, &account, &fresh_key()).await.data(200);
    let by_rules = world.faults.units("TransactWriteItems");
    world.engine.replace(model("openai", 2).engine(&world));
    refine(&world, &account, &fresh_key()).await.data(200);
    world.faults.reset();
    refine(&world, &account, &fresh_key()).await.data(200);
    assert_eq!(world.faults.count("TransactWriteItems"), 2, "start and end");
    let by_model = world.faults.units("TransactWriteItems");
    assert!(by_model <= by_rules + 4.0, "{by_model} units, {by_rules} by the rules");
}
