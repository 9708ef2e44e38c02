//! What history keeps of operations.

use acceptance::kinds::DIVIDED as PROMPT;
use reqwest::Method;
use serde_json::{Value, json};

use crate::host;

fn path(kind: &str, id: &Value) -> String {
    format!("/history/{kind}/{}", id.as_str().expect("an id"))
}

#[tokio::test]
async fn an_optimization_grows_and_keeps_a_tree_of_refinements() {
    let host = host().await;
    let account = host.account().await;
    let analyzed =
        account.made("/prompts/analyze", &json!({"prompt": PROMPT, "context": "c"})).await;
    let id = &analyzed["optimizationId"];
    let body = json!({"prompt": PROMPT, "promptId": id, "variationCount": 2,
        "targetModel": "Claude Opus 5.5"});
    let optimized = account.made("/prompts/optimize", &body).await;
    assert_eq!(optimized["optimizationId"], *id);
    let refinements = format!("/optimizations/{}/refinements", id.as_str().expect("an id"));
    let source = &optimized["versions"][1]["versionId"];
    let body = json!({"sourceVersionId": source, "feedback": "Use a warm tone"});
    let root = account.made(&refinements, &body).await;
    let body = json!({"sourceVersionId": source, "feedback": "At most 90 words",
        "parentRefinementId": root["refinementId"]});
    let child = account.made(&refinements, &body).await;
    assert_eq!(child["parentRefinementId"], root["refinementId"]);
    let item = account.get(&path("optimization", id)).await;
    host.assert_documented("getHistoryItem", &item).await;
    let item = item.data(200);
    assert_eq!((&item["versionCount"], &item["input"]["context"]), (&json!(4), &json!("c")));
    assert_eq!(item["versions"][1]["prompt"], optimized["versions"][1]["prompt"]);
    assert_eq!(item["analysis"]["operationId"], analyzed["operationId"]);
    assert_eq!(item["refinements"][1]["parentRefinementId"], root["refinementId"]);
    assert_eq!(item["refinements"][1]["prompt"], child["prompt"]);
}

#[tokio::test]
async fn items_are_continued_found_renamed_and_deleted() {
    let host = host().await;
    let account = host.account().await;
    let word = format!("Zürich{}", acceptance::account::fresh_key().replace('-', ""));
    let goal = json!({"message": format!("A packing list for {word}")});
    let made = account.made("/prompts/generate", &goal).await;
    let next = json!({"message": "Shorter", "generationId": made["generationId"]});
    account.made("/prompts/generate", &next).await;
    let item = path("generation", &made["generationId"]);
    let detail = account.get(&item).await.data(200).clone();
    assert_eq!(detail["versions"].as_array().map(Vec::len), Some(2));
    assert_eq!(detail["versions"][1]["parentVersionId"], made["versionId"]);
    account.get(&path("refinement", &made["generationId"])).await.is_error(404, "not_found");

    let renamed = account.send(Method::PATCH, &item, &json!({"title": word})).await;
    assert_eq!(renamed.data(200)["title"], *word);
    let query = [("type", "generation"), ("search", &*word.to_lowercase())];
    let found = account.search("/history", &query).await.data(200).clone();
    assert_eq!(found["items"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found["items"][0]["id"], made["generationId"]);
    assert_eq!(
        (&found["limit"], &found["offset"], &found["hasMore"]),
        (&json!(25), &json!(0), &json!(false))
    );
    let empty = account.send(Method::PATCH, &item, &json!({"title": ""})).await;
    empty.is_error(400, "invalid_request");
    assert_eq!(empty.problem_paths(), ["/title"]);

    let deleted = account.delete(&item).await;
    assert_eq!(*deleted.data(200), json!({"id": made["generationId"], "deleted": true}));
    account.delete(&item).await.is_error(404, "not_found");
    account.get(&item).await.is_error(404, "not_found");
}

#[tokio::test]
async fn pages_have_each_item_once_newest_first() {
    let host = host().await;
    let account = host.account().await;
    let mut made = Vec::new();
    for number in 0..3 {
        let body = json!({"prompt": format!("Write about {number} boats"), "feedback": "At most 40 words"});
        made.insert(0, account.made("/prompts/refine", &body).await["refinementId"].clone());
    }
    let mut listed = Vec::new();
    for offset in 0..3 {
        let page = account.get(&format!("/history?type=refinement&limit=1&offset={offset}")).await;
        let page = page.data(200).clone();
        listed.push(page["items"][0]["id"].clone());
        assert!(offset == 2 || page["hasMore"] == true);
    }
    assert_eq!(listed, made);
}
