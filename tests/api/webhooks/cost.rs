//! Trips and units of webhooks: the figures of `infra/tables.md`.

use acceptance::{
    World,
    account::fresh_key,
    receiver::{ENDPOINTS, ReceiverBehavior},
};
use domain::{Plan, Scopes};
use reqwest::Method;
use serde_json::json;
use store::admission::Limits;

use super::{Subscribed, goal};

#[track_caller]
fn assert_trips(world: &World, name: &str, trips: usize, calls: usize) {
    let made = world.faults.calls();
    let operations: Vec<_> = made.iter().map(|call| &call.operation).collect();
    assert_eq!(world.faults.sequential_trips(), trips, "{name}: {operations:?}");
    assert_eq!(made.len(), calls, "{name}: {operations:?}");
}

#[tokio::test]
async fn the_operations_make_no_more_trips_than_they_must() {
    let subscribed = Subscribed::to(&["operation.failed"]).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    account.get(ENDPOINTS).await.data(200);
    let path = subscribed.path();

    world.faults.reset();
    account.get(ENDPOINTS).await.data(200);
    assert_trips(world, "list", 1, 2);
    assert_eq!(world.faults.units("Query"), 1.0);

    world.faults.reset();
    account.get(&path).await.data(200);
    assert_trips(world, "read", 1, 2);

    world.faults.reset();
    account.send(Method::POST, &path, &json!({})).await.data(200);
    assert_trips(world, "test", 3, 4);
    assert_eq!(world.faults.count("UpdateItem"), 3, "admission, and the counter of the host twice");

    world.faults.reset();
    account.create_endpoint(&subscribed.receiver.url, &["webhook.test"]).await;
    assert_trips(world, "create", 3, 3);
    assert_eq!(world.faults.units("TransactWriteItems"), 6.0);

    world.faults.reset();
    account.send(Method::PATCH, &path, &json!({"description": "d"})).await.data(200);
    assert_trips(world, "patch", 3, 4);
    assert_eq!(world.faults.units("TransactWriteItems"), 6.0);

    world.faults.reset();
    account.delete(&path).await.data(200);
    assert_trips(world, "delete", 3, 3);
    assert_eq!(world.faults.units("TransactWriteItems"), 6.0);
}

#[tokio::test]
async fn an_end_that_is_delivered_costs_one_trip_more_and_its_delivery_few_reads() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    subscribed.succeed().await;
    world.faults.reset();
    account.generate(&fresh_key(), &goal()).await.data(200);
    assert_trips(world, "synchronous", 6, 8);
    assert_eq!(world.faults.count("SendMessage"), 2, "the watchdog's and the announcement");

    world.faults.reset();
    assert_eq!(world.deliver_without_advancing().await, 1);
    assert_eq!(world.faults.count("TransactGetItems"), 1);
    assert_eq!(world.faults.units("TransactGetItems"), 4.0);
    assert_eq!(world.faults.count("SendMessageBatch"), 1);

    for _ in 0..9 {
        account.generate(&fresh_key(), &goal()).await.data(200);
    }
    assert_eq!(world.deliver_without_advancing().await, 10, "nine announcements and a delivery");
    world.faults.reset();
    assert_eq!(world.deliver_without_advancing().await, 9);
    assert_eq!(world.faults.count("BatchGetItem"), 1, "one read for all of a batch");
    assert_eq!(world.faults.units("BatchGetItem"), 1.0);
    assert_eq!(world.faults.count("UpdateItem"), 0);
    assert_eq!(world.faults.count("BatchWriteItem"), 1, "records are written together");
    assert_eq!(world.faults.units("BatchWriteItem"), 9.0, "the record of each delivery");
    assert_eq!(subscribed.receiver.count(), 11);
}

#[tokio::test]
async fn a_gate_with_ten_keys_and_endpoints_still_costs_one_unit() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    // What a month came to is kept in the next one.
    for _ in 0..2 {
        account.generate(&fresh_key(), &goal()).await.data(200);
        world.clock.advance(std::time::Duration::from_secs(20 * 86_400));
    }
    for _ in 1..10 {
        let expiry = world.now() + std::time::Duration::from_secs(86_400);
        world.key(account.id, Scopes::ALL, Some(expiry)).await;
    }
    let kinds = domain::EventKind::ALL.map(domain::EventKind::as_str);
    for _ in 0..10 {
        account.create_endpoint("https://hooks.example/", &kinds).await;
    }
    account.get("/models").await.data(200);
    world.faults.reset();
    account.get("/models").await.data(200);
    assert_eq!(world.faults.units("UpdateItem"), 1.0);
}

#[tokio::test]
async fn a_page_of_deliveries_is_one_query_beside_the_endpoint() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    for _ in 0..25 {
        subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    }
    world.deliver_all().await;
    world.faults.reset();
    subscribed.account.get(&format!("{}/deliveries", subscribed.path())).await.data(200);
    assert_trips(world, "deliveries", 1, 3);
    let units = world.faults.units("Query") + world.faults.units("GetItem");
    assert!(units <= 6.0, "{units}");
}

#[tokio::test]
async fn a_delivery_that_is_given_up_costs_a_unit_more_than_one_that_is_accepted() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.succeed().await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Status(410));
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    assert_eq!(world.deliver_without_advancing().await, 1, "the announcement");
    world.faults.reset();
    assert_eq!(world.deliver_without_advancing().await, 1);
    assert_eq!(world.faults.count("UpdateItem"), 2, "the endpoint, and the delivery's record");
    assert_eq!(world.faults.units("UpdateItem"), 3.0);
}
