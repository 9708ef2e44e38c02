use acceptance::{Answer, World, scripted_engine::Behavior};
use domain::Plan;
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn every_answer_carries_one_request_id_in_body_and_header() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let answers = [
        world.get("").await,
        world.get("/health").await,
        world.get("/usage").await,
        world.get("/no/such/route").await,
        account.get("/usage").await,
        account.get("/operations?limit=0").await,
        account.get("/operations/op_unknown").await,
        Answer::to(account.request(Method::PUT, "/usage")).await,
        account.generate("k", &json!({"message": "A haiku"})).await,
    ];
    let mut seen = std::collections::BTreeSet::new();
    for answer in answers {
        let id = answer.header("x-request-id").expect("a request id").to_owned();
        assert!(id.starts_with("req_"), "{id}");
        assert_eq!(answer.body["requestId"], *id, "{}", answer.body);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("strict-transport-security"), None, "it is not https");
        let has_data = answer.body.get("data").is_some();
        assert_ne!(has_data, answer.body.get("error").is_some(), "{}", answer.body);
        assert_eq!(has_data, answer.status.is_success(), "{}", answer.body);
        assert!(seen.insert(id));
    }
}

#[tokio::test]
async fn a_panic_is_an_internal_error_that_tells_nothing() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.engine.set(Behavior::Panics);
    let answer = account.generate("k", &json!({"message": "A haiku"})).await;
    let error = answer.is_error(500, "internal_error");
    assert_eq!(error["message"], "Something went wrong on our side.");
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    world.engine.set(Behavior::Works);
    account.get("/usage").await.data(200);
}

#[tokio::test]
async fn a_storage_failure_tells_nothing_of_the_inside() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    world.faults.inject("UpdateItem", acceptance::fault_injection::Fault::Unreachable, 10);
    let answer = account.get("/usage").await;
    let error = answer.is_error(500, "internal_error").to_string();
    for word in ["table", "dynamo", "Dynamo", "item", "reached"] {
        assert!(!error.contains(word), "{error}");
    }
}
