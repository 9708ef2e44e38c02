//! Which events are told, and that none is invented.

use sqs_consumer::SqsHandler as _;
use std::{cell::Cell, time::Duration};

use acceptance::{World, account::fresh_key, fault_injection::Fault, scripted_engine::Behavior};
use domain::Plan;
use engine::EngineError;
use serde_json::json;
use store::webhooks::queue::Notification;

use super::{Subscribed, goal};

#[tokio::test]
async fn synchronous_and_deferred_operations_are_delivered_alike() {
    let subscribed = Subscribed::to(&["operation.succeeded", "operation.failed"]).await;
    let made = subscribed.succeed().await;
    let later = subscribed.account.generate_async(&fresh_key(), &goal()).await;
    let later = later.data(202)["id"].clone();
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 1, "nothing is told before the end");
    subscribed.world.process().await;
    subscribed.world.deliver_all().await;
    let told: Vec<_> =
        subscribed.receiver.received().iter().map(|it| it.event()["data"].clone()).collect();
    assert_eq!(told.len(), 2);
    assert_eq!(told[0]["operationId"], made["operationId"]);
    assert_eq!(told[1]["operationId"], later);
    // Everything that is left of both: watchdogs and the like.
    subscribed.world.process_everything().await;
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 2);
}

#[tokio::test]
async fn a_failure_is_delivered_with_its_code_and_without_words() {
    let subscribed = Subscribed::to(&["operation.succeeded", "operation.failed"]).await;
    let reason = "it is about the sea".to_owned();
    subscribed.world.engine.set(Behavior::Fails(EngineError::Rejected { reason }));
    subscribed.account.generate(&fresh_key(), &goal()).await.is_error(400, "content_rejected");
    subscribed.world.deliver_all().await;
    let event = subscribed.only_arrival().event();
    assert_eq!(event["type"], "operation.failed");
    assert_eq!(event["data"]["status"], "FAILED");
    assert_eq!(event["data"]["error"], json!({"code": "content_rejected"}));
    assert_eq!(event["data"]["creditsUsed"], 0);
}

#[tokio::test]
async fn a_cancelled_operation_is_not_delivered() {
    let kinds = ["operation.succeeded", "operation.failed", "usage.threshold_reached"];
    let subscribed = Subscribed::to(&kinds).await;
    let later = subscribed.account.generate_async(&fresh_key(), &goal()).await;
    let path = format!("/operations/{}", later.data(202)["id"].as_str().expect("an id"));
    subscribed.account.delete(&path).await.data(200);
    subscribed.world.process_everything().await;
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 0);
}

#[tokio::test]
async fn an_operation_that_outlives_its_call_is_delivered_once_it_ends() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.world.engine.set(Behavior::Hangs);
    let calling = tokio::spawn({
        let account = subscribed.account.clone();
        async move { account.generate("k", &goal()).await }
    });
    subscribed.world.until(|| subscribed.world.engine.asked() == 1).await;
    subscribed.world.clock.advance(Duration::from_secs(25));
    calling.await.expect("an answer").is_error(503, "provider_timeout");
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 0);
    subscribed.world.engine.set(Behavior::Works);
    subscribed.world.clock.advance(Duration::from_secs(6));
    subscribed.world.process().await;
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.only_arrival().event()["type"], "operation.succeeded");
}

#[tokio::test]
async fn an_endpoint_that_comes_while_an_operation_runs_is_told_of_its_end() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let later = account.generate_async(&fresh_key(), &goal()).await;
    later.data(202);
    let receiver = acceptance::receiver::Receiver::start().await;
    let made = account.create_endpoint(&receiver.url, &["operation.succeeded"]).await;
    world.process().await;
    world.deliver_all().await;
    assert_eq!(receiver.count(), 1);
    // And the other way round.
    account.generate_async(&fresh_key(), &goal()).await.data(202);
    let path = format!("/webhook-endpoints/{}", made["id"].as_str().expect("an id"));
    account.delete(&path).await.data(200);
    world.process().await;
    world.deliver_all().await;
    assert_eq!(receiver.count(), 1);
    assert_eq!(account.usage().await["credits"]["used"], 2);
}

#[tokio::test]
async fn an_endpoint_that_comes_while_somebody_looks_for_the_end_is_told_of_it() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    account.generate_async(&fresh_key(), &goal()).await.data(202);
    let late = Duration::from_secs(5);
    world.faults.inject("TransactWriteItems", Fault::Slow(late), 1);
    world.faults.inject("BatchGetItem", Fault::Torn { until: "ListTables" }, 1);
    let receiver = acceptance::receiver::Receiver::start().await;
    world.faults.reset();
    let (has_looked, may_pass) = (Cell::new(false), Cell::new(false));
    let looking = async {
        world.until(|| world.faults.count("SendMessage") == 1).await;
        assert_eq!(world.deliver_without_advancing().await, 1);
        has_looked.set(true);
    };
    let coming = async {
        let reads = |read| world.faults.count(read);
        world.until(|| reads("BatchGetItem") + reads("TransactGetItems") > 0).await;
        account.create_endpoint(&receiver.url, &["operation.succeeded"]).await;
        world.clock.advance(late);
        world.until(|| world.faults.count("TransactWriteItems") == 2).await;
        world.dynamodb.list_tables().send().await.expect("the table answers");
        may_pass.set(true);
    };
    let passing = async {
        world.until(|| may_pass.get()).await;
        while !has_looked.get() {
            world.clock.advance(Duration::from_millis(10));
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::join!(world.process(), looking, coming, passing);
    world.faults.recover();
    for _ in 0..3 {
        world.deliver_all().await;
        world.clock.advance(Duration::from_secs(2));
    }
    assert_eq!((subscribed.receiver.count(), receiver.count()), (1, 1));
}

#[tokio::test]
async fn what_another_account_does_is_not_delivered() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let other = subscribed.world.account(Plan::Pro).await;
    other.generate(&fresh_key(), &goal()).await.data(200);
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 0);
}

#[tokio::test]
async fn a_suspended_account_is_told_how_what_it_had_begun_came_to_its_end() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    account.generate_async(&fresh_key(), &goal()).await.data(202);
    world.store.set_suspended(account.id, true).await.expect("storage");
    account.generate(&fresh_key(), &goal()).await.is_error(403, "account_suspended");
    world.process().await;
    world.deliver_all().await;
    assert_eq!(subscribed.only_arrival().event()["type"], "operation.succeeded");
}

#[tokio::test]
async fn an_account_that_nobody_listens_to_sends_no_message() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.faults.reset();
    account.generate(&fresh_key(), &goal()).await.data(200);
    assert_eq!(world.faults.count("SendMessage"), 1, "the watchdog's alone");
    let receiver = acceptance::receiver::Receiver::start().await;
    account.create_endpoint(&receiver.url, &["operation.failed"]).await;
    world.faults.reset();
    account.generate(&fresh_key(), &goal()).await.data(200);
    assert_eq!(world.faults.count("SendMessage"), 1, "nobody wants to hear of successes");
}

#[tokio::test]
async fn messages_are_read_as_they_were_written() {
    let event = include_str!("../../../events/deliveries-queue.json");
    let event: aws_lambda_events::sqs::SqsEvent = serde_json::from_str(event).expect("an event");
    let body = event.records[0].body.as_deref().expect("a body");
    let notification: Notification = serde_json::from_str(body).expect("a message");
    assert_eq!(serde_json::to_string(&notification).expect("JSON"), body);
    let world = World::start().await;
    let handled = world.application.deliveries.handle(event.clone()).await;
    assert!(handled.batch_item_failures.is_empty(), "an endpoint that is gone is no failure");
    let mut unreadable = event;
    unreadable.records[0].body = Some("{}".to_owned());
    let handled = world.application.deliveries.handle(unreadable).await;
    assert_eq!(handled.batch_item_failures.len(), 1);
}
