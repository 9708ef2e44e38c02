//! The tokens of language models, with the operations that asked them.

use std::{sync::Arc, time::Duration};

use acceptance::{
    Account, Answer, World,
    account::fresh_key,
    scripted_model::{ScriptedModel, Sent, answered, refinement, wasted},
};
use domain::Plan;
use engine::Fallback;
use llm::provider::ProviderError;
use rules::Rules;
use serde_json::{Value, json};

const FEEDBACK: &str = "Make it about snow.";

/// The request whose good answer is [`good`].
async fn refine(world: &World, account: &Account, key: &str) -> Answer {
    let body = json!({"prompt": "Write a haiku about rain.", "feedback": FEEDBACK});
    world.advancing_time(account.post("/prompts/refine", key, &body)).await
}

fn good() -> Sent {
    answered(refinement(FEEDBACK, "Write a haiku about snow."))
}

/// The tokens of so many answers.
fn tokens(answers: u64) -> Value {
    json!({
        "requests": answers,
        "inputTokens": 1_000 * answers,
        "cachedInputTokens": 800 * answers,
        "cacheWriteTokens": 100 * answers,
        "outputTokens": 200 * answers,
    })
}

fn of_model(engine: &str, answers: u64) -> Value {
    let mut usage = tokens(answers);
    usage["engine"] = engine.into();
    usage["model"] = "scripted-1".into();
    usage
}

async fn newest(account: &Account) -> Value {
    let list = account.get("/operations").await.data(200).clone();
    assert!(list["items"][0].get("modelUsage").is_none(), "lists have none");
    let id = list["items"][0]["id"].as_str().expect("an id").to_owned();
    account.get(&format!("/operations/{id}")).await.data(200).clone()
}

#[tokio::test]
async fn a_result_its_operation_and_its_history_have_the_tokens_of_the_model() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.replace(ScriptedModel::new("openai", [good()]).engine(&world));
    let made = refine(&world, &account, "k").await.data(200).clone();
    assert_eq!(made["engine"]["model"], "scripted-1");
    assert_eq!(made["engine"]["usage"], tokens(1));
    let replayed = refine(&world, &account, "k").await.data(200).clone();
    assert_eq!(replayed["engine"]["usage"], tokens(1), "a replay asks nobody");
    let operation = newest(&account).await;
    assert_eq!(operation["modelUsage"], json!([of_model("openai", 1)]));
    assert_eq!(operation["result"]["engine"]["usage"], tokens(1));
    let id = made["refinementId"].as_str().expect("an id");
    let kept = account.get(&format!("/history/refinement/{id}")).await.data(200).clone();
    assert_eq!(kept["versions"][0]["engine"]["usage"], tokens(1));
}

#[tokio::test]
async fn the_rules_use_no_tokens() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let made = refine(&world, &account, &fresh_key()).await.data(200).clone();
    assert!(made["engine"].get("usage").is_none());
    assert!(newest(&account).await.get("modelUsage").is_none());
}

#[tokio::test]
async fn an_answer_that_is_corrected_counts_twice() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let wrong = answered(json!({"prompt": 1}));
    world.engine.replace(ScriptedModel::new("openai", [wrong, good()]).engine(&world));
    let made = refine(&world, &account, &fresh_key()).await.data(200).clone();
    assert_eq!(made["engine"]["usage"], tokens(2));
    assert_eq!(newest(&account).await["modelUsage"], json!([of_model("openai", 2)]));
}

#[tokio::test]
async fn an_operation_that_fails_has_the_tokens_of_its_useless_answers() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    for error in [ProviderError::Truncated, ProviderError::Refused] {
        let asked = if error == ProviderError::Refused { 1 } else { 2 };
        let useless = [wasted(error.clone()), wasted(error)];
        world.engine.replace(ScriptedModel::new("openai", useless).engine(&world));
        let refused = refine(&world, &account, &fresh_key()).await;
        assert!([400, 503].contains(&refused.status.as_u16()), "{}", refused.body);
        let operation = newest(&account).await;
        assert_eq!(operation["status"], "FAILED");
        assert_eq!(operation["modelUsage"], json!([of_model("openai", asked)]));
        world.clock.advance(Duration::from_secs(1));
    }
}

#[tokio::test]
async fn each_model_of_a_list_has_its_own_tokens() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let useless = || wasted(ProviderError::Truncated);
    let first = ScriptedModel::new("openai", [useless(), useless()]).engine(&world);
    let second = ScriptedModel::new("anthropic", [good()]).engine(&world);
    let engines: Vec<Arc<dyn engine::Engine>> =
        vec![Arc::new(first), Arc::new(second), Arc::new(Rules)];
    world.engine.replace(Fallback::new(engines, world.clock.clone()));
    let made = refine(&world, &account, &fresh_key()).await.data(200).clone();
    assert_eq!(made["engine"]["name"], "anthropic");
    assert_eq!(made["engine"]["usage"], tokens(1), "those of the result");
    let usage = newest(&account).await["modelUsage"].clone();
    assert_eq!(usage, json!([of_model("openai", 2), of_model("anthropic", 1)]));
}
