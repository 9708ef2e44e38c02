//! The service dies before and after each of its calls to storage.

use acceptance::{Account, World, fault_injection::CrashPoint};
use domain::Plan;
use futures::{StreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;
use store::list::change::UNINDEXED_CHANGES;

use super::{PRESETS, created, large_values, names, small};

/// Worlds at the same time.
const AT_ONCE: usize = 6;
/// More than any of these requests makes.
const CALLS: usize = 9;

fn crash_points() -> impl Iterator<Item = CrashPoint> {
    [false, true]
        .into_iter()
        .flat_map(|call_arrives| (0..CALLS).map(move |after| CrashPoint { after, call_arrives }))
}

fn large(name: &str, seed: u64) -> Value {
    let mut body = small(name);
    body["values"] = large_values(seed);
    body
}

/// The list, what it counts, each preset and the bucket say the same, now and when every message has
/// been handled.
async fn assert_whole(world: &World, account: &Account, objects: usize, place: &str) -> Vec<Value> {
    world.process_everything().await;
    let page = account.get(&format!("{PRESETS}?limit=100")).await.data(200).clone();
    let items = page["items"].as_array().expect("a list").clone();
    for item in &items {
        let path = format!("{PRESETS}/{}", item["id"].as_str().expect("an id"));
        assert_eq!(account.get(&path).await.data(200), item, "{place}");
    }
    let list = store::list::offset_index::List::presets(account.id);
    assert_eq!(world.counted(list).await, Some(items.len() as u64), "{place}");
    assert_eq!(world.objects("durable/").await, objects, "{place}");
    items
}

#[tokio::test]
async fn a_creation_that_crashes_leaves_a_whole_preset_or_nothing() {
    let tries = crash_points().map(|crash_point| async move {
        let place = format!("{crash_point:?}");
        let mut world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        world.set_list_changes(account.id, UNINDEXED_CHANGES).await;
        created(&account, &small("Before")).await;
        world.faults.crash(crash_point);
        let body = large("New", 1);
        let create = account.send(Method::POST, PRESETS, &body);
        let answer = world.faults.or_crash(create).await;
        world.restart();
        let page = account.get(PRESETS).await.data(200).clone();
        let is_there = names(&page).contains(&"New");
        if let Some(answer) = answer {
            answer.data(200);
            assert!(is_there, "{place}");
        }
        let items = assert_whole(&world, &account, usize::from(is_there), &place).await;
        assert_eq!(items.len(), 1 + usize::from(is_there), "{place}");
        is_there
    });
    let outcomes: Vec<_> = stream::iter(tries).buffer_unordered(AT_ONCE).collect().await;
    assert!(outcomes.contains(&true) && outcomes.contains(&false));
}

#[tokio::test]
async fn a_patch_that_crashes_is_done_or_not_done_and_leaves_no_old_values() {
    let tries = crash_points().map(|crash_point| async move {
        let place = format!("{crash_point:?}");
        let mut world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        world.set_list_changes(account.id, UNINDEXED_CHANGES).await;
        let path = created(&account, &large("Before", 1)).await;
        world.faults.crash(crash_point);
        let patch = json!({"name": "After", "values": large_values(2)});
        let send = account.send(Method::PATCH, &path, &patch);
        let answer = world.faults.or_crash(send).await;
        world.restart();
        let items = assert_whole(&world, &account, 1, &place).await;
        let is_done = items[0]["name"] == "After";
        let seed = if is_done { 2 } else { 1 };
        assert_eq!(items[0]["values"], large_values(seed), "{place}");
        if let Some(answer) = answer {
            answer.data(200);
            assert!(is_done, "{place}");
        }
        is_done
    });
    let outcomes: Vec<_> = stream::iter(tries).buffer_unordered(AT_ONCE).collect().await;
    assert!(outcomes.contains(&true) && outcomes.contains(&false));
}

#[tokio::test]
async fn a_deletion_that_crashes_is_done_or_not_done() {
    let tries = crash_points().map(|crash_point| async move {
        let place = format!("{crash_point:?}");
        let mut world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        world.set_list_changes(account.id, UNINDEXED_CHANGES).await;
        created(&account, &small("Other")).await;
        let path = created(&account, &large("Doomed", 1)).await;
        world.faults.crash(crash_point);
        let answer = world.faults.or_crash(account.delete(&path)).await;
        world.restart();
        let is_done = account.get(&path).await.status == 404;
        if let Some(answer) = answer {
            answer.data(200);
            assert!(is_done, "{place}");
        }
        let left = usize::from(!is_done);
        let items = assert_whole(&world, &account, left, &place).await;
        assert_eq!(items.len(), 1 + left, "{place}");
        let again = account.delete(&path).await;
        assert_eq!(again.status, if is_done { 404 } else { 200 }, "{place}");
        assert_whole(&world, &account, 0, &place).await;
        is_done
    });
    let outcomes: Vec<_> = stream::iter(tries).buffer_unordered(AT_ONCE).collect().await;
    assert!(outcomes.contains(&true) && outcomes.contains(&false));
}
