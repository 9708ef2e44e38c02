mod budget;
mod crash_points;
mod editing;
mod held;
mod listing;
mod moderation;
mod publishing;
mod reactions;
mod republishing;
mod searching;
mod statuses;

use std::time::Duration;

use acceptance::{Account, World, uploads::id_of};
use reqwest::Method;
use serde_json::{Value, json};

/// Where items are.
const ITEMS: &str = "/library/items";

/// An item as little as it can be.
fn small(title: &str) -> Value {
    json!({
        "title": title,
        "promptText": "Plan three days in {{city}}.",
        "recommendedModels": ["Universal"],
        "category": "Travel",
    })
}

/// An item with everything.
pub(crate) fn full(title: &str) -> Value {
    json!({
        "title": title,
        "promptText": "Plan three days in {{city}} for {{travellers}}.",
        "description": "A trip that people with a pram can make.",
        "whatThisPromptDoes": "Plans by distance.",
        "tipsForThisPrompt": "Name the season.",
        "howToUsePrompt": "Fill in the city.",
        "recommendedModels": ["Universal", "Claude Opus 5.5"],
        "category": "Travel",
        "exampleText": "Day 1: the harbour.",
        "tokenEstimate": {"input": 40, "output": 900},
        "visibility": "private",
    })
}

/// Creates an item. Returns its path.
pub(crate) async fn created(account: &Account, item: &Value) -> String {
    let made = account.send(Method::POST, ITEMS, item).await;
    format!("{ITEMS}/{}", id_of(made.data(200)))
}

/// Creates an item and publishes it. Returns its path.
pub(crate) async fn published(account: &Account, item: &Value) -> String {
    let path = created(account, item).await;
    post(account, &format!("{path}/publish")).await.data(200);
    path
}

/// `POST` without a body.
pub(crate) async fn post(account: &Account, path: &str) -> acceptance::Answer {
    acceptance::Answer::to(account.request(Method::POST, path)).await
}

pub(crate) async fn page(account: &Account, query: &str) -> Value {
    account.get(&format!("{ITEMS}?{query}")).await.data(200).clone()
}

fn titles(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().expect("a list");
    items.iter().map(|item| item["title"].as_str().expect("a title")).collect()
}

/// Lets votes be counted, once they have waited as long as they must.
async fn count_votes(world: &World) {
    world.clock.advance(Duration::from_secs(150));
    while world.run_library_indexer().await > 0 {}
}
