use acceptance::{Account, World, account::fresh_key, kinds::DIVIDED as PROMPT};
use domain::Plan;
use serde_json::{Value, json};
use store::admission::Limits;

async fn ask(account: &Account, path: &str, body: Value) -> Value {
    account.post(path, &fresh_key(), &body).await.data(200).clone()
}

async fn detail(account: &Account, kind: &str, id: &Value) -> Value {
    let path = format!("/history/{kind}/{}", id.as_str().expect("an id"));
    account.get(&path).await.data(200).clone()
}

#[tokio::test]
async fn a_generation_shows_its_versions_with_their_parents_and_inputs() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "Write a product description for our oak desk", "language": "de"});
    let first = ask(&account, "/prompts/generate", goal).await;
    let next = json!({"message": "Now for parents", "generationId": first["generationId"]});
    let second = ask(&account, "/prompts/generate", next).await;
    let item = detail(&account, "generation", &first["generationId"]).await;
    assert_eq!(item["type"], "generation");
    assert_eq!(item["versionCount"], 2);
    assert_eq!(item["title"], first["title"]);
    assert_eq!(item["input"]["message"], "Write a product description for our oak desk");
    assert_eq!(item["input"]["language"], "de");
    let versions = item["versions"].as_array().expect("versions");
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[0]["versionId"], first["versionId"]);
    assert_eq!(versions[0]["parentVersionId"], Value::Null);
    assert_eq!(versions[1]["parentVersionId"], first["versionId"]);
    assert_eq!(versions[1]["prompt"], second["prompt"]);
    assert_eq!(versions[1]["input"]["message"], "Now for parents");
    assert_eq!(versions[1]["operationId"], second["operationId"]);
    assert_eq!(versions[1]["engine"], second["engine"]);
    assert_eq!(item["refinements"], json!([]));
    assert_eq!(item["analysis"], Value::Null);
}

#[tokio::test]
async fn an_optimization_grows_by_its_id_and_keeps_analysis_versions_and_a_tree_of_refinements() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let body = json!({"prompt": PROMPT, "context": "For our newsletter", "language": "de"});
    let analyzed = ask(&account, "/prompts/analyze", body).await;
    let id = &analyzed["optimizationId"];
    let only_analyzed = detail(&account, "optimization", id).await;
    assert_eq!(only_analyzed["versionCount"], 0);
    assert_eq!(only_analyzed["versions"], json!([]));
    assert_eq!(only_analyzed["analysis"]["findings"], analyzed["findings"]);

    let body = json!({"prompt": PROMPT, "promptId": id, "variationCount": 2,
        "targetModel": "Claude Opus 5.5"});
    let optimized = ask(&account, "/prompts/optimize", body).await;
    assert_eq!(optimized["optimizationId"], *id);
    let versions = optimized["versions"].as_array().expect("versions");
    let path = format!("/optimizations/{}/refinements", id.as_str().expect("an id"));
    let feedback = |text: &str, parent: &Value| {
        let mut body = json!({"sourceVersionId": versions[1]["versionId"], "feedback": text});
        if parent.is_string() {
            body["parentRefinementId"] = parent.clone();
        }
        body
    };
    let root = ask(&account, &path, feedback("Use a warm tone", &Value::Null)).await;
    let child = ask(&account, &path, feedback("At most 90 words", &root["refinementId"])).await;
    let twin = ask(&account, &path, feedback("At most 80 words", &root["refinementId"])).await;
    assert_eq!(child["optimizationId"], *id);
    assert_eq!(child["sourceVersionId"], versions[1]["versionId"]);
    assert_eq!(child["parentRefinementId"], root["refinementId"]);
    assert_eq!(child["targetModel"], "Claude Opus 5.5", "that of the version");
    assert!(child["prompt"].as_str().expect("text").contains("90 words"), "{child}");

    let item = detail(&account, "optimization", id).await;
    assert_eq!(item["versionCount"], 5);
    assert_eq!(item["input"]["context"], "For our newsletter");
    assert_eq!(item["input"]["prompt"], PROMPT);
    assert_eq!(item["analysis"]["operationId"], analyzed["operationId"]);
    let kept = item["versions"].as_array().expect("versions");
    assert_eq!(kept.len(), 2);
    for (kept, made) in kept.iter().zip(versions) {
        for field in ["versionId", "label", "prompt", "changes", "integrity", "scoreAfter"] {
            assert_eq!(kept[field], made[field], "{field}");
        }
        assert_eq!(kept["originalPrompt"], PROMPT);
        assert_eq!(kept["operationId"], optimized["operationId"]);
    }
    let tree: Vec<_> = item["refinements"]
        .as_array()
        .expect("refinements")
        .iter()
        .map(|one| (one["refinementId"].clone(), one["parentRefinementId"].clone()))
        .collect();
    let parent = root["refinementId"].clone();
    assert_eq!(
        tree,
        [
            (parent.clone(), Value::Null),
            (child["refinementId"].clone(), parent.clone()),
            (twin["refinementId"].clone(), parent),
        ]
    );
    assert_eq!(item["refinements"][1]["originalPrompt"], root["prompt"]);
    assert_eq!(item["refinements"][1]["feedback"], "At most 90 words");
}

#[tokio::test]
async fn a_refinement_is_continued_by_its_id() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let body = json!({"prompt": PROMPT, "feedback": "Use a warm tone"});
    let first = ask(&account, "/prompts/refine", body).await;
    assert_eq!(first["optimizationId"], Value::Null);
    assert_eq!(first["sourceVersionId"], Value::Null);
    let body = json!({"prompt": first["prompt"], "feedback": "At most 90 words",
        "refinementId": first["refinementId"]});
    let second = ask(&account, "/prompts/refine", body).await;
    assert_eq!(second["refinementId"], first["refinementId"]);
    let item = detail(&account, "refinement", &first["refinementId"]).await;
    let versions = item["versions"].as_array().expect("versions");
    assert_eq!(versions.len(), 2);
    assert_eq!(item["versionCount"], 2);
    assert_eq!(second["sourceVersionId"], versions[0]["versionId"]);
    assert_eq!(versions[1]["parentVersionId"], versions[0]["versionId"]);
    assert_eq!(versions[1]["feedback"], "At most 90 words");
    assert_eq!(versions[1]["originalPrompt"], first["prompt"]);
    assert_eq!(versions[1]["prompt"], second["prompt"]);
    assert_eq!(item["input"]["feedback"], "Use a warm tone");
}

#[tokio::test]
async fn an_item_is_found_under_its_own_type_only() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let made = ask(&account, "/prompts/generate", json!({"message": "A haiku"})).await;
    let id = made["generationId"].as_str().expect("an id");
    account.get(&format!("/history/generation/{id}")).await.data(200);
    for path in [format!("/history/optimization/{id}"), "/history/generation/x".to_owned()] {
        account.get(&path).await.is_error(404, "not_found");
    }
    let answer = account.get(&format!("/history/library/{id}")).await;
    answer.is_error(400, "invalid_request");
    assert_eq!(answer.problem_paths(), ["path.type"]);
    let long = "x".repeat(192);
    let answer = account.get(&format!("/history/generation/{long}")).await;
    assert_eq!(answer.is_error(400, "invalid_request")["details"][0]["path"], "path.id");
}

#[tokio::test]
async fn reversing_leaves_no_history() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let body = json!({"type": "text", "content": "Dear team, the launch moves to Friday."});
    ask(&account, "/reverse-prompts", body).await;
    for kind in ["generation", "optimization", "refinement"] {
        let listed = account.get(&format!("/history?type={kind}")).await;
        assert_eq!(listed.data(200)["items"], json!([]));
    }
}
