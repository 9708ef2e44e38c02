//! What is left of an account that the operator has erased.

use std::time::Duration;

use acceptance::{Account, World, account::fresh_key, files};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};
use store::{accounts::erasure::ErasureError, admission::Limits};

/// Makes an account write whatever it can.
async fn live(world: &World, account: &Account, word: &str) {
    let long: String = (0..49_000_u64)
        .map(|position| {
            char::from(b'a' + u8::try_from(position * position % 23).expect("a letter"))
        })
        .collect();
    let upload = account.upload("generation", "image/png", &files::png(7)).await;
    let goal = json!({"message": format!("Write about {word}"), "attachmentIds": [upload]});
    account.generate(&fresh_key(), &goal).await.data(200);
    account.upload("analysis", "image/png", &files::png(7)).await;
    let prompt = json!({"prompt": format!("Sum up this text: {word} {long}")});
    account.post("/prompts/optimize", &fresh_key(), &prompt).await.data(200);
    let preset =
        json!({"name": word, "promptText": "Go to {{city}}", "values": {"city": long[..9_000]}});
    account.send(Method::POST, "/prompt-presets", &preset).await.data(200);
    for title in ["One", "Two"] {
        let item = json!({
            "title": format!("{title} {word}"), "promptText": "Plan a trip.",
            "recommendedModels": ["Universal"], "category": "Travel",
        });
        let item = account.send(Method::POST, "/library/items", &item).await.data(200).clone();
        let path = format!("/library/items/{}", item["id"].as_str().expect("an id"));
        account.send(Method::POST, &format!("{path}/vote"), &json!({})).await.data(200);
        account.send(Method::POST, &format!("{path}/publish"), &json!({})).await.data(200);
        if title == "Two" {
            account.delete(&path).await.data(200);
        }
    }
    account.create_endpoint("https://hooks.example/", &["operation.succeeded"]).await;
    account.generate(&fresh_key(), &json!({"message": format!("Sing of {word}")})).await.data(200);
    Box::pin(world.deliver_all()).await;
    Box::pin(world.process_everything()).await;
}

/// The items of the table, as text, and the keys of the bucket.
async fn everything(world: &World) -> Vec<String> {
    let mut found = world.items().await;
    found.extend(world.object_keys("").await);
    found
}

fn naming<'a>(found: &'a [String], account: &Account) -> Vec<&'a String> {
    let unique = account.id.unique();
    found.iter().filter(|text| text.contains(&unique)).collect()
}

#[tokio::test]
async fn nothing_names_an_erased_account_and_others_keep_all() {
    let world = World::with_limits(Limits::Lifted).await;
    let (erased, other) = (world.account(Plan::Max).await, world.account(Plan::Max).await);
    Box::pin(live(&world, &erased, "Lisbon")).await;
    Box::pin(live(&world, &other, "Oslo")).await;
    let before = everything(&world).await;
    assert!(naming(&before, &erased).len() > 20, "{before:?}");
    assert!(naming(&before, &erased).iter().any(|item| item.contains("whd#")), "{before:?}");

    world.store.erase_account(erased.id, |_| ()).await.expect("an erasure");
    let after = everything(&world).await;
    assert_eq!(naming(&after, &erased), [] as [&String; 0]);
    assert_eq!(naming(&after, &other).len(), naming(&before, &other).len());
    erased.get("/usage").await.is_error(401, "invalid_credentials");
    let listed = other.get("/library/items?scope=community").await.data(200).clone();
    let titles: Vec<&Value> =
        listed["items"].as_array().expect("items").iter().map(|item| &item["title"]).collect();
    assert_eq!(titles, ["One Oslo"]);
    world.process_everything().await;
    world.clock.advance(Duration::from_secs(60));
    world.deliver_all().await;
    assert_eq!(naming(&everything(&world).await, &erased), [] as [&String; 0]);
}

#[tokio::test]
async fn an_account_is_erased_once_its_operations_have_ended() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    account.generate_async(&fresh_key(), &json!({"message": "A haiku"})).await.data(202);
    let refused = world.store.erase_account(account.id, |_| ()).await;
    assert!(matches!(refused, Err(ErasureError::Running(1))), "{refused:?}");
    account.get("/usage").await.is_error(403, "account_suspended");
    world.process_everything().await;
    world.store.erase_account(account.id, |_| ()).await.expect("an erasure");
    assert_eq!(naming(&everything(&world).await, &account), [] as [&String; 0]);
}
