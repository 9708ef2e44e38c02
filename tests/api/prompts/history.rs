use acceptance::{Account, World, account::fresh_key};
use domain::Plan;
use serde_json::{Value, json};

/// The versions of the generation that a result belongs to, oldest first.
async fn versions(account: &Account, result: &Value) -> Vec<Value> {
    let path = format!("/history/generation/{}", result["generationId"].as_str().expect("an id"));
    let item = account.get(&path).await.data(200).clone();
    let versions = item["versions"].as_array().expect("versions");
    versions.iter().map(|version| version["versionId"].clone()).collect()
}

#[tokio::test]
async fn a_generation_is_continued_by_its_id() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let first = account
        .generate(
            &fresh_key(),
            &json!({"message": "Write a product description for our oak desk, 80 words"}),
        )
        .await
        .data(200)
        .clone();
    let body = json!({
        "message": "Now for parents of schoolchildren",
        "generationId": first["generationId"],
    });
    let second = account.generate(&fresh_key(), &body).await.data(200).clone();
    assert_eq!(second["generationId"], first["generationId"]);
    assert_ne!(second["versionId"], first["versionId"]);
    let prompt = second["prompt"].as_str().expect("text");
    for fact in ["oak desk", "80 words", "parents of schoolchildren"] {
        assert!(prompt.contains(fact), "{fact} in {prompt}");
    }
    assert_eq!(
        versions(&account, &first).await,
        [first["versionId"].clone(), second["versionId"].clone()]
    );
}

#[tokio::test]
async fn two_continuations_at_once_are_both_kept() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "A packing list for Iceland"});
    let first = account.generate(&fresh_key(), &goal).await.data(200).clone();
    let continued =
        |message: &str| json!({"message": message, "generationId": first["generationId"]});
    let (shorter, warmer) = (continued("Make it shorter"), continued("Use a warm tone"));
    let (keys, others) = (fresh_key(), fresh_key());
    let (a, b) =
        tokio::join!(account.generate(&keys, &shorter), account.generate(&others, &warmer));
    let kept = versions(&account, &first).await;
    for answer in [&a, &b] {
        assert!(kept.contains(&answer.data(200)["versionId"]));
    }
    assert_eq!(kept.len(), 3);
}

#[tokio::test]
async fn a_failed_operation_leaves_no_history() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.set(acceptance::scripted_engine::Behavior::Fails(
        engine::EngineError::Unavailable { retry_after: None },
    ));
    let answer = account.generate(&fresh_key(), &json!({"message": "A haiku"})).await;
    answer.is_error(503, "provider_unavailable");
    let listed = account.get("/history?type=generation").await;
    assert_eq!(listed.data(200)["items"], json!([]));
}
