//! Models and library items as resources.

use acceptance::{World, mcp::Client};
use domain::{Plan, Scope, Scopes};
use serde_json::{Value, json};
use store::admission::Limits;

use super::subject;

const MODELS: &str = "prompt-workflow://models";
const ITEMS: &str = "prompt-workflow://library/items/";

async fn item(client: &Client, title: &str) -> String {
    let item = json!({
        "title": title, "promptText": "Plan a trip.", "recommendedModels": ["Universal"],
        "category": "Travel", "description": "It plans.",
    });
    let made = client.call("create_library_item", item).await.data().clone();
    made["id"].as_str().expect("an id").to_owned()
}

async fn read(client: &Client, uri: &str) -> Value {
    let read = client.say("resources/read", json!({"uri": uri})).await;
    let contents = &read.result()["contents"][0];
    assert_eq!(
        (&contents["uri"], &contents["mimeType"]),
        (&json!(uri), &json!("application/json"))
    );
    serde_json::from_str(contents["text"].as_str().expect("text")).expect("JSON")
}

#[tokio::test]
async fn models_and_items_are_read_as_the_api_shows_them() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    assert_eq!(&read(&client, MODELS).await, ada.get("/models").await.data(200));
    let id = item(&client, "A trip").await;
    let shown = read(&client, &format!("{ITEMS}{id}")).await;
    assert_eq!(&shown, ada.get(&format!("/library/items/{id}")).await.data(200));
    let templates = client.say("resources/templates/list", json!({})).await;
    let template = &templates.result()["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(*template, format!("{ITEMS}{{id}}"));
}

#[tokio::test]
async fn the_list_goes_from_listing_to_listing_and_shows_what_is_published() {
    let world = World::with_limits(Limits::Lifted).await;
    let client = subject(&world, "ada", Plan::Max).await.mcp().await;
    let private = item(&client, "Private").await;
    let mut published = Vec::new();
    for number in 0..32 {
        let id = item(&client, &format!("Trip {number}")).await;
        client.call("publish_library_item", json!({ "id": id })).await.data();
        published.push(format!("{ITEMS}{id}"));
    }
    let (mut seen, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let page = client.say("resources/list", params).await.result().clone();
        let resources = page["resources"].as_array().expect("a list").clone();
        seen.extend(resources.iter().map(|it| it["uri"].as_str().expect("a URI").to_owned()));
        pages += 1;
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(pages, 3, "the operator's listing, and two pages of the community's");
    assert_eq!(seen.remove(0), MODELS);
    seen.sort();
    published.sort();
    assert_eq!(seen, published);
    assert!(!seen.contains(&format!("{ITEMS}{private}")));
    for cursor in ["x", "mine:1", "community:0", "community:x"] {
        let wrong = client.say("resources/list", json!({ "cursor": cursor })).await;
        assert_eq!(wrong.error()["code"], -32602, "{cursor}");
    }
}

#[tokio::test]
async fn what_is_not_there_or_anothers_is_no_resource() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let bob = subject(&world, "bob", Plan::Pro).await.mcp().await;
    let id = item(&ada, "A trip").await;
    for uri in [
        format!("{ITEMS}{id}"),
        format!("{ITEMS}lib_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        format!("{ITEMS}../../usage"),
        ITEMS.to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        let answer = bob.say("resources/read", json!({ "uri": uri })).await;
        assert_eq!(answer.error()["code"], -32002, "{uri}");
    }
}

#[tokio::test]
async fn without_the_librarys_scope_there_are_models_alone() {
    let world = World::start().await;
    let narrow = world.subject("ada", Scopes::from_iter([Scope::UsageRead])).mcp().await;
    let listed = narrow.say("resources/list", json!({})).await;
    let resources = listed.result()["resources"].as_array().expect("a list");
    assert_eq!(resources.len(), 1);
    assert_eq!(resources[0]["uri"], MODELS);
    let uri = format!("{ITEMS}lib_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    let refused = narrow.say("resources/read", json!({ "uri": uri })).await;
    refused.is_refused(403, "insufficient_scope");
}
