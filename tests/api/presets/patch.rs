use std::time::Duration;

use acceptance::{World, fault_injection::Fault};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

use super::{PRESETS, created, large_values, names, patched, small};
use crate::history::delete::incompressible;

#[tokio::test]
async fn a_patch_changes_what_it_names_and_nothing_else() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let path = created(&account, &small("Cities")).await;
    let made = account.get(&path).await.data(200).clone();
    world.clock.advance(Duration::from_secs(1));
    let renamed = patched(&account, &path, &json!({"name": "Städte"})).await;
    let mut expected = made.clone();
    expected["name"] = "Städte".into();
    expected["updatedAt"] = "2026-03-15T12:00:01.000Z".into();
    assert_eq!(renamed, expected);
    world.clock.advance(Duration::from_secs(1));
    let values = json!({"travellers": "two"});
    let revalued = patched(&account, &path, &json!({"values": values})).await;
    expected["values"] = values;
    expected["updatedAt"] = "2026-03-15T12:00:02.000Z".into();
    assert_eq!(revalued, expected, "values are replaced as a whole");
    let both = patched(&account, &path, &json!({"name": "Both", "values": {}})).await;
    expected["name"] = "Both".into();
    expected["values"] = json!({});
    assert_eq!(both, expected);
    assert_eq!(*account.get(&path).await.data(200), expected);
    assert_eq!(account.get(PRESETS).await.data(200)["items"], json!([expected]));
    for (search, found) in [("BOTH", 1), ("st%C3%84dte", 0), ("cities", 0)] {
        let page = account.get(&format!("{PRESETS}?search={search}")).await.data(200).clone();
        assert_eq!(names(&page).len(), found, "{search}");
    }
}

#[tokio::test]
async fn a_patch_has_a_name_or_values_and_nothing_else() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let path = created(&account, &small("Cities")).await;
    for (body, problem) in [
        (json!({}), ""),
        (json!({"name": ""}), "/name"),
        (json!({"name": "x".repeat(121)}), "/name"),
        (json!({"name": null}), "/name"),
        (json!({"values": null}), "/values"),
        (json!({"values": {"a": "x".repeat(10_001)}}), "/values/a"),
        (json!({"name": "x", "promptText": "y"}), "/promptText"),
        (json!({"templateTitle": "x"}), "/templateTitle"),
    ] {
        let answer = account.send(Method::PATCH, &path, &body).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), [problem], "{body}");
    }
    assert_eq!(account.get(&path).await.data(200)["name"], "Cities");
}

#[tokio::test]
async fn values_move_between_index_table_and_bucket_and_leave_nothing_behind() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let path = created(&account, &small("Cities")).await;
    let medium = json!({"a": incompressible(3_000)});
    let steps: [(Value, usize); 8] = [
        (large_values(1), 1),
        (large_values(2), 1),
        (medium.clone(), 0),
        (json!({}), 0),
        (large_values(3), 1),
        (json!({"a": "b"}), 0),
        (medium, 0),
        (large_values(4), 1),
    ];
    for (values, objects) in steps {
        let answer = patched(&account, &path, &json!({"values": values})).await;
        assert_eq!(answer["values"], values);
        assert_eq!(account.get(&path).await.data(200)["values"], values);
        let listed = account.get(PRESETS).await.data(200).clone();
        assert_eq!(listed["items"][0]["values"], values);
        assert_eq!(world.objects("durable/").await, objects);
    }
    let renamed = patched(&account, &path, &json!({"name": "In the bucket"})).await;
    assert_eq!(renamed["values"], large_values(4));
    world.process_everything().await;
    assert_eq!(account.get(&path).await.data(200)["values"], large_values(4));
    assert_eq!(world.objects("durable/").await, 1);
}

#[tokio::test]
async fn a_patch_whose_answer_got_lost_is_not_undone() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let path = created(&account, &small("Cities")).await;
    patched(&account, &path, &json!({"values": large_values(1)})).await;
    for (seed, lost) in [(2, 1), (3, 2), (4, 3)] {
        // The gate's update may be the one whose answer is lost: it is asked again, like the patch's.
        world.faults.inject("UpdateItem", Fault::AnswerLost, lost);
        let patch = json!({"name": format!("n{seed}"), "values": large_values(seed)});
        let sent = account.send(Method::PATCH, &path, &patch);
        let answer = world.advancing_time(sent).await;
        world.faults.recover();
        if answer.status == 200 {
            assert_eq!(answer.data(200)["values"], patch["values"]);
            let read = account.get(&path).await.data(200).clone();
            assert_eq!(read["values"], patch["values"], "{lost} answers lost");
            assert_eq!(read["name"], patch["name"]);
        }
        world.process_everything().await;
        assert!(account.get(&path).await.data(200)["values"]["value 1"].is_string());
        assert_eq!(world.objects("durable/").await, 1);
    }
}
