//! One answer names everything that is wrong with a request: its form, its meaning and what it refers to.

use acceptance::{
    Account, Answer, World, account::fresh_key, files, receiver::ENDPOINTS, uploads::id_of,
};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

const UNKNOWN_UPLOAD: &str = "upl_01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// The problems of an answer by their paths, in order.
fn problems(answer: &Answer, code: &str) -> Vec<(String, String)> {
    let details = answer.is_error(400, code)["details"].as_array().expect("details").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut problems: Vec<_> =
        details.iter().map(|one| (text(&one["path"]), text(&one["message"]))).collect();
    problems.sort();
    problems
}

fn paths(answer: &Answer) -> Vec<String> {
    problems(answer, "invalid_request").into_iter().map(|(path, _)| path).collect()
}

async fn made(account: &Account, path: &str, body: Value) -> String {
    let made = account.send(Method::POST, path, &body).await;
    format!("{path}/{}", made.data(200)["id"].as_str().expect("an id"))
}

#[tokio::test]
async fn a_body_has_its_problems_of_form_and_of_meaning_named_together() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let endpoint = json!({"url": "https://hooks.example/in", "events": ["webhook.test"]});
    let endpoint = made(&account, ENDPOINTS, endpoint).await;
    let preset = json!({"name": "a", "promptText": "b", "values": {}});
    let preset = made(&account, "/prompt-presets", preset).await;
    let values: Value =
        (0..80).map(|number| (number.to_string(), Value::from("\u{1}".repeat(10_000)))).collect();
    let unsafe_url = "https://10.0.0.1/";
    let prompt =
        json!({"prompt": " ", "promptId": "opt_1", "attachmentIds": ["x", "y"], "language": "x"});
    let prompt_paths =
        ["/attachmentIds/0", "/attachmentIds/1", "/language", "/prompt", "/promptId"];
    for (method, path, body, expected) in [
        (
            Method::POST,
            "/uploads",
            json!({"scope": "analysis", "filename": "", "contentType": "text/plain", "size": 9_999_999}),
            &["/contentType", "/filename", "/size"][..],
        ),
        (
            Method::POST,
            ENDPOINTS,
            json!({"url": unsafe_url, "events": ["x"]}),
            &["/events/0", "/url"],
        ),
        (Method::PATCH, &endpoint, json!({"url": "http", "enabled": 1}), &["/enabled", "/url"]),
        (
            Method::POST,
            "/reverse-prompts",
            json!({"type": "url", "url": unsafe_url, "language": "x"}),
            &["/language", "/url"],
        ),
        (
            Method::POST,
            "/reverse-prompts",
            json!({"type": "video", "frames": ["data:image/png;base64,@@", "x"], "frameCount": 0, "videoDuration": 601}),
            &["/frameCount", "/frames/0", "/frames/1", "/videoDuration"],
        ),
        (
            Method::POST,
            "/reverse-prompts",
            json!({"type": "text", "content": " ".repeat(20), "targetModel": "x"}),
            &["/content", "/targetModel"],
        ),
        (
            Method::POST,
            "/reverse-prompts",
            json!({"type": "image", "uploadId": "x", "targetModel": "x"}),
            &["/targetModel", "/uploadId"],
        ),
        (
            Method::POST,
            "/prompts/generate",
            json!({"message": "\n", "generationId": "gen_1", "attachmentIds": ["x"], "mode": "x"}),
            &["/attachmentIds/0", "/generationId", "/message", "/mode"],
        ),
        (Method::POST, "/prompts/analyze", prompt.clone(), &prompt_paths),
        (Method::POST, "/prompts/optimize", prompt.clone(), &prompt_paths),
        (Method::POST, "/prompts/analyze-and-optimize", prompt, &prompt_paths),
        (
            Method::POST,
            "/prompts/refine",
            json!({"prompt": " ", "feedback": " ", "refinementId": "x", "language": "x"}),
            &["/feedback", "/language", "/prompt", "/refinementId"],
        ),
        (
            Method::POST,
            "/optimizations/x/refinements",
            json!({"sourceVersionId": "x", "parentRefinementId": "x", "feedback": " ", "language": "x"}),
            &["/feedback", "/language", "/parentRefinementId", "/sourceVersionId", "path.id"],
        ),
        (
            Method::POST,
            "/prompts/checks/run",
            json!({"outputs": ["a"], "language": "x", "values": values}),
            &["/language", "/prompt", "/values"],
        ),
        (
            Method::POST,
            "/prompts/checks/run",
            json!({
                "checks": [{
                    "id": "",
                    "kind": "format",
                    "parameters": {"relation": "at_most", "number": 5, "upper": null, "of": null},
                }],
                "outputs": ["a"],
            }),
            &["/checks/0/id", "/checks/0/parameters"],
        ),
        (
            Method::POST,
            "/prompt-presets",
            json!({"name": "", "promptText": "a", "values": values}),
            &["/name", "/values"],
        ),
        (Method::PATCH, &preset, json!({"name": "", "values": values}), &["/name", "/values"]),
        (
            Method::POST,
            &format!("{preset}/render"),
            json!({"value": 1, "values": values}),
            &["/value", "/values"],
        ),
    ] {
        let request = account.request(method, path).header("Idempotency-Key", fresh_key());
        let answer = Answer::to(request.json(&body)).await;
        assert_eq!(paths(&answer), expected, "{path}");
    }
    assert_eq!(account.get("/operations").await.data(200)["items"], json!([]));
}

#[tokio::test]
async fn a_query_has_its_problems_of_form_and_of_meaning_named_together() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let endpoint = json!({"url": "https://hooks.example/in", "events": ["webhook.test"]});
    let endpoint = made(&account, ENDPOINTS, endpoint).await;
    for path in ["/operations".to_owned(), format!("{endpoint}/deliveries")] {
        let answer = account.get(&format!("{path}?limit=0&cursor=abc&limmit=1")).await;
        let found = problems(&answer, "invalid_request");
        let found: Vec<_> =
            found.iter().map(|(path, said)| (path.as_str(), said.as_str())).collect();
        let cursor = "must be the nextCursor of an answer to the same list with the same filters";
        assert_eq!(
            found,
            [
                ("query.cursor", cursor),
                ("query.limit", "must be at least 1"),
                ("query.limmit", "is not a known parameter; did you mean limit?"),
            ],
            "{path}"
        );
    }
}

#[tokio::test]
async fn each_problem_keeps_its_words_where_several_codes_meet() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let alone = json!({"url": "https://10.0.0.1/", "events": ["webhook.test"]});
    let alone = account.send(Method::POST, ENDPOINTS, &alone).await;
    let url = problems(&alone, "unsafe_url").remove(0);
    let both = json!({"url": "https://10.0.0.1/", "events": []});
    let both = account.send(Method::POST, ENDPOINTS, &both).await;
    let events = ("/events".to_owned(), "must have at least 1 item".to_owned());
    assert_eq!(problems(&both, "invalid_request"), [events, url]);

    let request = account.request(Method::POST, "/prompts/generate").json(&json!({"message": " "}));
    let answer = Answer::to(request).await;
    assert_eq!(
        problems(&answer, "invalid_request"),
        [
            ("/message".to_owned(), "has no visible text".to_owned()),
            ("header.Idempotency-Key".to_owned(), "is required".to_owned()),
        ]
    );
}

#[tokio::test]
async fn every_upload_that_cannot_be_used_is_named_with_its_reason() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let file = files::png(3);
    let consumed = account.upload("analysis", "image/png", &file).await;
    let ask = |body: Value| {
        let account = account.clone();
        async move { account.post("/prompts/analyze", &fresh_key(), &body).await }
    };
    ask(json!({"prompt": "Describe it", "attachmentIds": [consumed]})).await.data(200);
    let other_scope = account.upload("generation", "image/png", &file).await;
    let pending = account.create_upload("analysis", "image/png", &file).await;
    let pending = id_of(pending.data(200));
    let good = account.upload("analysis", "image/png", &file).await;

    let uploads = json!([UNKNOWN_UPLOAD, other_scope, pending, consumed, good]);
    let body = json!({"prompt": " ", "promptId": "opt_01ARZ3NDEKTSV4RRFFQ69G5FAV", "attachmentIds": uploads});
    let said = [
        ("/attachmentIds/0", "is not one of your uploads"),
        ("/attachmentIds/1", "has the scope generation, not analysis"),
        ("/attachmentIds/2", "is not completed"),
        ("/attachmentIds/3", "is already used by another operation"),
        ("/prompt", "has no visible text"),
        ("/promptId", "is not in your history"),
    ];
    let said = said.map(|(path, message)| (path.to_owned(), message.to_owned()));
    assert_eq!(problems(&ask(body).await, "invalid_request"), said);

    // Nothing is wrong with a request that only comes too early or too late.
    let conflicts = json!({"prompt": "Describe it", "attachmentIds": [good, pending, consumed]});
    let conflicts = ask(conflicts).await;
    conflicts.is_error(409, "attachment_not_ready");
    assert_eq!(conflicts.problem_paths(), ["/attachmentIds/1", "/attachmentIds/2"]);
    assert_eq!(account.upload_status(&good).await, "ready");
}

#[tokio::test]
async fn an_unknown_version_and_an_unknown_refinement_are_named_with_the_uploads() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let body = json!({"prompt": "Write a product description for {{product}}."});
    let made = account.post("/prompts/optimize", &fresh_key(), &body).await.data(200).clone();
    let id = made["optimizationId"].as_str().expect("an id");
    let body = json!({
        "sourceVersionId": "ver_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "parentRefinementId": "ref_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "feedback": "At most 90 words",
        "attachmentIds": [UNKNOWN_UPLOAD],
    });
    let path = format!("/optimizations/{id}/refinements");
    let answer = account.post(&path, &fresh_key(), &body).await;
    let named: Vec<_> =
        problems(&answer, "invalid_reference").into_iter().map(|(path, _)| path).collect();
    assert_eq!(named, ["/attachmentIds/0", "/parentRefinementId", "/sourceVersionId"]);
}
