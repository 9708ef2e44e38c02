use acceptance::World;
use domain::Plan;
use serde_json::{Value, json};

#[tokio::test]
async fn there_are_37_models_and_universal_is_the_default() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let answer = account.get("/models").await;
    let data = answer.data(200);
    let items = data["items"].as_array().expect("a list");
    assert_eq!(items.len(), 37);
    assert_eq!(data["default"], "Universal");
    let of_kind = |kind: &str| items.iter().filter(|model| model["kind"] == kind).count();
    assert_eq!(
        [of_kind("universal"), of_kind("text"), of_kind("image"), of_kind("video")],
        [1, 16, 11, 9]
    );
    for model in items {
        let keys: Vec<_> = model.as_object().expect("an object").keys().cloned().collect();
        assert_eq!(keys, ["name", "kind", "vendor", "guidance"], "{model}");
        assert!(model["guidance"].as_str().is_some_and(|text| text.len() > 20), "{model}");
    }
}

#[tokio::test]
async fn every_listed_name_is_accepted_and_no_other() {
    let world = World::with_limits(store::admission::Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let models = account.get("/models").await.data(200).clone();
    for model in models["items"].as_array().expect("a list") {
        let body = json!({"message": "A red bicycle by the sea", "targetModel": model["name"]});
        let answer = account.generate(&acceptance::account::fresh_key(), &body).await;
        assert_eq!(answer.data(200)["targetModel"], model["name"]);
    }
    for name in ["universal", "GPT-6", "", "Universal "] {
        let body = json!({"message": "A red bicycle", "targetModel": name});
        let answer = account.generate(&acceptance::account::fresh_key(), &body).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), ["/targetModel"]);
    }
    let document: Value = serde_json::from_str(system_document()).expect("JSON");
    let names = &document["components"]["schemas"]["TargetModel"]["enum"];
    assert_eq!(names.as_array().map(Vec::len), Some(37));
}

fn system_document() -> &'static str {
    include_str!("../../../infra/openapi.json")
}
