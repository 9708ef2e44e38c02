//! Contents in the bucket: whatever is lost or late, a preset has one, and nobody else.

use std::time::Duration;

use acceptance::{Account, World, fault_injection::Fault};
use domain::{Plan, PresetId};
use futures::future::join;
use reqwest::Method;
use serde_json::{Value, json};
use store::{
    accounts::storage::{Quotas, Storage},
    admission::Limits,
    keys::{self, LIST},
    presets::PresetPatch,
};

use super::{PRESETS, created, large_values, patched, small};

fn id_in(path: &str) -> PresetId {
    path.rsplit('/').next().expect("an id").parse().expect("ours")
}

fn large(name: &str, seed: u64) -> Value {
    let mut body = small(name);
    body["values"] = large_values(seed);
    body
}

fn patch(seed: u64) -> PresetPatch {
    let values = serde_json::from_value(large_values(seed)).expect("values");
    PresetPatch { name: None, values: Some(values) }
}

async fn values(account: &Account, path: &str) -> Value {
    account.get(path).await.data(200)["values"].clone()
}

#[tokio::test]
async fn values_that_were_replaced_before_their_writer_heard_of_them_stay_replaced() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let path = created(&account, &large("Before", 1)).await;
    let (store, id, allowance) = (&world.store, id_in(&path), Plan::Max.allowance());
    let quotas = Quotas { stored: Storage::default(), allowance: &allowance };
    world.faults.reset();
    // The first patch is written, and hears so only when the second one has replaced it.
    let held = Fault::AnswerHeld { until: "TransactWriteItems", lost: true };
    world.faults.inject("TransactWriteItems", held, 1);
    let first = store.patch_preset(account.id, id, patch(2), quotas);
    let second = async {
        world.until(|| world.faults.count("TransactWriteItems") == 1).await;
        store.patch_preset(account.id, id, patch(3), quotas).await
    };
    let (first, second) = world.advancing_time(join(first, second)).await;
    assert!(world.faults.is_exhausted());
    assert!(first.expect("storage").is_some() && second.expect("storage").is_some());
    assert_eq!(values(&account, &path).await, large_values(3), "the later one stays");
    world.process_everything().await;
    assert_eq!(values(&account, &path).await, large_values(3));
    assert_eq!(world.objects("durable/").await, 1);
}

#[tokio::test]
async fn a_preset_that_is_patched_while_it_is_listed_stays_in_the_list() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let path = created(&account, &large("Patched", 1)).await;
    let mut order = Vec::new();
    for number in 0..12 {
        world.clock.advance(Duration::from_millis(1));
        let preset = if number % 2 == 0 { large("n", number) } else { small("n") };
        order.insert(0, created(&account, &preset).await);
    }
    order.push(path.clone());
    // What the list has read of the record says where the content was.
    let held = Fault::AnswerHeld { until: "DeleteObject", lost: false };
    world.faults.reset();
    world.faults.inject("BatchGetItem", held, 1);
    let change = async {
        world.until(|| world.faults.count("BatchGetItem") == 1).await;
        patched(&account, &path, &json!({"values": large_values(99)})).await
    };
    let (listed, changed) = world.advancing_time(join(account.get(PRESETS), change)).await;
    assert!(world.faults.is_exhausted());
    let items = listed.data(200)["items"].as_array().expect("a list");
    let listed: Vec<_> = items
        .iter()
        .map(|item| format!("{PRESETS}/{}", item["id"].as_str().expect("id")))
        .collect();
    assert_eq!(listed, order);
    assert_eq!(items.last(), Some(&changed));
}

#[tokio::test]
async fn the_index_holds_small_contents_and_never_where_a_large_one_is() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for (body, is_held) in [(small("n"), true), (large("n", 1), false)] {
        let path = created(&account, &body).await;
        let entries = world.dynamodb.query().table_name(&world.store.names().table);
        let entries = entries
            .index_name(LIST)
            .key_condition_expression("lp = :lp")
            .expression_attribute_values(
                ":lp",
                aws_sdk_dynamodb::types::AttributeValue::S(keys::list_partition(
                    account.id,
                    keys::PRESET_LIST,
                )),
            );
        let entries = entries.send().await.expect("storage");
        let [entry] = entries.items() else { panic!("{entries:?}") };
        assert_eq!(entry.contains_key("bs"), is_held);
        assert!(!entry.contains_key("b"));
        account.delete(&path).await.data(200);
    }
}

#[tokio::test]
async fn what_could_not_be_removed_for_hours_is_removed_in_the_end() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let path = created(&account, &large("Doomed", 1)).await;
    let patch = json!({"values": large_values(2)});
    world.faults.inject("DeleteObject", Fault::Unreachable, 1_000_000);
    account.send(Method::PATCH, &path, &patch).await.data(200);
    account.delete(&path).await.data(200);
    assert_eq!(world.objects("durable/").await, 2);
    let mut received = 0;
    for _ in 0..240 {
        received += world.advancing_time(world.process()).await;
        world.clock.advance(Duration::from_secs(60));
    }
    assert!(received > 3 * 10, "{received} receives: more than a queue has patience for");
    world.faults.recover();
    for _ in 0..20 {
        world.advancing_time(world.process()).await;
        world.clock.advance(Duration::from_secs(60));
    }
    assert_eq!(world.objects("durable/").await, 0);
}
