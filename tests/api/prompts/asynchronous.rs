use acceptance::{Answer, World, account::fresh_key, scripted_engine::Behavior};
use domain::Plan;
use engine::EngineError;
use serde_json::json;

#[tokio::test]
async fn an_accepted_operation_is_polled_to_its_result() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let goal = json!({"message": "Plan a three-day trip to Lisbon"});
    let accepted = account.generate_async(&fresh_key(), &goal).await;
    let operation = accepted.data(202);
    let id = operation["id"].as_str().expect("an id");
    assert_eq!(accepted.header("preference-applied"), Some("respond-async"));
    let address = format!("{}/operations/{id}", world.base_url);
    assert_eq!(accepted.header("location"), Some(address.as_str()));
    assert_eq!(
        *operation,
        json!({
            "id": id, "kind": "generatePrompt", "status": "PENDING",
            "createdAt": "2026-03-15T12:00:00.000Z", "startedAt": null, "completedAt": null,
            "expiresAt": "2026-06-13T12:00:00.000Z", "creditsUsed": 0,
            "result": null, "resultExpiresAt": null, "error": null,
        })
    );
    let path = format!("/operations/{id}");
    assert_eq!(account.get(&path).await.data(200), operation);
    world.clock.advance(std::time::Duration::from_secs(2));
    assert_eq!(world.process().await, 1);
    let done = account.get(&path).await.data(200).clone();
    assert_eq!(done["status"], "SUCCEEDED");
    assert_eq!(done["startedAt"], "2026-03-15T12:00:02.000Z");
    assert_eq!(done["completedAt"], "2026-03-15T12:00:02.000Z");
    assert_eq!(done["resultExpiresAt"], "2026-03-16T12:00:02.000Z");
    assert_eq!(done["creditsUsed"], 1);
    assert_eq!(done["result"]["operationId"], id);
    assert!(done["result"]["prompt"].as_str().is_some_and(|prompt| prompt.contains("Lisbon")));
}

#[tokio::test]
async fn respond_async_alone_is_the_only_preference() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let preferring = async |preferences: &[&str]| {
        let request = account.generate_request(&fresh_key(), &json!({"message": "A haiku"}));
        let add = |request: reqwest::RequestBuilder, value: &&str| request.header("Prefer", *value);
        Answer::to(preferences.iter().fold(request, add)).await
    };
    let refused: [&[&str]; 10] = [
        &["wait=10"],
        &["respond-async, wait=10"],
        &["respond-async", "wait=10"],
        &["respond-async, respond-async"],
        &["respond-async", "respond-async"],
        &["respond-async=1"],
        &["respond-async;a"],
        &["return=minimal"],
        &["handling=strict"],
        &[""],
    ];
    for preferences in refused {
        let answer = preferring(preferences).await;
        let error = answer.is_error(400, "invalid_request");
        let problem = json!([{"path": "header.Prefer", "message": "must be respond-async"}]);
        assert_eq!(error["details"], problem, "{preferences:?}");
    }
    let accepted = preferring(&["Respond-Async"]).await;
    assert_eq!(accepted.data(202)["status"], "PENDING");
    let direct = account.generate(&fresh_key(), &json!({"message": "A haiku"})).await;
    direct.data(200);
    assert_eq!(direct.header("preference-applied"), None);
    assert_eq!(world.engine.asked(), 1);
}

#[tokio::test]
async fn sync_and_async_give_the_same_result() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let goal = json!({"message": "Explain compound interest to a ten-year-old"});
    let sync = account.generate(&fresh_key(), &goal).await.data(200).clone();
    account.generate_async(&fresh_key(), &goal).await.data(202);
    world.process().await;
    let listed = account.get("/operations?limit=1").await.data(200).clone();
    let id = listed["items"][0]["id"].as_str().expect("an id");
    let read = account.get(&format!("/operations/{id}")).await.data(200).clone();
    let strip = |result: &serde_json::Value| {
        let mut result = result.clone();
        let object = result.as_object_mut().expect("an object");
        object.retain(|field, _| {
            !["operationId", "generationId", "versionId"].contains(&field.as_str())
        });
        result
    };
    assert_eq!(strip(&read["result"]), strip(&sync));
}

#[tokio::test]
async fn a_failure_is_told_by_the_operation_and_costs_nothing() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.set(Behavior::Fails(EngineError::Rejected { reason: "it is empty".to_owned() }));
    let goal = json!({"message": "A haiku"});
    let accepted = account.generate_async(&fresh_key(), &goal).await;
    let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
    world.process().await;
    let failed = account.get(&path).await.data(200).clone();
    assert_eq!(failed["status"], "FAILED");
    assert_eq!(failed["error"]["code"], "content_rejected");
    assert!(failed["error"]["message"].as_str().is_some_and(|text| text.contains("it is empty")));
    assert_eq!(failed["result"], json!(null));
    assert_eq!(failed["resultExpiresAt"], json!(null));
    assert_eq!(failed["creditsUsed"], 0);
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 500, "used": 0, "held": 0, "remaining": 500}));
    assert_eq!(usage["operations"]["running"], 0);
}
