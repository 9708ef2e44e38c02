//! The operator's monthly budget for language models.

use std::{sync::Arc, time::Duration};

use acceptance::{
    Account, Answer, World,
    account::fresh_key,
    scripted_model::{ScriptedModel, Sent, answered, refinement},
};
use domain::{Plan, TokenUsage};
use engine::{Engine, Fallback};
use llm::provider::Completion;
use rules::Rules;
use serde_json::{Value, json};

const FEEDBACK: &str = "Make it about snow.";

fn body() -> Value {
    json!({"prompt": "Write a haiku about rain.", "feedback": FEEDBACK})
}

fn good() -> Sent {
    answered(refinement(FEEDBACK, "Write a haiku about snow."))
}

async fn refine(world: &World, account: &Account, key: &str) -> Answer {
    world.advancing_time(account.post("/prompts/refine", key, &body())).await
}

/// A good answer that costs more than the budget.
fn dear() -> Sent {
    let usage = TokenUsage { requests: 1, output_tokens: 10_000, ..TokenUsage::default() };
    good().map(|completion| Completion { usage, ..completion })
}

/// Has an account of its own spend the budget, with a model that has further good answers.
async fn spent(world: &World) -> Account {
    world.engine.replace(ScriptedModel::new("openai", [dear(), good(), good()]).engine(world));
    let account = world.account(Plan::Pro).await;
    refine(world, &account, &fresh_key()).await.data(200);
    world.account(Plan::Pro).await
}

#[tokio::test]
async fn a_spent_budget_is_a_503_with_the_reason_for_every_account() {
    let world = World::start().await;
    let account = spent(&world).await;
    let refused = refine(&world, &account, "k").await;
    refused.is_error(503, "provider_unavailable");
    let message = refused.body["error"]["message"].as_str().expect("a message");
    assert!(message.contains("budget for language models is spent"), "{message}");
    assert!(message.contains("2026-04-01T00:00:00.000Z"), "{message}");
    assert_eq!(refused.header("retry-after"), Some("3600"));
    let usage = account.usage().await;
    assert_eq!((&usage["credits"]["used"], &usage["credits"]["held"]), (&json!(0), &json!(0)));
    assert_eq!(usage["models"], json!([]), "nobody was asked");
}

#[tokio::test]
async fn a_deferred_operation_fails_with_the_reason() {
    let world = World::start().await;
    let account = spent(&world).await;
    let accepted = account.post_async("/prompts/refine", "k", &body()).await.data(202).clone();
    world.process_everything().await;
    let path = format!("/operations/{}", accepted["id"].as_str().expect("an id"));
    let operation = account.get(&path).await.data(200).clone();
    assert_eq!(operation["status"], "FAILED");
    let message = operation["error"]["message"].as_str().expect("a message");
    assert!(message.contains("budget for language models is spent"), "{message}");
}

#[tokio::test]
async fn the_rules_answer_if_they_are_in_the_list() {
    let world = World::start().await;
    let account = spent(&world).await;
    let model = ScriptedModel::new("openai", [good()]).engine(&world);
    let engines: Vec<Arc<dyn Engine>> = vec![Arc::new(model), Arc::new(Rules)];
    world.engine.replace(Fallback::new(engines, world.clock.clone()));
    let made = refine(&world, &account, "k").await.data(200).clone();
    assert_eq!(made["engine"], json!({"name": "rules", "kind": "rules", "model": null}));
}

#[tokio::test]
async fn the_next_month_has_a_budget_of_its_own() {
    let world = World::start().await;
    let account = spent(&world).await;
    refine(&world, &account, "k").await.is_error(503, "provider_unavailable");
    world.clock.advance(Duration::from_secs(33 * 43_200));
    let made = refine(&world, &account, "k").await.data(200).clone();
    assert_eq!(made["engine"]["name"], "openai");
}

#[tokio::test]
async fn a_budget_is_read_in_one_call_and_only_if_there_is_a_model() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    account.post("/prompts/refine", &fresh_key(), &body()).await.data(200);
    assert_eq!(world.faults.count("BatchGetItem"), 0, "the rules cost nothing");
    world.engine.replace(ScriptedModel::new("openai", [good()]).engine(&world));
    account.post_async("/prompts/refine", &fresh_key(), &body()).await.data(202);
    world.faults.reset();
    world.process().await;
    assert_eq!(world.faults.count("BatchGetItem"), 1);
}
