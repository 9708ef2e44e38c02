//! DynamoDB round trips and capacity units of each kind of request: the figures of
//! `infra/tables.md`.

use acceptance::{World, account::fresh_key, files, uploads::id_of};
use domain::Plan;
use reqwest::Method;
use serde_json::json;
use store::admission::Limits;

use crate::{history::delete::incompressible, presets::large_values};

/// A request that needs `trips` sequential trips in `calls` calls.
#[track_caller]
fn assert_trips(world: &World, name: &str, trips: usize, calls: usize) {
    let made = world.faults.calls();
    let operations: Vec<_> = made.iter().map(|call| &call.operation).collect();
    assert_eq!(world.faults.sequential_trips(), trips, "{name}: {operations:?}");
    assert_eq!(made.len(), calls, "{name}: {operations:?}");
}

#[tokio::test]
async fn each_request_makes_no_more_trips_than_it_must() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "Write a haiku about the sea"});
    // The first requests open the connections and the rate window.
    for _ in 0..3 {
        account.generate(&fresh_key(), &goal).await.data(200);
        account.get("/operations").await.data(200);
    }
    let waiting = account.generate_async(&fresh_key(), &goal).await;
    let path = format!("/operations/{}", waiting.data(202)["id"].as_str().expect("an id"));

    world.faults.reset();
    account.get("/models").await.data(200);
    assert_trips(&world, "no read", 1, 1);
    assert_eq!(world.faults.units("UpdateItem"), 1.0, "the gate is under 1 KB");

    world.faults.reset();
    account.get("/usage").await.data(200);
    assert_trips(&world, "usage", 1, 3);

    world.faults.reset();
    account.get(&path).await.data(200);
    assert_trips(&world, "read", 1, 2);
    assert_eq!(world.faults.units("BatchGetItem"), 2.0);

    world.faults.reset();
    account.get("/operations").await.data(200);
    assert_trips(&world, "list", 1, 2);
    assert_eq!(world.faults.units("Query"), 1.0, "four short operations");

    world.faults.reset();
    account.get("/operations?status=SUCCEEDED&kind=generatePrompt").await.data(200);
    assert_trips(&world, "filtered list", 1, 2);

    world.faults.reset();
    account.get("/operations?status=PENDING").await.data(200);
    assert_trips(&world, "pending ones", 2, 2);
    assert_eq!(world.faults.units("Query"), 1.0, "four short operations");

    world.faults.reset();
    account.generate_async(&fresh_key(), &goal).await.data(202);
    assert_trips(&world, "accepted", 3, 4);
    assert_eq!(world.faults.count("SendMessage"), 1);
    assert_eq!(world.faults.units("TransactWriteItems"), 6.0, "account item, key and operation");

    world.faults.reset();
    account.generate("k", &goal).await.data(200);
    assert_trips(&world, "synchronous", 5, 7);
    assert_eq!(world.faults.units("GetItem"), 2.0, "the key and the offset index");
    let units = world.faults.units("TransactWriteItems");
    assert_eq!(units, 6.0 + 8.0, "start and end");
    let units = world.faults.units("UpdateItem");
    assert!(units <= 1.0 + 2.0, "{units} units: the account item, and a body of 2 KB");

    world.faults.reset();
    account.generate("k", &goal).await.data(200);
    assert_trips(&world, "replayed", 2, 3);
    assert_eq!(world.faults.count("TransactWriteItems"), 0, "a replay writes nothing but the rate");

    world.faults.reset();
    account.delete(&path).await.data(200);
    assert_trips(&world, "cancelled", 2, 3);
    assert_eq!(world.faults.units("TransactWriteItems"), 5.0);

    world.faults.reset();
    assert_eq!(world.process().await, 2, "the cancelled one and the accepted one");
    assert_eq!(world.faults.count("GetItem"), 4, "each record, input and offset index of one");
    let units = world.faults.units("UpdateItem");
    assert!(units <= 1.0 + 2.0, "{units} units: a claim, and a body of 2 KB");
    assert_eq!(world.faults.count("TransactWriteItems"), 1);
}

#[tokio::test]
async fn uploads_make_no_more_trips_than_they_must() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let file = files::png(1);
    account.upload("generation", "image/png", &file).await;

    world.faults.reset();
    let created = account.create_upload("generation", "image/png", &file).await.data(200).clone();
    assert_trips(&world, "created", 2, 3);
    assert_eq!(world.faults.units("TransactWriteItems"), 4.0, "record and ledger");

    assert_eq!(account.put(&created, &file).await, 200);
    let id = id_of(&created);
    world.faults.reset();
    account.get(&format!("/uploads/{id}")).await.data(200);
    assert_trips(&world, "read", 1, 2);

    world.faults.reset();
    account.complete(&id).await.data(200);
    assert_trips(&world, "completed", 8, 8);
    assert_eq!(world.faults.units("TransactWriteItems"), 8.0);

    world.faults.reset();
    let body = json!({"message": "A poster", "attachmentIds": [id]});
    account.generate_async(&fresh_key(), &body).await.data(202);
    assert_trips(&world, "attached", 3, 5);
    assert_eq!(world.faults.units("TransactWriteItems"), 8.0, "2 more than without it");

    let id = account.upload("generation", "image/png", &file).await;
    world.faults.reset();
    account.delete(&format!("/uploads/{id}")).await.data(200);
    assert_trips(&world, "deleted", 5, 5);
}

#[tokio::test]
async fn a_gate_with_ten_keys_still_costs_one_unit() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for _ in 0..9 {
        let expiry = Some(world.now() + std::time::Duration::from_secs(86_400));
        let key = world.key(account.id, domain::Scopes::ALL, expiry).await;
        key.get("/models").await.data(200);
    }
    account.generate(&fresh_key(), &json!({"message": "A haiku"})).await.data(200);
    world.faults.reset();
    account.get("/models").await.data(200);
    assert_eq!(world.faults.units("UpdateItem"), 1.0);
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
        assert_trips(&world, &query, 1, 2);
        assert!(world.faults.units("Query") <= 2.0, "{} for {query}", world.faults.units("Query"));
    }
}

#[tokio::test]
async fn history_reads_what_it_shows_and_little_else() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "Write a haiku about the sea"});
    let first = account.generate(&fresh_key(), &goal).await.data(200).clone();
    let id = first["generationId"].as_str().expect("an id");
    for _ in 0..29 {
        account.generate(&fresh_key(), &goal).await.data(200);
    }
    let next = json!({"message": "Shorter, please", "generationId": id});
    account.generate(&fresh_key(), &next).await.data(200);
    world.faults.reset();
    account.generate(&fresh_key(), &next).await.data(200);
    assert_trips(&world, "continued", 7, 9);
    assert_eq!(world.faults.units("GetItem"), 4.0, "key, head, head and body; no offset index");
    let path = format!("/history/generation/{id}");

    world.faults.reset();
    account.get("/history?type=generation").await.data(200);
    assert_trips(&world, "history list", 1, 2);
    let units = world.faults.units("Query");
    assert!(units <= 2.5, "{units} units for 26 summaries");

    world.faults.reset();
    account.get(&path).await.data(200);
    assert_trips(&world, "history detail", 2, 3);
    assert_eq!(world.faults.count("BatchGetItem"), 1, "all versions at once");

    world.faults.reset();
    let title = json!({"title": "Sea"});
    account.send(reqwest::Method::PATCH, &path, &title).await.data(200);
    assert_trips(&world, "renamed", 3, 3);

    world.faults.reset();
    account.delete(&path).await.data(200);
    assert_eq!(world.faults.count("SendMessage"), 1);
    let units = world.faults.units("TransactWriteItems");
    assert_eq!(units, 5.0, "item, index entry and account item");
    assert_eq!(world.faults.count("DeleteItem"), 0, "all bodies are still owed");
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
