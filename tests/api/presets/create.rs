use acceptance::World;
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

use super::{PRESETS, created, large_values, largest_values, small};
use crate::history::delete::incompressible;

#[tokio::test]
async fn a_preset_is_read_as_it_was_created() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let body = json!({
        "name": "Städtereisen 🏙️",
        "templateTitle": "Trip\u{0}planner",
        "promptText": "Plan {{ days }} days in {{city}}: {{days}} nights, {{#if x}}{{/if}}",
        "values": {"city": "Lisboa \"😀\"\r\n\\", "unused": "", "": "e\u{301}\u{202e}"},
        "generationId": "gen_not one of ours",
        "generatedVersionId": "ver_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    });
    let made = account.send(Method::POST, PRESETS, &body).await.data(200).clone();
    assert!(made["id"].as_str().expect("an id").starts_with("pst_"));
    for (name, value) in body.as_object().expect("properties") {
        assert_eq!(made[name], *value, "{name}");
    }
    assert_eq!(made["variables"], json!(["days", "city", "#if x", "/if"]));
    assert_eq!(made["createdAt"], "2026-03-15T12:00:00.000Z");
    assert_eq!(made["updatedAt"], "2026-03-15T12:00:00.000Z");
    assert_eq!(made.as_object().map(serde_json::Map::len), Some(10));
    let path = format!("{PRESETS}/{}", made["id"].as_str().expect("an id"));
    assert_eq!(*account.get(&path).await.data(200), made);
    let listed = account.get(PRESETS).await.data(200).clone();
    assert_eq!(
        listed,
        json!({"items": [made], "limit": 25, "offset": 0, "hasMore": false, "searchedAll": true})
    );
}

#[tokio::test]
async fn what_may_be_left_out_is_null_or_empty() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let body = json!({"name": "n", "promptText": "p", "values": {}});
    let made = account.send(Method::POST, PRESETS, &body).await.data(200).clone();
    for name in ["templateTitle", "generationId", "generatedVersionId"] {
        assert_eq!(made.get(name), Some(&Value::Null), "{name}");
    }
    assert_eq!(made["values"], json!({}));
    assert_eq!(made["variables"], json!([]));
}

#[tokio::test]
async fn a_preset_that_was_read_can_be_sent_back() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let read = account.get(&created(&account, &small("n")).await).await.data(200).clone();
    assert_eq!(read["generationId"], Value::Null);
    let copy = account.send(Method::POST, PRESETS, &read).await.data(200).clone();
    assert_ne!(copy["id"], read["id"]);
    for (name, value) in read.as_object().expect("properties") {
        assert_eq!(copy[name] == *value, name != "id", "{name}");
    }
}

#[tokio::test]
async fn a_preset_of_any_allowed_size_survives_byte_for_byte() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let emoji: serde_json::Map<_, _> =
        (0..100).map(|number| (format!("v{number}"), "👩‍👩‍👧‍👦 🏳️‍🌈".repeat(250).into())).collect();
    let cases = [
        ("small", "p".to_owned(), json!({"a": "b"})),
        ("past the index", incompressible(900), json!({"a": "ä"})),
        ("past an item", incompressible(20_000), large_values(3)),
        ("100 values of 10,000 characters", "字".repeat(20_000), largest_values(1)),
        ("emoji", "😀".repeat(20_000), Value::Object(emoji)),
    ];
    let mut made = Vec::new();
    for (name, prompt, values) in cases {
        let body = json!({"name": name, "promptText": prompt, "values": values});
        let path = created(&account, &body).await;
        world.clock.advance(std::time::Duration::from_millis(1));
        let read = account.get(&path).await.data(200).clone();
        assert_eq!(read["promptText"], body["promptText"], "{name}");
        assert_eq!(read["values"], body["values"], "{name}");
        made.insert(0, read);
    }
    let listed = account.get(PRESETS).await.data(200)["items"].clone();
    assert_eq!(listed, Value::Array(made));
    assert_eq!(world.objects("durable/").await, 2, "compression keeps the others in the table");
    world.process_everything().await;
    assert_eq!(world.objects("durable/").await, 2, "what presets have is left to them");
}

#[tokio::test]
async fn every_bound_is_kept_and_every_problem_is_named() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let most = |count: usize| -> Value {
        (0..count)
            .map(|number| (number.to_string(), "x".into()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let with = |name: &str, value: Value| {
        let mut body = small("n");
        body[name] = value;
        body
    };
    let long = "字".repeat(10_001);
    for (body, problems) in [
        (json!({}), vec!["/name", "/promptText", "/values"]),
        (json!([]), vec![""]),
        (with("name", "".into()), vec!["/name"]),
        (with("name", "字".repeat(121).into()), vec!["/name"]),
        (with("name", Value::Null), vec!["/name"]),
        (with("templateTitle", "字".repeat(201).into()), vec!["/templateTitle"]),
        (with("promptText", "".into()), vec!["/promptText"]),
        (with("promptText", "字".repeat(20_001).into()), vec!["/promptText"]),
        (with("values", json!({"a": 1, "b/c": null})), vec!["/values/a", "/values/b~1c"]),
        (with("values", json!({"a": long})), vec!["/values/a"]),
        (with("values", most(101)), vec!["/values"]),
        (with("values", json!([])), vec!["/values"]),
        (with("generationId", "x".repeat(192).into()), vec!["/generationId"]),
        (with("generatedVersionId", "x".repeat(192).into()), vec!["/generatedVersionId"]),
    ] {
        let answer = account.send(Method::POST, PRESETS, &body).await;
        answer.is_error(400, "invalid_request");
        let mut told = answer.problem_paths();
        told.sort_unstable();
        assert_eq!(told, problems);
    }
    let largest = json!({
        "name": "字".repeat(120),
        "templateTitle": "字".repeat(200),
        "promptText": "字".repeat(20_000),
        "values": most(100),
        "generationId": "字".repeat(191),
        "generatedVersionId": "",
    });
    let made = account.send(Method::POST, PRESETS, &largest).await.data(200).clone();
    assert_eq!(made["values"].as_object().map(serde_json::Map::len), Some(100));
    let empty = with("templateTitle", "".into());
    assert_eq!(account.send(Method::POST, PRESETS, &empty).await.data(200)["templateTitle"], "");
    let two: serde_json::Map<_, _> =
        [("a".to_owned(), "字".repeat(10_000).into())].into_iter().collect();
    account.send(Method::POST, PRESETS, &with("values", two.into())).await.data(200);
}
