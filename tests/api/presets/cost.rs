//! Round trips and units of the preset operations: the figures of `infra/tables.md`.

use acceptance::World;
use domain::Plan;
use reqwest::Method;
use serde_json::json;
use store::admission::Limits;

use super::{PRESETS, created, patched, small};

#[tokio::test]
async fn each_request_makes_no_more_trips_than_it_must() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    // The first requests open the connections and the rate window.
    created(&account, &small("n0")).await;

    world.faults.reset();
    created(&account, &small("n1")).await;
    assert_eq!(world.faults.cost(), (2, 2, 1.0, 5.0), "created in a short list");

    // From then on the list has an offset index.
    world.set_list_changes(account.id, store::list::change::UNINDEXED_CHANGES).await;
    for number in 2..60 {
        created(&account, &small(&format!("n{number}"))).await;
        world.clock.advance(std::time::Duration::from_millis(1));
    }

    world.faults.reset();
    let path = created(&account, &small("New")).await;
    assert_eq!(world.faults.cost(), (2, 2, 1.0, 7.0), "created");

    world.faults.reset();
    account.get(&path).await.data(200);
    assert_eq!(world.faults.cost(), (1, 1, 1.0, 0.0), "read");

    world.faults.reset();
    account.send(Method::POST, &format!("{path}/render"), &json!({})).await.data(200);
    assert_eq!(world.faults.cost(), (1, 1, 1.0, 0.0), "rendered");

    world.faults.reset();
    account.get(PRESETS).await.data(200);
    let (trips, calls, reads, writes) = world.faults.cost();
    assert_eq!((trips, calls, writes), (1, 1, 0.0), "first page");
    assert!(reads <= 1.5, "{reads} units for 26 small presets");

    world.faults.reset();
    account.get(&format!("{PRESETS}?offset=51&limit=5")).await.data(200);
    let (trips, calls, reads, writes) = world.faults.cost();
    assert_eq!((trips, calls, writes), (2, 2, 0.0), "far page");
    assert!(reads <= 3.0, "{reads} units");

    world.faults.reset();
    patched(&account, &path, &json!({"name": "Another"})).await;
    assert_eq!(world.faults.cost(), (2, 1, 0.0, 2.0), "renamed: table and index");

    world.faults.reset();
    patched(&account, &path, &json!({"values": {}})).await;
    assert_eq!(world.faults.cost(), (3, 2, 1.0, 5.0), "other values");

    world.faults.reset();
    account.delete(&path).await.data(200);
    assert_eq!(world.faults.cost(), (3, 3, 2.0, 7.0), "deleted");
    assert_eq!(world.faults.count("SendMessage"), 0, "nothing was in the bucket");
}
