//! Most DynamoDB round trips and capacity units of what is called often. What each request costs exactly is in
//! `infra/tables.md`, and measured by `costs`.

use acceptance::{World, account::fresh_key};
use domain::{EventKind, Plan, Scopes};
use reqwest::Method;
use serde_json::json;
use store::admission::Limits;

use crate::{history::delete::incompressible, presets::large_values};

/// A request that needs no more than so many sequential trips.
#[track_caller]
fn assert_trips(world: &World, name: &str, most: usize) {
    let made = world.faults.calls();
    let operations: Vec<_> = made.iter().map(|call| &call.operation).collect();
    assert!((1..=most).contains(&world.faults.sequential_trips()), "{name}: {operations:?}");
}

#[tokio::test]
async fn a_read_is_one_trip_and_an_accepted_operation_three() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "Write a haiku about the sea"});
    // The first requests open the connections and the rate window.
    for _ in 0..3 {
        account.generate(&fresh_key(), &goal).await.data(200);
        account.get("/operations").await.data(200);
    }
    let made = account.generate("k", &goal).await.data(200).clone();
    let path = format!("/operations/{}", made["operationId"].as_str().expect("an id"));
    for path in ["/models", "/usage", &path, "/operations", "/history?type=generation"] {
        world.faults.reset();
        account.get(path).await.data(200);
        assert_trips(&world, path, 1);
    }
    for (name, key, most) in [("direct", fresh_key(), 5), ("replayed", "k".to_owned(), 2)] {
        world.faults.reset();
        account.generate(&key, &goal).await.data(200);
        assert_trips(&world, name, most);
    }
    assert_eq!(world.faults.count("TransactWriteItems"), 0, "a replay writes nothing but the rate");

    world.faults.reset();
    account.generate_async(&fresh_key(), &goal).await.data(202);
    assert_trips(&world, "accepted", 3);

    world.faults.reset();
    assert_eq!(world.process().await, 1);
    assert_eq!(world.faults.count("TransactWriteItems"), 1, "an end is one transaction");
}

#[tokio::test]
async fn a_page_costs_the_same_among_many_operations() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "A haiku"});
    for _ in 0..60 {
        account.generate(&fresh_key(), &goal).await.data(200);
    }
    let first = account.get("/operations?limit=25").await.data(200).clone();
    let cursor = first["nextCursor"].as_str().expect("more").to_owned();
    for query in ["limit=25".to_owned(), format!("limit=25&cursor={cursor}")] {
        world.faults.reset();
        account.get(&format!("/operations?{query}")).await.data(200);
        assert_trips(&world, &query, 1);
        assert!(world.faults.units("Query") <= 2.0, "{} for {query}", world.faults.units("Query"));
    }
}

#[tokio::test]
async fn a_gate_with_ten_keys_and_endpoints_still_costs_one_unit() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    // What a month came to is kept in the next one.
    for _ in 0..2 {
        account.generate(&fresh_key(), &json!({"message": "A haiku"})).await.data(200);
        world.clock.advance(std::time::Duration::from_secs(20 * 86_400));
    }
    for _ in 1..10 {
        let expiry = world.now() + std::time::Duration::from_secs(86_400);
        world.key(account.id, Scopes::ALL, Some(expiry)).await;
    }
    let kinds = EventKind::ALL.map(EventKind::as_str);
    for _ in 0..10 {
        account.create_endpoint("https://hooks.example/", &kinds).await;
    }
    account.get("/models").await.data(200);
    world.faults.reset();
    account.get("/models").await.data(200);
    assert_eq!(world.faults.units("UpdateItem"), 1.0);
}

#[tokio::test]
async fn calls_of_aws_tell_nothing_of_the_sdk_that_makes_them() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    world.faults.reset();
    account.generate(&fresh_key(), &json!({"message": "A haiku"})).await.data(200);
    let text = incompressible(20_000);
    let large = json!({"name": "Large", "promptText": text, "values": large_values(3)});
    account.send(Method::POST, "/prompt-presets", &large).await.data(200);
    let calls = world.faults.calls();
    for service in ["DynamoDB", "AmazonSQS", "PUT "] {
        assert!(calls.iter().any(|call| call.operation.starts_with(service)), "{calls:?}");
    }
    for call in &calls {
        for header in ["user-agent", "x-amz-user-agent", "amz-sdk-request", "amz-sdk-invocation-id"]
        {
            assert!(!call.headers.iter().any(|name| name == header), "{call:?}");
        }
    }
}
