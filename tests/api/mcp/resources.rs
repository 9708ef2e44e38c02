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
    let mut expected = ada.get(&format!("/library/items/{id}")).await.data(200).clone();
    expected["writtenBy"] = "you".into();
    assert_eq!(shown, expected);
    let listing = read(&client, "prompt-workflow://library/my").await;
    assert_eq!(listing["items"][0]["id"], id);
    let templates = client.say("resources/templates/list", json!({})).await;
    let templates = templates.result()["resourceTemplates"].as_array().expect("a list").clone();
    let templates: Vec<_> = templates.iter().map(|it| it["uriTemplate"].clone()).collect();
    let expected = [
        "prompt-workflow://library/items/{id}",
        "prompt-workflow://library/{scope}",
        "prompt-workflow://models/{name}",
    ];
    assert_eq!(templates, expected);
}

/// Makes items of the operator.
async fn official(world: &World, titles: impl IntoIterator<Item = String>) -> Vec<String> {
    let item = |title| {
        json!({
            "title": title, "promptText": "Plan a trip.", "recommendedModels": ["Universal"],
            "category": "Travel",
        })
    };
    let items: Value = titles.into_iter().map(item).collect();
    let items = local::official::parse(items.to_string().as_bytes()).expect("good items");
    local::official::import(&world.store, &items, false, || {}).await.expect("storage");
    items.iter().map(|item| item.id.to_string()).collect()
}

#[tokio::test]
async fn the_list_has_the_operators_items_and_nothing_by_strangers() {
    let world = World::with_limits(Limits::Lifted).await;
    let client = subject(&world, "ada", Plan::Max).await.mcp().await;
    let titles = (0..32).map(|number| format!("Trip {number}"));
    let ids = official(&world, titles).await.into_iter();
    let mut official: Vec<_> = ids.map(|id| format!("{ITEMS}{id}")).collect();
    let id = item(&client, "By a user").await;
    client.call("publish_library_item", json!({ "id": id })).await.data();
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
    assert_eq!(pages, 2);
    assert_eq!(seen.remove(0), MODELS);
    seen.sort();
    official.sort();
    assert_eq!(seen, official);
    // They are there for a client that asks for them by name.
    let listing = read(&client, "prompt-workflow://library/community").await;
    assert_eq!(listing["items"][0]["id"], id);
}

#[tokio::test]
async fn a_strangers_item_is_marked_wherever_it_is_read() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let bob = subject(&world, "bob", Plan::Pro).await.mcp().await;
    let title = "Three days in Lisbon";
    let id = item(&ada, title).await;
    ada.call("publish_library_item", json!({ "id": id })).await.data();
    let own = item(&bob, "My own").await;
    let official = official(&world, ["By the operator".to_owned()]).await.remove(0);
    let read_by_bob = async |id: &str| bob.call("get_library_item", json!({ "id": id })).await;

    let strange = read_by_bob(&id).await;
    let first = strange.data().as_object().expect("an item").iter().next().expect("a field");
    assert_eq!(first.0, "untrusted", "it is read before the texts");
    assert!(!first.1.to_string().contains(title));
    assert_eq!(strange.data()["writtenBy"], "another_user");
    let provenance = |answer: &acceptance::mcp::Reply| {
        answer.result()["_meta"]["provenance"]["writtenBy"].clone()
    };
    assert_eq!(provenance(&strange), json!(["another_user"]));
    let text = strange.result()["content"][0]["text"].as_str().expect("text");
    assert!(text.starts_with("{\"untrusted\":"), "{text}");
    for (id, author) in [(&own, "you"), (&official, "operator")] {
        let answer = read_by_bob(id).await;
        assert_eq!(answer.data()["writtenBy"], author);
        assert_eq!(provenance(&answer), json!([author]));
        assert_eq!(answer.data()["untrusted"], Value::Null, "{author}");
    }
    let listed = bob.call("list_library_items", json!({"scope": "community"})).await;
    assert!(listed.data()["untrusted"].is_string());
    assert_eq!(listed.data()["items"][0]["writtenBy"], "another_user");
    for uri in [format!("{ITEMS}{id}"), "prompt-workflow://library/community".to_owned()] {
        let answer = bob.say("resources/read", json!({ "uri": uri })).await;
        let contents = &answer.result()["contents"][0];
        assert_eq!(contents["_meta"]["provenance"]["writtenBy"], json!(["another_user"]));
        assert!(contents["text"].as_str().is_some_and(|text| text.starts_with("{\"untrusted\":")));
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
        "prompt-workflow://library/nobodys".to_owned(),
        "prompt-workflow://library/".to_owned(),
        "prompt-workflow://models/Nobody".to_owned(),
        "prompt-workflow://models/".to_owned(),
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
