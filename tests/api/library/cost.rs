//! Round trips and units of the library's operations: the figures of `infra/tables.md`.

use std::time::Duration;

use acceptance::World;
use domain::Plan;
use reqwest::Method;
use serde_json::json;
use store::admission::Limits;

use super::{created, full, page, post, published, titles};

#[tokio::test]
async fn each_request_makes_no_more_trips_than_it_must() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    // The first requests open the connections and the rate window, and read the listings.
    for number in 0..40 {
        published(&account, &full(&format!("n{number}"))).await;
        world.clock.advance(Duration::from_secs(1));
    }
    world.clock.advance(Duration::from_secs(300));
    post(&account, "/library/items/lib_01ARZ3NDEKTSV4RRFFQ69G5FAV/vote").await;
    for scope in ["my", "community", "official"] {
        page(&account, &format!("scope={scope}")).await;
    }
    world.clock.advance(Duration::from_secs(300));
    page(&account, "scope=community").await;

    world.faults.reset();
    let path = created(&account, &full("New")).await;
    assert_eq!(world.faults.cost(), (2, 2, 1.0, 6.0), "created");

    world.faults.reset();
    account.get(&path).await.data(200);
    assert_eq!(world.faults.cost(), (1, 1, 3.0, 0.0), "read");

    world.faults.reset();
    account.send(Method::PATCH, &path, &json!({"title": "Newer"})).await.data(200);
    assert_eq!(world.faults.cost(), (2, 2, 3.0, 6.0), "changed");

    world.faults.reset();
    post(&account, &format!("{path}/publish")).await.data(200);
    assert_eq!(world.faults.cost(), (5, 5, 11.0, 11.0), "published, unless its prompt is blocked");

    world.faults.reset();
    post(&account, &format!("{path}/vote")).await.data(200);
    assert_eq!(world.faults.cost(), (4, 5, 6.0, 6.0), "voted");

    world.faults.reset();
    post(&account, &format!("{path}/saved")).await.data(200);
    assert_eq!(world.faults.cost(), (3, 4, 6.0, 4.0), "saved");

    world.clock.advance(Duration::from_secs(300));
    page(&account, "scope=community").await;
    world.clock.advance(Duration::from_secs(300));
    page(&account, "scope=community").await;
    world.faults.reset();
    assert_eq!(titles(&page(&account, "scope=community").await).len(), 30);
    assert_eq!(
        world.faults.cost(),
        (2, 2, 91.0, 0.0),
        "a page of thirty: 3 R an item, 1 R for the listing"
    );

    world.faults.reset();
    page(&account, "scope=community&query=pram&sort=top&models=Universal&page=2").await;
    let (trips, calls, _, writes) = world.faults.cost();
    assert_eq!((trips, calls, writes), (2, 2, 0.0), "any other page");

    page(&account, "scope=saved").await;
    world.faults.reset();
    page(&account, "scope=saved").await;
    let (trips, _, reads, writes) = world.faults.cost();
    assert_eq!((trips, writes), (3, 0.0), "what is saved");
    assert!(reads <= 12.0, "{reads} units for one saved item");

    world.faults.reset();
    account.delete(&format!("{path}/publish")).await.data(200);
    assert_eq!(world.faults.cost(), (4, 4, 3.0, 9.0), "taken back");

    world.faults.reset();
    account.delete(&path).await.data(200);
    assert_eq!(world.faults.cost(), (3, 3, 3.0, 6.0), "deleted");

    let path = published(&account, &full("Short-lived")).await;
    world.faults.reset();
    account.delete(&path).await.data(200);
    assert_eq!(world.faults.cost(), (5, 5, 3.0, 11.0), "deleted while everybody sees it");
}
