//! What requests refer to: their own account's history, and nothing else.

use acceptance::{Account, Answer, World, account::fresh_key, kinds::DIVIDED as PROMPT};
use domain::Plan;
use serde_json::{Value, json};
use store::admission::Limits;

async fn optimize(account: &Account) -> Value {
    let body = json!({"prompt": PROMPT, "variationCount": 2, "targetModel": "Claude Opus 5.5"});
    account.post("/prompts/optimize", &fresh_key(), &body).await.data(200).clone()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("an id")
}

async fn refine(account: &Account, optimization: &Value, body: Value) -> Answer {
    let path = format!("/optimizations/{}/refinements", text(optimization));
    account.post(&path, &fresh_key(), &body).await
}

#[tokio::test]
async fn an_unknown_id_in_a_body_is_named_together_with_all_others() {
    let world = World::with_limits(Limits::Lifted).await;
    let (account, other) = (world.account(Plan::Max).await, world.account(Plan::Max).await);
    let others = optimize(&other).await;
    let feedback = "At most 90 words";
    for (path, body, paths) in [
        (
            "/prompts/analyze",
            json!({"prompt": "a", "promptId": others["optimizationId"], "attachmentIds": ["x", "y"]}),
            vec!["/attachmentIds/0", "/attachmentIds/1", "/promptId"],
        ),
        ("/prompts/optimize", json!({"prompt": "a", "promptId": "my own id"}), vec!["/promptId"]),
        (
            "/prompts/refine",
            json!({"prompt": "a", "feedback": feedback, "refinementId": "ref_01ARZ3NDEKTSV4RRFFQ69G5FAV"}),
            vec!["/refinementId"],
        ),
        (
            "/prompts/generate",
            json!({"message": "a", "generationId": "gen_1"}),
            vec!["/generationId"],
        ),
        (
            "/optimizations/opt_1/refinements",
            json!({"sourceVersionId": "a", "parentRefinementId": "b", "feedback": feedback}),
            vec!["path.id", "/sourceVersionId", "/parentRefinementId"],
        ),
    ] {
        let answer = account.post(path, &fresh_key(), &body).await;
        answer.is_error(400, "invalid_reference");
        assert_eq!(answer.problem_paths(), paths, "{path}");
    }
    assert_eq!(account.usage().await["credits"]["used"], 0);
}

#[tokio::test]
async fn only_a_version_of_the_optimization_can_be_refined_there() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let (one, two) = (optimize(&account).await, optimize(&account).await);
    let feedback = "At most 90 words";
    let foreign = json!({"sourceVersionId": two["versions"][0]["versionId"], "feedback": feedback});
    let answer = refine(&account, &one["optimizationId"], foreign).await;
    answer.is_error(400, "invalid_reference");
    assert_eq!(answer.problem_paths(), ["/sourceVersionId"]);

    // An analysis has made no version, though its identifier is of the right form.
    let body = json!({"prompt": PROMPT, "promptId": one["optimizationId"]});
    let analyzed = account.post("/prompts/analyze", &fresh_key(), &body).await.data(200).clone();
    let version = text(&analyzed["operationId"]).replace("op_", "ver_");
    let body = json!({"sourceVersionId": version, "feedback": feedback});
    let answer = refine(&account, &one["optimizationId"], body).await;
    answer.is_error(400, "invalid_reference");
    assert_eq!(answer.problem_paths(), ["/sourceVersionId"]);

    // A refinement of one version is no parent for one of the other.
    let body = json!({"sourceVersionId": one["versions"][0]["versionId"], "feedback": feedback});
    let first = refine(&account, &one["optimizationId"], body).await.data(200).clone();
    let body = json!({"sourceVersionId": one["versions"][1]["versionId"], "feedback": feedback,
        "parentRefinementId": first["refinementId"]});
    refine(&account, &one["optimizationId"], body).await.is_error(409, "source_conflict");
    // Version and operation share their unique part, but the operation has made no refinement.
    let unique = text(&one["versions"][0]["versionId"]).replace("ver_", "ref_");
    let body = json!({"sourceVersionId": one["versions"][0]["versionId"], "feedback": feedback,
        "parentRefinementId": unique});
    let answer = refine(&account, &one["optimizationId"], body).await;
    answer.is_error(400, "invalid_reference");
    let standalone = json!({"prompt": PROMPT, "feedback": feedback});
    let alone = account.post("/prompts/refine", &fresh_key(), &standalone).await.data(200).clone();
    let body = json!({"sourceVersionId": one["versions"][1]["versionId"], "feedback": feedback,
        "parentRefinementId": alone["refinementId"]});
    let answer = refine(&account, &one["optimizationId"], body).await;
    answer.is_error(400, "invalid_reference");
    assert_eq!(answer.problem_paths(), ["/parentRefinementId"]);
}

#[tokio::test]
async fn both_versions_of_an_optimization_can_be_refined() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let made = optimize(&account).await;
    let versions = made["versions"].as_array().expect("versions");
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[0]["label"], "conservative");
    assert_eq!(versions[1]["label"], "restructured");
    for version in versions {
        let body = json!({"sourceVersionId": version["versionId"], "feedback": "At most 90 words",
            "targetModel": "GPT-6.2 Sol"});
        let refined = refine(&account, &made["optimizationId"], body).await.data(200).clone();
        assert_eq!(refined["targetModel"], "GPT-6.2 Sol");
        let prompt = refined["prompt"].as_str().expect("text");
        assert!(prompt.contains("90") && prompt.contains("{{product}}"), "{prompt}");
    }
}

#[tokio::test]
async fn text_without_anything_to_see_is_rejected_before_it_costs() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    // White space, control characters, and what displays ignore: zero-width spaces and joiners, soft
    // hyphens, fillers, signs of direction, variation selectors, tags, the empty cell of Braille.
    let nothing = " \u{1}\u{a0}\u{ad}\u{34f}\u{61c}\u{115f}\u{17b4}\u{180b}\u{200b}\u{200d}\u{202e}\u{2060}\u{2066}\
        \u{2800}\u{3164}\u{fe0f}\u{feff}\u{ffa0}\u{1d173}\u{e0061}\u{e0100}";
    for c in nothing.chars() {
        let refused = account.generate(&fresh_key(), &json!({"message": c})).await;
        refused.is_error(400, "content_rejected");
        assert_eq!(refused.problem_paths(), ["/message"], "{:x}", u32::from(c));
    }
    for (path, body, problem) in [
        ("/prompts/generate", json!({"message": nothing}), "/message"),
        ("/prompts/optimize", json!({"prompt": nothing}), "/prompt"),
        ("/prompts/analyze-and-optimize", json!({"prompt": nothing}), "/prompt"),
        ("/prompts/refine", json!({"prompt": "a", "feedback": nothing}), "/feedback"),
        ("/reverse-prompts", json!({"type": "text", "content": nothing}), "/content"),
        ("/prompts/analyze", json!({"prompt": " \n\t "}), "/prompt"),
        ("/prompts/optimize", json!({"prompt": "\u{1}"}), "/prompt"),
        ("/prompts/refine", json!({"prompt": "a", "feedback": " "}), "/feedback"),
        ("/reverse-prompts", json!({"type": "text", "content": " ".repeat(20)}), "/content"),
    ] {
        let answer = account.post(path, &fresh_key(), &body).await;
        answer.is_error(400, "content_rejected");
        assert_eq!(answer.problem_paths(), [problem], "{path}");
    }
    assert_eq!(account.get("/operations").await.data(200)["items"], json!([]));
}

#[tokio::test]
async fn null_starts_anew_where_answers_show_that_nothing_was_continued() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let prompt = "Write a product description for {{product}}.";
    let mut refine =
        json!({"prompt": prompt, "feedback": "At most 90 words", "refinementId": null});
    let first = account.post("/prompts/refine", &fresh_key(), &refine).await.data(200).clone();
    refine["refinementId"] = first["refinementId"].clone();
    account.post("/prompts/refine", &fresh_key(), &refine).await.data(200);
    let optimize = json!({"prompt": prompt, "promptId": null});
    let optimized = account.post("/prompts/optimize", &fresh_key(), &optimize).await;
    let optimized = optimized.data(200);
    let refine = json!({
        "sourceVersionId": optimized["versions"][0]["versionId"],
        "parentRefinementId": null,
        "feedback": "At most 90 words",
    });
    let id = optimized["optimizationId"].as_str().expect("an id");
    let path = format!("/optimizations/{id}/refinements");
    let refined = account.post(&path, &fresh_key(), &refine).await.data(200).clone();
    assert_eq!(refined["parentRefinementId"], Value::Null);
}
