//! When an endpoint is disabled, and what enabling it again does.

use std::time::Duration;

use acceptance::receiver::ReceiverBehavior;
use serde_json::json;

use super::Subscribed;

const HOUR: u64 = 3_600;

#[tokio::test]
async fn an_endpoint_that_is_gone_is_disabled_at_once() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.answer_next([ReceiverBehavior::Status(410)]);
    subscribed.succeed().await;
    let shown = subscribed.shown().await;
    assert_eq!(shown["enabled"], false);
    assert_eq!(shown["disabledReason"], "gone");
    assert_eq!(shown["lastDelivery"]["status"], 410);
    subscribed.succeed().await;
    subscribed.world.clock.advance(Duration::from_secs(HOUR));
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 1);

    let enabled = subscribed.patch(json!({"enabled": true})).await;
    assert_eq!(enabled["enabled"], true);
    assert_eq!(enabled["disabledReason"], json!(null));
    subscribed.succeed().await;
    assert_eq!(subscribed.receiver.count(), 2, "what happened meanwhile is never told");
}

#[tokio::test]
async fn an_endpoint_without_a_success_for_120_hours_is_disabled_at_its_next_failure() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    let fail = async |hours: u64| {
        subscribed.world.clock.advance(Duration::from_secs(hours * HOUR));
        // What is left of earlier deliveries comes first.
        subscribed.world.deliver_all().await;
        subscribed.world.clock.advance(Duration::from_secs(10));
        subscribed.succeed().await;
        subscribed.shown().await
    };
    assert_eq!(fail(0).await["enabled"], true);
    assert_eq!(fail(119).await["enabled"], true);
    let shown = fail(1).await;
    assert_eq!(shown["enabled"], false, "{shown}");
    assert_eq!(shown["disabledReason"], "failing");

    // Enabling it again forgets what was.
    subscribed.patch(json!({"enabled": true})).await;
    assert_eq!(fail(0).await["enabled"], true);
    assert_eq!(fail(119).await["enabled"], true);
}

#[tokio::test]
async fn one_success_restarts_the_120_hours() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let succeed_after = async |hours: u64, manner: ReceiverBehavior| {
        subscribed.world.clock.advance(Duration::from_secs(hours * HOUR));
        subscribed.receiver.set(manner);
        subscribed.world.deliver_all().await;
        subscribed.world.clock.advance(Duration::from_secs(10));
        subscribed.succeed().await;
    };
    succeed_after(0, ReceiverBehavior::Status(500)).await;
    succeed_after(110, ReceiverBehavior::Status(204)).await;
    succeed_after(1, ReceiverBehavior::Status(500)).await;
    succeed_after(20, ReceiverBehavior::Status(500)).await;
    assert_eq!(subscribed.shown().await["enabled"], true, "130 hours since the first failure");
    succeed_after(110, ReceiverBehavior::Status(500)).await;
    assert_eq!(subscribed.shown().await["disabledReason"], "failing");
}

#[tokio::test]
async fn an_owner_who_disables_gives_no_reason_and_keeps_one() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let disabled = subscribed.patch(json!({"enabled": false})).await;
    assert_eq!((&disabled["enabled"], &disabled["disabledReason"]), (&json!(false), &json!(null)));
    subscribed.succeed().await;
    assert_eq!(subscribed.receiver.count(), 0);
    subscribed.patch(json!({"enabled": true})).await;
    subscribed.receiver.answer_next([ReceiverBehavior::Status(410)]);
    subscribed.succeed().await;
    let still = subscribed.patch(json!({"enabled": false})).await;
    assert_eq!(still["disabledReason"], "gone");
}

#[tokio::test]
async fn a_delivery_that_waits_goes_to_the_new_address() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    subscribed.succeed().await;
    let other = acceptance::receiver::Receiver::start().await;
    subscribed.patch(json!({"url": other.url})).await;
    subscribed.world.clock.advance(Duration::from_secs(7));
    subscribed.world.deliver_all().await;
    assert_eq!((subscribed.receiver.count(), other.count()), (1, 1));
    let received = [&subscribed.receiver, &other].map(|receiver| receiver.received()[0].clone());
    assert_eq!(received[0].header("webhook-id"), received[1].header("webhook-id"));
}

#[tokio::test]
async fn a_delivery_that_is_not_subscribed_to_any_more_is_dropped() {
    for patch in [json!({"events": ["webhook.test"]}), json!({"enabled": false})] {
        let subscribed = Subscribed::to(&["operation.succeeded"]).await;
        subscribed.receiver.answer_next([ReceiverBehavior::Status(500)]);
        subscribed.succeed().await;
        subscribed.patch(patch).await;
        subscribed.world.clock.advance(Duration::from_secs(7));
        subscribed.world.deliver_all().await;
        subscribed.patch(json!({"events": ["operation.succeeded"], "enabled": true})).await;
        subscribed.world.clock.advance(Duration::from_secs(HOUR));
        subscribed.world.deliver_all().await;
        assert_eq!(subscribed.receiver.count(), 1);
    }
}

#[tokio::test]
async fn a_healthy_endpoint_is_noted_every_few_seconds_at_most() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.succeed().await;
    let noted = subscribed.shown().await["lastDelivery"]["at"].clone();
    for _ in 0..3 {
        subscribed.account.generate(&acceptance::account::fresh_key(), &super::goal()).await;
    }
    subscribed.world.faults.reset();
    while subscribed.world.deliver_without_advancing().await > 0 {}
    assert_eq!(subscribed.receiver.count(), 4);
    assert_eq!(subscribed.world.faults.count("UpdateItem"), 0);
    assert_eq!(subscribed.world.faults.units("BatchWriteItem"), 3.0, "the record of each delivery");
    assert_eq!(subscribed.shown().await["lastDelivery"]["at"], noted);
    subscribed.world.clock.advance(Duration::from_secs(5));
    subscribed.succeed().await;
    assert_ne!(subscribed.shown().await["lastDelivery"]["at"], noted);
}
