//! Presets as prompts.

use acceptance::{World, mcp::Client};
use domain::{Plan, Scope, Scopes};
use serde_json::{Value, json};
use store::admission::Limits;

use super::subject;

async fn saved(client: &Client, name: &str, prompt: &str, values: Value) -> Value {
    let preset = json!({"name": name, "promptText": prompt, "values": values});
    client.call("create_preset", preset).await.data()["id"].clone()
}

#[tokio::test]
async fn a_preset_is_a_prompt_with_its_variables_as_arguments() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let text = "Plan three days in {{city}} for {{travellers}}. {{city}} first!";
    let id = saved(&client, "Trips", text, json!({"travellers": "two"})).await;
    let listed = client.say("prompts/list", json!({})).await;
    let prompts = listed.result()["prompts"].as_array().expect("a list");
    assert_eq!(prompts.len(), 1);
    assert_eq!((&prompts[0]["name"], &prompts[0]["title"]), (&id, &json!("Trips")));
    let arguments = prompts[0]["arguments"].as_array().expect("a list");
    let told: Vec<_> =
        arguments.iter().map(|it| (it["name"].as_str(), it["required"].as_bool())).collect();
    assert_eq!(told, [(Some("city"), Some(true)), (Some("travellers"), Some(false))]);
    assert!(arguments[1]["description"].as_str().is_some_and(|text| text.contains("two")));

    let got = async |arguments: Value| {
        client.say("prompts/get", json!({"name": id, "arguments": arguments})).await
    };
    let rendered = got(json!({"city": "Lisbon"})).await.result().clone();
    assert_eq!(rendered["messages"][0]["role"], "user");
    assert_eq!(
        rendered["messages"][0]["content"]["text"],
        "Plan three days in Lisbon for two. Lisbon first!"
    );
    let overridden = got(json!({"city": "Rome", "travellers": "{{city}}"})).await.result().clone();
    let text = overridden["messages"][0]["content"]["text"].as_str().expect("text");
    assert_eq!(text, "Plan three days in Rome for {{city}}. Rome first!", "one pass");
    let missing = got(json!({})).await;
    assert_eq!(missing.error()["code"], -32602);
    assert!(missing.error()["message"].as_str().is_some_and(|text| text.contains("city")));
    let number = got(json!({"city": 5})).await;
    assert_eq!(number.error()["code"], -32602);
}

#[tokio::test]
async fn anothers_preset_is_no_prompt_of_mine() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let bob = subject(&world, "bob", Plan::Pro).await.mcp().await;
    let id = saved(&ada, "Trips", "Plan.", json!({})).await;
    let listed = bob.say("prompts/list", json!({})).await;
    assert_eq!(listed.result()["prompts"], json!([]));
    let anothers = bob.say("prompts/get", json!({"name": id})).await;
    let never = bob.say("prompts/get", json!({"name": "pst_01ARZ3NDEKTSV4RRFFQ69G5FAV"})).await;
    let odd = bob.say("prompts/get", json!({"name": "../../usage"})).await;
    assert_eq!(anothers.error()["code"], -32602);
    for other in [never, odd] {
        assert_eq!(anothers.error(), other.error());
    }
}

#[tokio::test]
async fn pages_go_on_at_their_cursor_until_the_last_one() {
    let world = World::with_limits(Limits::Lifted).await;
    let client = subject(&world, "ada", Plan::Max).await.mcp().await;
    for number in 0..103 {
        saved(&client, &format!("Number {number}"), "Plan.", json!({})).await;
    }
    let first = client.say("prompts/list", json!({})).await.result().clone();
    assert_eq!(first["prompts"].as_array().map(Vec::len), Some(100));
    let cursor = json!({"cursor": first["nextCursor"]});
    let second = client.say("prompts/list", cursor).await.result().clone();
    assert_eq!(second["prompts"].as_array().map(Vec::len), Some(3));
    assert_eq!(second["nextCursor"], Value::Null);
    let wrong = client.say("prompts/list", json!({"cursor": "x"})).await;
    assert_eq!(wrong.error()["code"], -32602);
}

#[tokio::test]
async fn a_token_that_does_not_reach_presets_sees_none_and_is_told_what_it_lacks() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let id = saved(&client, "Trips", "Plan.", json!({})).await;
    let narrow = world.subject("ada", Scopes::from_iter([Scope::UsageRead])).mcp().await;
    let listed = narrow.say("prompts/list", json!({})).await;
    assert_eq!(listed.result()["prompts"], json!([]));
    let refused = narrow.say("prompts/get", json!({"name": id})).await;
    refused.is_refused(403, "insufficient_scope");
    let challenge = refused.header("www-authenticate").expect("a challenge");
    assert!(challenge.contains(Scope::PromptsPresetsRead.as_str()), "{challenge}");
}
