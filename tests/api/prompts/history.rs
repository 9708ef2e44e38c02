use acceptance::{World, account::fresh_key};
use domain::{GenerationId, Plan};
use serde_json::json;

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
    let id: GenerationId = first["generationId"].as_str().expect("an id").parse().expect("ours");
    let stored = world.store.generation(account.id, id).await.expect("storage").expect("kept");
    let versions: Vec<_> = stored.versions.iter().map(ToString::to_string).collect();
    assert_eq!(
        versions,
        [first["versionId"].as_str(), second["versionId"].as_str()].map(|id| id.expect("an id"))
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
    let id: GenerationId = first["generationId"].as_str().expect("an id").parse().expect("ours");
    let stored = world.store.generation(account.id, id).await.expect("storage").expect("kept");
    for answer in [&a, &b] {
        let version = answer.data(200)["versionId"].as_str().expect("an id");
        assert!(stored.versions.iter().any(|id| id.to_string() == version));
    }
    assert_eq!(stored.versions.len(), 3);
}

#[tokio::test]
async fn a_failed_operation_leaves_no_history() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.set(acceptance::scripted::Mood::Fails(engine::EngineError::Unavailable {
        retry_after: None,
    }));
    let answer = account.generate(&fresh_key(), &json!({"message": "A haiku"})).await;
    answer.is_error(503, "provider_unavailable");
    let listed = account.get("/operations").await;
    let id = listed.data(200)["items"][0]["id"].as_str().expect("an id").to_owned();
    let generation = GenerationId::from_unique(&id["op_".len()..]).expect("a ULID");
    let stored = world.store.generation(account.id, generation).await.expect("storage");
    assert_eq!(stored, None);
}
