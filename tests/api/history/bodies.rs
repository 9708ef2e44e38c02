use acceptance::{World, account::fresh_key};
use domain::Plan;
use serde_json::json;
use store::admission::Limits;

use super::delete::incompressible;

/// The largest prompts that the contract allows, each hard to keep in its own way.
fn largest() -> Vec<(&'static str, String)> {
    vec![
        ("one letter", "a".repeat(50_000)),
        ("emoji", "👩‍👩‍👧‍👦 ".repeat(6_250)),
        ("escapes", "\\\"\u{1}\t".repeat(12_500)),
        ("line ends", "a\r\nb\n".repeat(10_000)),
        ("no repetition", incompressible(50_000)),
        ("combining", "e\u{301}\u{feff}\u{202e}".repeat(12_500)),
    ]
}

#[tokio::test]
async fn a_prompt_of_any_allowed_size_survives_byte_for_byte() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for (name, prompt) in largest() {
        let prompt = format!("Summarize: {}", prompt.chars().take(49_989).collect::<String>());
        let body = json!({"prompt": prompt, "variationCount": 2, "context": "Für Übersetzer"});
        let made = account.post("/prompts/optimize", &fresh_key(), &body).await;
        let made = made.data(200);
        assert_eq!(made["originalPrompt"], prompt, "{name}");
        let path =
            format!("/history/optimization/{}", made["optimizationId"].as_str().expect("id"));
        let item = account.get(&path).await.data(200).clone();
        assert_eq!(item["input"]["prompt"], prompt, "{name}");
        assert_eq!(item["input"]["context"], "Für Übersetzer");
        for (kept, made) in item["versions"]
            .as_array()
            .expect("versions")
            .iter()
            .zip(made["versions"].as_array().expect("versions"))
        {
            assert_eq!(kept["prompt"], made["prompt"], "{name}");
            assert_eq!(kept["changes"], made["changes"], "{name}");
        }
    }
}

#[tokio::test]
async fn a_full_item_takes_no_more_and_says_so() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let prompt = incompressible(50_000);
    let body = json!({"prompt": prompt, "variationCount": 2});
    let first = account.post("/prompts/optimize", &fresh_key(), &body).await.data(200).clone();
    let body = json!({"prompt": prompt, "variationCount": 2, "promptId": first["optimizationId"]});
    let mut joined = 1;
    let refused = loop {
        let answer = account.post("/prompts/optimize", &fresh_key(), &body).await;
        if answer.status != 200 {
            break answer;
        }
        joined += 1;
        assert!(joined < 40, "it is never full");
    };
    refused.is_error(409, "source_conflict");
    let path = format!("/history/optimization/{}", first["optimizationId"].as_str().expect("id"));
    let answer = account.request(reqwest::Method::GET, &path).send().await.expect("an answer");
    let bytes = answer.bytes().await.expect("a body").len();
    assert!(bytes < 6_000_000, "{bytes} bytes are more than a function may answer with");
}
