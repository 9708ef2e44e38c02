//! How much an account may keep: presets and library items, and bytes of these and of history.

use acceptance::{
    Account, Answer, World, account::fresh_key, fault_injection::Fault, receiver::Receiver,
};
use domain::{LibraryId, Plan, PresetId};
use futures::future::{join, join_all};
use reqwest::Method;
use serde_json::{Value, json};
use store::keys::{self, Key};

use crate::presets::large_values;

const PRESETS: &str = "/prompt-presets";
const ITEMS: &str = "/library/items";

async fn create_preset(account: &Account, value: &str) -> Answer {
    let preset =
        json!({"name": "Trips", "promptText": "Go to {{city}}", "values": {"city": value}});
    account.send(Method::POST, PRESETS, &preset).await
}

async fn create_item(account: &Account, text: &str) -> Answer {
    let item = json!({
        "title": "Trip", "promptText": text, "recommendedModels": ["Universal"], "category": "Travel",
    });
    account.send(Method::POST, ITEMS, &item).await
}

async fn generate(account: &Account, key: &str) -> Answer {
    account.generate(key, &json!({"message": "Write a haiku about rain"})).await
}

async fn storage(account: &Account) -> Value {
    account.usage().await["storage"].clone()
}

fn path_of(parent: &str, answer: &Answer) -> String {
    format!("{parent}/{}", answer.data(200)["id"].as_str().expect("an id"))
}

/// An account whose operator lets it keep so much.
async fn limited(world: &World, items: u32, bytes: u64) -> Account {
    let account = world.account(Plan::Max).await;
    let set = world.store.set_quotas(account.id, Some(items), Some(bytes));
    set.await.expect("storage");
    account
}

async fn remove_attributes(world: &World, key: Key, names: &str) {
    let update = world.dynamodb.update_item().table_name(&world.store.names().table);
    let update = update.set_key(Some(key)).update_expression(format!("REMOVE {names}"));
    update.send().await.expect("the table answers");
}

#[tokio::test]
async fn presets_and_library_items_share_one_quota() {
    let world = World::start().await;
    let account = limited(&world, 2, 1_000_000).await;
    let preset = path_of(PRESETS, &create_preset(&account, "Rome").await);
    let item = path_of(ITEMS, &create_item(&account, "Plan a trip").await);
    for refused in [create_preset(&account, "Bern").await, create_item(&account, "Pack").await] {
        let error = refused.is_error(403, "quota_exceeded");
        assert!(
            error["message"].as_str().is_some_and(|message| message.contains(" 2 ")),
            "{error}"
        );
    }
    let kept = storage(&account).await;
    assert_eq!((&kept["items"], &kept["itemsLimit"]), (&json!(2), &json!(2)));

    // What exists above a quota stays readable, changeable and deletable.
    world.store.set_quotas(account.id, Some(1), Some(1)).await.expect("storage");
    account.get(&preset).await.data(200);
    account.send(Method::PATCH, &preset, &json!({"name": "Journeys"})).await.data(200);
    account.send(Method::PATCH, &preset, &json!({"values": {}})).await.data(200);
    account.send(Method::PATCH, &item, &json!({"promptText": "Plan"})).await.data(200);
    account.delete(&preset).await.data(200);
    create_preset(&account, "Rome").await.is_error(403, "quota_exceeded");
    account.delete(&item).await.data(200);
    world.store.set_quotas(account.id, None, None).await.expect("storage");
    create_preset(&account, "Rome").await.data(200);
    assert_eq!(storage(&account).await["itemsLimit"], 20_000);
}

#[tokio::test]
async fn what_is_deleted_counts_no_longer() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let preset = path_of(PRESETS, &create_preset(&account, &"Rome ".repeat(1_000)).await);
    let with_preset = storage(&account).await["bytes"].as_u64().expect("a number");
    assert!(with_preset > 5_000, "{with_preset}");
    let item = path_of(ITEMS, &create_item(&account, &"Plan a trip. ".repeat(500)).await);
    let with_item = storage(&account).await["bytes"].as_u64().expect("a number");
    assert!(with_item > with_preset + 6_500, "{with_item}");
    let first = generate(&account, &fresh_key()).await.data(200)["generationId"].clone();
    let once = storage(&account).await["bytes"].as_u64().expect("a number");
    assert!(once > with_item + 100, "{once}");
    let next = json!({"message": "Make it longer", "generationId": first});
    account.generate(&fresh_key(), &next).await.data(200);
    assert!(storage(&account).await["bytes"].as_u64() > Some(once));

    let generation = format!("/history/generation/{}", first.as_str().expect("an id"));
    for path in [generation, preset, item] {
        account.delete(&path).await.data(200);
        account.delete(&path).await.is_error(404, "not_found");
    }
    let kept = storage(&account).await;
    assert_eq!(
        kept,
        json!({
            "items": 0, "itemsLimit": 20_000, "bytes": 0, "bytesLimit": 20_000_000_000_u64,
        })
    );
}

#[tokio::test]
async fn what_was_written_before_accounts_counted_counts_from_its_next_change_on() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let mut paths = Vec::new();
    for number in 0..2 {
        let preset = create_preset(&account, "Rome").await.data(200)["id"].clone();
        let item = create_item(&account, "Plan a trip").await.data(200)["id"].clone();
        let of = |id: &Value| id.as_str().expect("an identifier").to_owned();
        let (preset, item) = (of(&preset), of(&item));
        let id: PresetId = preset.parse().expect("an identifier");
        remove_attributes(&world, keys::preset(account.id, id), "kb").await;
        let id: LibraryId = item.parse().expect("an identifier");
        remove_attributes(&world, keys::library_item(id), "kb").await;
        paths.push((number, format!("{PRESETS}/{preset}"), format!("{ITEMS}/{item}")));
    }
    remove_attributes(&world, keys::account_item(account.id), "si, sb").await;

    for (number, preset, item) in paths {
        if number == 0 {
            let values = json!({"values": {"city": "Bern"}});
            account.send(Method::PATCH, &preset, &values).await.data(200);
            account.send(Method::PATCH, &item, &json!({"promptText": "Plan"})).await.data(200);
            let kept = storage(&account).await;
            assert_eq!(kept["items"], 2);
            assert!(kept["bytes"].as_u64() > Some(1_500), "{kept}");
        }
        account.delete(&preset).await.data(200);
        account.delete(&item).await.data(200);
        let kept = storage(&account).await;
        assert_eq!((&kept["items"], &kept["bytes"]), (&json!(0), &json!(0)));
    }
}

#[tokio::test]
async fn a_content_beyond_the_quota_does_not_reach_the_bucket() {
    let world = World::start().await;
    let account = limited(&world, 10, 10_000).await;
    let preset = path_of(PRESETS, &create_preset(&account, "Rome").await);
    let values = large_values(1);
    let long = json!({"name": "Trips", "promptText": "Go", "values": values});
    let patch = json!({"values": values});
    world.faults.inject("PutObject", Fault::Unreachable, 1);
    account.send(Method::POST, PRESETS, &long).await.is_error(403, "quota_exceeded");
    account.send(Method::PATCH, &preset, &patch).await.is_error(403, "quota_exceeded");
    assert!(!world.faults.is_exhausted(), "nothing was put");
    world.faults.recover();
    world.store.set_quotas(account.id, None, None).await.expect("storage");
    account.send(Method::PATCH, &preset, &patch).await.data(200);
    assert_eq!(world.objects("durable/").await, 1, "an item is too small for it");
}

#[tokio::test]
async fn a_content_that_grows_needs_room() {
    let world = World::start().await;
    let account = limited(&world, 10, 20_000).await;
    let preset = path_of(PRESETS, &create_preset(&account, "Rome").await);
    let item = path_of(ITEMS, &create_item(&account, "Plan").await);
    let before = storage(&account).await;
    let long = "x".repeat(9_900);
    let values = json!({"values": {"a": &long, "b": &long}});
    account.send(Method::PATCH, &preset, &values).await.is_error(403, "quota_exceeded");
    let text = json!({"promptText": format!("{long}{long}")});
    account.send(Method::PATCH, &item, &text).await.is_error(403, "quota_exceeded");
    assert_eq!(storage(&account).await, before);
    assert_eq!(account.get(&preset).await.data(200)["values"], json!({"city": "Rome"}));
    assert_eq!(account.get(&item).await.data(200)["promptText"], "Plan");

    let half = json!({"values": {"a": &long}});
    assert_eq!(
        *account.send(Method::PATCH, &preset, &half).await.data(200),
        *account.get(&preset).await.data(200)
    );
    account.send(Method::PATCH, &preset, &json!({"values": {"city": "Rome"}})).await.data(200);
    assert_eq!(storage(&account).await["bytes"], before["bytes"]);
}

#[tokio::test]
async fn without_room_only_operations_start_whose_results_are_not_kept() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let made = generate(&account, "k").await.data(200).clone();
    world.store.set_quotas(account.id, None, Some(10)).await.expect("storage");
    generate(&account, &fresh_key()).await.is_error(403, "quota_exceeded");
    let deferred = account.generate_async(&fresh_key(), &json!({"message": "A haiku"})).await;
    deferred.is_error(403, "quota_exceeded");
    assert_eq!(account.usage().await["credits"]["used"], 1);
    assert_eq!(account.usage().await["credits"]["held"], 0);
    assert_eq!(*generate(&account, "k").await.data(200), made, "a retry has its result");
    let text = "The sea is calm tonight, and the tide is full. ".repeat(5);
    let text = json!({"type": "text", "content": text});
    account.post("/reverse-prompts", &fresh_key(), &text).await.data(200);
    let path = format!("/history/generation/{}", made["generationId"].as_str().expect("an id"));
    account.delete(&path).await.data(200);
    generate(&account, &fresh_key()).await.data(200);
}

#[tokio::test]
async fn requests_at_once_never_keep_more_than_the_quota() {
    let world = World::start().await;
    let account = limited(&world, 5, 1_000_000).await;
    let presets = (0..6).map(|_| create_preset(&account, "Rome"));
    let items = (0..6).map(|_| create_item(&account, "Plan a trip"));
    let all = join(join_all(presets), join_all(items));
    let (presets, items) = world.advancing_time(all).await;
    let mut kept = 0;
    for answer in presets.iter().chain(&items) {
        match answer.status.as_u16() {
            200 => kept += 1,
            _ => _ = answer.is_error(403, "quota_exceeded"),
        }
    }
    assert_eq!(kept, 5);
    assert_eq!(storage(&account).await["items"], 5);
}

#[tokio::test]
async fn four_fifths_of_the_bytes_are_reported_once_a_month() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let receiver = Receiver::start().await;
    account.create_endpoint(&receiver.url, &["usage.threshold_reached"]).await;
    world.store.set_quotas(account.id, None, Some(u64::MAX)).await.expect("storage");
    generate(&account, &fresh_key()).await.data(200);
    world.deliver_all().await;
    assert_eq!(receiver.count(), 0);
    let kept = storage(&account).await["bytes"].as_u64().expect("a number");
    // The second result reaches four fifths, and the third as well.
    let limit = kept * 5 / 2;
    world.store.set_quotas(account.id, None, Some(limit)).await.expect("storage");
    for _ in 0..2 {
        generate(&account, &fresh_key()).await.data(200);
        world.deliver_all().await;
    }
    assert_eq!(receiver.count(), 1);
    let event = receiver.received()[0].event();
    assert_eq!(event["type"], "usage.threshold_reached");
    let data = &event["data"];
    assert_eq!((&data["resource"], &data["limit"]), (&json!("storage"), &json!(limit)));
    assert_eq!(data["reached"], (limit * 4).div_ceil(5));
}
