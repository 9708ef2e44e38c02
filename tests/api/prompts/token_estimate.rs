use std::collections::BTreeSet;

use acceptance::World;
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};

async fn estimate(world: &World, prompt: &str) -> Value {
    let account = world.account(Plan::Pro).await;
    let body = json!({"prompt": prompt});
    let answer = account.send(Method::POST, "/prompts/token-estimate", &body).await;
    assert_eq!(account.usage().await["credits"]["used"], 0);
    assert_eq!(account.get("/operations").await.data(200)["items"], json!([]));
    answer.data(200).clone()
}

#[tokio::test]
async fn every_model_has_exactly_one_count() {
    let world = World::start().await;
    let data = estimate(&world, "Write a haiku about the sea, please. 日本語 👩‍👩‍👧").await;
    assert_eq!(data["characters"], 46);
    let counts = data["byTokenizer"].as_array().expect("a list");
    let mut models = Vec::new();
    for count in counts {
        assert!(["exact", "approximate"].contains(&count["method"].as_str().expect("a method")));
        assert!(count["tokens"].as_u64().is_some_and(|tokens| tokens > 0), "{count}");
        models.extend(count["models"].as_array().expect("models").clone());
    }
    let names: BTreeSet<_> = models.iter().map(ToString::to_string).collect();
    assert_eq!((models.len(), names.len()), (37, 37));
    let exact =
        counts.iter().find(|count| count["method"] == "exact").expect("a public vocabulary");
    assert_eq!(exact["tokenizer"], "o200k_base");
    assert_eq!(data["tokens"], exact["tokens"]);
}

/// Counts of tiktoken with `o200k_base`.
#[tokio::test]
async fn the_public_vocabulary_counts_as_its_reference_does() {
    let world = World::start().await;
    for (prompt, tokens) in [
        ("", 0),
        ("hello world", 2),
        ("Hello, world!", 4),
        ("antidisestablishmentarianism", 6),
        ("    \n\n\t x", 3),
        ("<|endoftext|>", 7),
    ] {
        assert_eq!(estimate(&world, prompt).await["tokens"], tokens, "{prompt:?}");
    }
}

#[tokio::test]
async fn two_hundred_thousand_characters_are_counted_and_one_more_is_refused() {
    let world = World::start().await;
    let longest = estimate(&world, &"a".repeat(200_000)).await;
    assert_eq!(longest["characters"], 200_000);
    assert_eq!(longest["tokens"], 25_000);
    let empty = estimate(&world, "").await;
    assert_eq!((&empty["characters"], &empty["words"]), (&json!(0), &json!(0)));
    let account = world.account(Plan::Pro).await;
    for (body, path) in [
        (json!({"prompt": "a".repeat(200_001)}), "/prompt"),
        (json!({}), "/prompt"),
        (json!({"prompt": "a", "targetModel": "Universal"}), "/targetModel"),
    ] {
        let answer = account.send(Method::POST, "/prompts/token-estimate", &body).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), [path]);
    }
}
