//! Information, models, capabilities and usage.

use acceptance::account::fresh_key;
use domain::Plan;
use serde_json::json;

use crate::host;

#[tokio::test]
async fn the_service_says_what_it_is_and_that_it_is_well() {
    let host = host().await;
    let info = host.get("").await.data(200).clone();
    assert_eq!(info["version"], "1.0.0");
    assert_eq!(info["openapi"], format!("{}/openapi.json", host.base_url));
    let document = host.document().await;
    assert_eq!(
        (&document["openapi"], &document["info"]["version"]),
        (&json!("3.1.0"), &json!("1.0.0"))
    );
    let health = host.get("/health").await.data(200).clone();
    assert_eq!(health["status"], "available");
    assert_eq!(health["checks"], json!({"api": "available", "database": "available"}));
}

#[tokio::test]
async fn models_and_capabilities_are_told() {
    let host = host().await;
    let account = host.account().await;
    let models = account.get("/models").await.data(200).clone();
    assert_eq!(models["items"].as_array().map(Vec::len), Some(37));
    assert_eq!(models["default"], "Universal");
    let capabilities = account.get("/capabilities").await.data(200).clone();
    assert_eq!(capabilities["plan"], "max");
    assert_eq!(capabilities["scopes"].as_array().map(Vec::len), Some(18));
    assert_eq!(capabilities["credential"]["type"], "api_key");
    assert_eq!(capabilities["apiVersion"], "1.0.0");
}

#[tokio::test]
async fn the_books_balance_to_the_credit() {
    let host = host().await;
    let Some(account) = host.on_plan(Plan::Pro).await else { return };
    let goal = json!({"message": "A packing list for Iceland"});
    account.made("/prompts/generate", &goal).await;
    account.made("/prompts/analyze-and-optimize", &json!({"prompt": "Write about the sea"})).await;
    account.generate(&fresh_key(), &json!({"message": ""})).await.is_error(400, "invalid_request");
    let key = fresh_key();
    account.generate(&key, &goal).await.data(200);
    account.generate(&key, &goal).await.data(200);
    let accepted = account.generate_async(&fresh_key(), &goal).await.data(202).clone();
    account.ended(accepted["id"].as_str().expect("an id")).await;
    let usage = account.usage().await;
    assert_eq!(usage["plan"], "pro");
    assert_eq!(usage["credits"], json!({"limit": 500, "used": 5, "held": 0, "remaining": 495}));
    assert_eq!(usage["operations"]["running"], 0);
    assert_eq!(usage["operations"]["byKind"]["generatePrompt"], 3);
    assert_eq!(usage["operations"]["byKind"]["analyzeAndOptimizePrompt"], 1);
    assert_eq!(usage["rateLimit"]["limit"], 60);
}

#[tokio::test]
async fn credits_run_out_and_running_operations_are_counted() {
    let host = host().await;
    let Some(account) = host.on_plan(Plan::Free).await else { return };
    let goal = json!({"message": "A haiku about rain"});
    for _ in 0..20 {
        account.made("/prompts/generate", &goal).await;
    }
    let exhausted = account.generate(&fresh_key(), &goal).await;
    exhausted.is_error(429, "credits_exhausted");
    assert!(exhausted.header("retry-after").is_none());
    host.assert_documented("generatePrompt", &exhausted).await;
}
