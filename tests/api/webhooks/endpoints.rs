use std::time::Duration;

use acceptance::{
    World,
    receiver::{ENDPOINTS, Receiver},
};
use domain::Plan;
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

use super::Subscribed;

const URL: &str = "https://hooks.example/in?a=b";

#[tokio::test]
async fn an_endpoint_is_shown_as_it_was_created_and_its_secret_only_then() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let body = json!({
        "url": URL,
        "description": "Füße",
        "events": ["webhook.test", "operation.failed", "operation.failed"],
    });
    let made = account.send(Method::POST, ENDPOINTS, &body).await.data(200).clone();
    let secret = made["secret"].as_str().expect("a secret");
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "32 bytes: {secret}");
    let mut shown = made.clone();
    shown.as_object_mut().expect("an object").remove("secret");
    assert_eq!(
        shown,
        json!({
            "id": made["id"],
            "url": URL,
            "description": "Füße",
            "events": ["operation.failed", "webhook.test"],
            "enabled": true,
            "disabledReason": null,
            "lastDelivery": null,
            "createdAt": "2026-03-15T12:00:00.000Z",
            "updatedAt": "2026-03-15T12:00:00.000Z",
        })
    );
    assert_eq!(account.endpoint(&made["id"]).await, shown);
    let list = account.get(ENDPOINTS).await;
    assert_eq!(list.data(200), &json!({"items": [shown]}));
}

#[tokio::test]
async fn an_endpoint_has_one_to_seven_kinds_of_event_and_duplicates_count() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let kinds = [
        "operation.succeeded",
        "operation.failed",
        "usage.threshold_reached",
        "usage.limit_reached",
        "library.item.published",
        "library.item.unpublished",
        "webhook.test",
    ];
    assert_eq!(account.create_endpoint(URL, &kinds).await["events"], json!(kinds));
    let seven = account.create_endpoint(URL, &["webhook.test"; 7]).await;
    assert_eq!(seven["events"], json!(["webhook.test"]));
    let path = format!("{ENDPOINTS}/{}", seven["id"].as_str().expect("an id"));
    let eight = [&kinds[..], &["webhook.test"]].concat();
    for refused in [json!([]), json!(eight), json!(["usage.unknown"])] {
        let made = json!({"url": URL, "events": refused});
        account.send(Method::POST, ENDPOINTS, &made).await.is_error(400, "invalid_request");
        let patch = json!({"events": refused});
        account.send(Method::PATCH, &path, &patch).await.is_error(400, "invalid_request");
    }
    assert_eq!(account.endpoint(&seven["id"]).await["events"], json!(["webhook.test"]));
}

#[tokio::test]
async fn an_answer_with_a_secret_is_stored_by_nobody_on_the_way() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let body = json!({"url": URL, "events": ["webhook.test"]});
    let made = account.send(Method::POST, ENDPOINTS, &body).await;
    assert!(made.data(200)["secret"].is_string());
    assert_eq!(made.header("cache-control"), Some("no-store"));
    let path = format!("{ENDPOINTS}/{}", made.data(200)["id"].as_str().expect("an id"));
    let rotated = account.send(Method::PATCH, &path, &json!({"rotateSecret": true})).await;
    assert!(rotated.data(200)["secret"].is_string());
    assert_eq!(rotated.header("cache-control"), Some("no-store"));
    let patched = account.send(Method::PATCH, &path, &json!({"description": "New"})).await;
    assert!(patched.data(200).get("secret").is_none());
}

#[tokio::test]
async fn a_list_has_the_newest_first() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(account.create_endpoint(URL, &["webhook.test"]).await["id"].clone());
        world.clock.advance(Duration::from_millis(1));
    }
    made.reverse();
    let list = account.get(ENDPOINTS).await.data(200).clone();
    let ids: Vec<_> =
        list["items"].as_array().expect("a list").iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, made.iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_patch_changes_what_it_names() {
    let subscribed = Subscribed::to(&["operation.failed"]).await;
    let before = subscribed.shown().await;
    subscribed.world.clock.advance(Duration::from_secs(60));
    let other = Receiver::start().await;
    for (patch, property, value) in [
        (json!({"description": "New"}), "description", json!("New")),
        (json!({"description": ""}), "description", json!("")),
        (json!({"url": other.url}), "url", json!(other.url)),
        (json!({"events": ["webhook.test"]}), "events", json!(["webhook.test"])),
        (json!({"enabled": false}), "enabled", json!(false)),
        (json!({"enabled": true}), "enabled", json!(true)),
    ] {
        let earlier = subscribed.shown().await;
        let now = subscribed.patch(patch).await;
        assert_eq!(now, subscribed.shown().await);
        for (name, stands) in now.as_object().expect("an object") {
            match name.as_str() {
                "updatedAt" => assert_ne!(*stands, before[name]),
                name if name == property => assert_eq!(*stands, value),
                name => assert_eq!(*stands, earlier[name], "{name}"),
            }
        }
    }
}

#[tokio::test]
async fn a_rotated_secret_signs_at_once_and_the_old_one_never_again() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.succeed().await;
    assert!(subscribed.only_arrival().is_signed_with(&subscribed.secret));
    // Something is on its way already when the secret changes.
    let made = subscribed.account.generate("k", &super::goal()).await;
    made.data(200);
    let rotated = subscribed.patch(json!({"rotateSecret": true})).await;
    let secret = rotated["secret"].as_str().expect("another secret");
    assert_ne!(secret, subscribed.secret);
    subscribed.world.deliver_all().await;
    let received = subscribed.receiver.received();
    assert_eq!(received.len(), 2);
    assert!(received[1].is_signed_with(secret));
    assert!(!received[1].is_signed_with(&subscribed.secret));
    let unchanged = subscribed.patch(json!({"rotateSecret": false})).await;
    assert_eq!(unchanged.get("secret"), None);
    assert_eq!(subscribed.shown().await.get("secret"), None);
}

#[tokio::test]
async fn a_deleted_endpoint_is_gone_and_gets_nothing_more() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.account.generate("k", &super::goal()).await.data(200);
    let deleted = subscribed.account.delete(&subscribed.path()).await;
    assert_eq!(deleted.data(200), &json!({"id": subscribed.id, "deleted": true}));
    subscribed.account.delete(&subscribed.path()).await.is_error(404, "not_found");
    subscribed.account.get(&subscribed.path()).await.is_error(404, "not_found");
    assert_eq!(subscribed.account.get(ENDPOINTS).await.data(200), &json!({"items": []}));
    subscribed.succeed().await;
    assert_eq!(subscribed.receiver.count(), 0);
}

#[tokio::test]
async fn of_thirty_creations_at_once_ten_succeed() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let body = json!({"url": URL, "events": ["webhook.test"]});
    let tries = (0..30).map(|_| account.send(Method::POST, ENDPOINTS, &body));
    let answers = world.advancing_time(join_all(tries)).await;
    let made = answers.iter().filter(|answer| answer.status == 200).count();
    let list = account.get(ENDPOINTS).await.data(200).clone();
    assert_eq!(list["items"].as_array().map(Vec::len), Some(made));
    assert!(made <= 10, "{made} were created");
    // Whoever met too many others may try again.
    for _ in made..10 {
        account.send(Method::POST, ENDPOINTS, &body).await.data(200);
    }
    let refused = account.send(Method::POST, ENDPOINTS, &body).await;
    refused.is_error(409, "endpoint_limit_reached");
    let first: &Value = &account.get(ENDPOINTS).await.data(200)["items"][0].clone();
    let path = format!("{ENDPOINTS}/{}", first["id"].as_str().expect("an id"));
    account.delete(&path).await.data(200);
    account.send(Method::POST, ENDPOINTS, &body).await.data(200);
}

#[tokio::test]
async fn of_patches_at_once_none_reverts_another() {
    let subscribed = Subscribed::to(&["operation.failed"]).await;
    let patches = [
        json!({"description": "New"}),
        json!({"events": ["operation.succeeded"]}),
        json!({"url": URL}),
        json!({"enabled": false}),
    ];
    let path = subscribed.path();
    let send = |patch| subscribed.account.send(Method::PATCH, &path, patch);
    let answers = subscribed.world.advancing_time(join_all(patches.iter().map(send))).await;
    for answer in &answers {
        answer.data(200);
    }
    let now = subscribed.shown().await;
    assert_eq!(now["description"], "New");
    assert_eq!(now["events"], json!(["operation.succeeded"]));
    assert_eq!(now["url"], URL);
    assert_eq!(now["enabled"], false);
}

#[tokio::test]
async fn the_table_has_no_secret_that_can_be_read() {
    let subscribed = Subscribed::to(&["webhook.test"]).await;
    let id = subscribed.id.as_str().expect("an id").parse().expect("an identifier");
    let stored = subscribed.world.store.endpoint(subscribed.account.id, id).await;
    let encrypted = stored.expect("storage").expect("an endpoint").encrypted_secret;
    let secret = webhook_delivery::secret::parse(&subscribed.secret).expect("base64");
    assert_eq!(secret.len(), 32);
    assert!(!encrypted.windows(4).any(|window| secret.windows(4).any(|part| part == window)));
}
