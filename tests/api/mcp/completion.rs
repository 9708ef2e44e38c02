//! Completions of arguments.

use std::time::Duration;

use acceptance::{
    World,
    mcp::{Client, Reply},
};
use domain::{Plan, Scope, Scopes};
use serde_json::{Value, json};
use store::admission::Limits;

use super::subject;

const MODEL: &str = "prompt-workflow://models/{name}";
const LISTING: &str = "prompt-workflow://library/{scope}";

async fn preset(world: &World, client: &Client, values: Value) -> String {
    world.clock.advance(Duration::from_millis(1));
    let preset =
        json!({"name": "Trips", "promptText": "Plan a day in {{city}}.", "values": values});
    let made = client.call("create_preset", preset).await.data().clone();
    made["id"].as_str().expect("an id").to_owned()
}

async fn complete(client: &Client, about: Value, name: &str, typed: &str) -> Reply {
    let argument = json!({"name": name, "value": typed});
    client.say("completion/complete", json!({"ref": about, "argument": argument})).await
}

fn prompt(id: &str) -> Value {
    json!({"type": "ref/prompt", "name": id})
}

fn template(uri: &str) -> Value {
    json!({"type": "ref/resource", "uri": uri})
}

#[tokio::test]
async fn a_variable_is_completed_by_values_that_its_owner_has_saved() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let bob = subject(&world, "bob", Plan::Pro).await.mcp().await;
    preset(&world, &bob, json!({"city": "Lima"})).await;
    let id = preset(&world, &ada, json!({"city": "Lisbon", "country": "Portugal"})).await;
    preset(&world, &ada, json!({"city": "London"})).await;
    preset(&world, &ada, json!({"city": "Oslo"})).await;
    preset(&world, &ada, json!({"city": "Lisbon"})).await;
    preset(&world, &ada, json!({"city": "L".repeat(1001)})).await;
    for (name, typed, expected) in [
        ("city", "", vec!["Lisbon", "Oslo", "London"]),
        ("city", "l", vec!["Lisbon", "London", "Oslo"]),
        ("city", "LO", vec!["London", "Oslo"]),
        ("city", "Paris", vec![]),
        ("country", "p", vec!["Portugal"]),
        ("street", "", vec![]),
    ] {
        let answer = complete(&ada, prompt(&id), name, typed).await;
        let completion = &answer.result()["completion"];
        assert_eq!(completion["values"], json!(expected), "{name} {typed}");
        assert_eq!(completion["total"], expected.len(), "{name} {typed}");
        assert_eq!(completion["hasMore"], false, "{name} {typed}");
    }
    let anothers = complete(&bob, prompt(&id), "city", "").await;
    assert_eq!(anothers.error()["code"], -32602);
    let narrow = world.subject("ada", Scopes::from_iter([Scope::UsageRead])).mcp().await;
    let refused = complete(&narrow, prompt(&id), "city", "").await;
    refused.is_refused(403, "insufficient_scope");
    let challenge = refused.header("www-authenticate").expect("a challenge");
    assert!(challenge.contains("scope=\"prompts:presets:read\""), "{challenge}");
}

#[tokio::test]
async fn no_more_than_a_hundred_values_are_suggested() {
    let world = World::with_limits(Limits::Lifted).await;
    let client = subject(&world, "ada", Plan::Max).await.mcp().await;
    let mut id = String::new();
    for number in 0..101 {
        id = preset(&world, &client, json!({"city": format!("City {number}")})).await;
    }
    let answer = complete(&client, prompt(&id), "city", "").await;
    let completion = &answer.result()["completion"];
    assert_eq!(completion["values"].as_array().map(Vec::len), Some(100));
    assert_eq!(
        (&completion["values"][0], &completion["hasMore"]),
        (&json!("City 100"), &json!(true))
    );
}

#[tokio::test]
async fn names_of_models_and_listings_are_completed_and_open_what_they_name() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let answer = complete(&client, template(MODEL), "name", "gpt-6.2").await;
    let completion = &answer.result()["completion"];
    assert_eq!(completion["values"], json!(["GPT-6.2 Astra", "GPT-6.2 Sol"]));
    assert_eq!(completion["total"], 2);
    for uri in ["prompt-workflow://models/GPT-6.2 Sol", "prompt-workflow://models/GPT-6.2%20Sol"] {
        let read = client.say("resources/read", json!({ "uri": uri })).await;
        let text = read.result()["contents"][0]["text"].as_str().expect("text");
        let model: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!((&model["name"], &model["kind"]), (&json!("GPT-6.2 Sol"), &json!("text")));
    }
    let answer = complete(&client, template(LISTING), "scope", "o").await;
    let values = &answer.result()["completion"]["values"];
    assert_eq!(values, &json!(["official", "community", "upvoted"]));
    assert!(answer.header("ratelimit-remaining").is_some(), "it counts");
    let item = template("prompt-workflow://library/items/{id}");
    let answer = complete(&client, item, "id", "").await;
    assert_eq!(answer.result()["completion"]["values"], json!([]));
    for (about, name) in [
        (template(MODEL), "scope"),
        (template("prompt-workflow://models"), "name"),
        (template("file:///{path}"), "path"),
        (prompt("no such"), "city"),
    ] {
        let answer = complete(&client, about, name, "").await;
        assert_eq!(answer.error()["code"], -32602, "{name}");
    }
}
