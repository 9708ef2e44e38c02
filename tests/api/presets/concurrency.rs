use std::collections::BTreeSet;

use acceptance::{World, uploads::id_of};
use domain::Plan;
use futures::future::{join, join_all};
use reqwest::Method;
use serde_json::json;
use store::{admission::Limits, list::change::UNINDEXED_CHANGES, list::offset_index::List};

use super::{PRESETS, created, large_values, small};

#[tokio::test]
async fn of_20_patches_at_once_none_reverts_what_another_one_changed() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for large in [false, true] {
        let path = &created(&account, &small("Before")).await;
        let account = &account;
        let tries = (0..20_u64).map(|number| async move {
            let values = match large {
                true => large_values(number),
                false => json!({"n": number.to_string()}),
            };
            let patch = match number % 2 {
                0 => json!({"name": format!("Name {number}")}),
                _ => json!({"values": values}),
            };
            let answer = account.send(Method::PATCH, path, &patch).await;
            let now = answer.data(200).clone();
            for (property, value) in patch.as_object().expect("properties") {
                assert_eq!(now[property], *value, "the answer has what was asked for");
            }
            patch
        });
        let patches = world.advancing_time(join_all(tries)).await;
        let now = account.get(path).await.data(200).clone();
        assert!(patches.iter().any(|patch| patch["name"] == now["name"]), "{}", now["name"]);
        assert!(patches.iter().any(|patch| patch["values"] == now["values"]));
        let objects = usize::from(large);
        assert_eq!(world.objects("durable/").await, objects, "only one's values are kept");
    }
    world.process_everything().await;
    assert_eq!(world.objects("durable/").await, 1);
}

#[tokio::test]
async fn a_patch_meets_a_deletion_and_one_of_them_wins() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for round in 0..10 {
        let path = created(&account, &small("Doomed")).await;
        let patch = json!({"values": large_values(round)});
        let both = join(account.send(Method::PATCH, &path, &patch), account.delete(&path));
        let (patched, deleted) = world.advancing_time(both).await;
        deleted.data(200);
        assert!([200, 404].contains(&patched.status.as_u16()), "{}", patched.body);
        account.get(&path).await.is_error(404, "not_found");
    }
    world.process_everything().await;
    assert_eq!(world.objects("durable/").await, 0);
}

#[tokio::test]
async fn of_creations_and_deletions_at_once_none_is_lost() {
    for changes in [0, UNINDEXED_CHANGES - 20, UNINDEXED_CHANGES] {
        assert_none_is_lost(changes).await;
    }
}

async fn assert_none_is_lost(changes: i64) {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    world.set_list_changes(account.id, changes).await;
    let body = small("Old");
    let old = world.advancing_time(join_all((0..12).map(|_| created(&account, &body)))).await;
    let body = small("New");
    let creations = (0..12).map(|_| account.send(Method::POST, PRESETS, &body));
    let deletions = old.iter().map(|path| account.delete(path));
    let (made, deleted) =
        world.advancing_time(join(join_all(creations), join_all(deletions))).await;
    deleted.iter().for_each(|answer| {
        answer.data(200);
    });
    let made: BTreeSet<_> = made.iter().map(|answer| id_of(answer.data(200))).collect();
    let page = account.get(PRESETS).await.data(200).clone();
    let listed: BTreeSet<_> = page["items"].as_array().expect("a list").iter().map(id_of).collect();
    assert_eq!(listed, made);
    let counted = world.counted(List::presets(account.id)).await;
    assert_eq!(counted, (changes > 0).then_some(12));
}
