//! A receiver that is slow or dead keeps nobody else waiting.

use std::time::Duration;

use acceptance::{
    account::fresh_key,
    receiver::{Receiver, ReceiverBehavior},
};
use domain::Plan;
use store::{
    webhooks::attempts::Acquisition,
    webhooks::queue::{DeliveryMessage, Notification},
};

use super::{
    Subscribed, goal,
    isolation::{delivery, stored},
};

#[tokio::test]
async fn deliveries_to_a_dead_endpoint_wait_without_being_tried_and_others_go_at_once() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Hangs);
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    // The announcement, then the attempt, which takes its ten seconds.
    while world.deliver().await > 0 {}
    assert_eq!(subscribed.receiver.count(), 1);
    for _ in 0..30 {
        subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    }
    let other = world.account(Plan::Max).await;
    let receiver = Receiver::start().await;
    other.create_endpoint(&receiver.url, &["operation.succeeded"]).await;
    other.generate(&fresh_key(), &goal()).await.data(200);
    let began = world.now();
    // One poller works on all of them.
    while receiver.count() == 0 {
        assert!(world.deliver_without_advancing().await > 0, "nothing is left to do");
    }
    assert_eq!(world.now(), began, "it did not wait");
    assert_eq!(subscribed.receiver.count(), 1, "none of the thirty was tried");
}

#[tokio::test]
async fn an_endpoint_that_is_back_gets_all_that_waited_and_loses_no_attempt_for_it() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    for _ in 0..12 {
        subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    }
    for _ in 0..20 {
        world.deliver_all().await;
        world.clock.advance(Duration::from_secs(3));
    }
    subscribed.receiver.set(ReceiverBehavior::Status(204));
    for _ in 0..60 {
        world.clock.advance(Duration::from_secs(30));
        world.deliver_all().await;
    }
    let received = subscribed.receiver.received();
    let ids: std::collections::BTreeSet<_> =
        received.iter().map(|arrival| arrival.header("webhook-id").to_owned()).collect();
    assert_eq!(ids.len(), 12);
    let shown = subscribed.shown().await;
    assert_eq!(shown["lastDelivery"]["status"], 204);
    assert_eq!(shown["enabled"], true);
}

#[tokio::test]
async fn of_attempts_at_once_to_an_endpoint_that_fails_for_long_one_is_made() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    subscribed.succeed().await;
    world.clock.advance(Duration::from_secs(61));
    world.deliver_all().await;
    let before = subscribed.receiver.count();
    for _ in 0..8 {
        subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    }
    world.clock.advance(Duration::from_secs(3));
    while world.deliver_without_advancing().await > 0 {}
    assert_eq!(subscribed.receiver.count(), before + 1, "the others wait for another time");
}

#[tokio::test]
async fn backoff_restarts_after_an_attempt() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Hangs);
    let old =
        Notification::Delivery(DeliveryMessage { deferrals: 12, ..delivery(&subscribed, 1, 0) });
    world.store.enqueue_notification(&old, Duration::ZERO).await.expect("a queue");
    assert_eq!(world.deliver().await, 1);
    assert_eq!(subscribed.receiver.count(), 1);
    // The only permit is another one's when its next attempt is due, and free again right afterwards.
    world.clock.advance(Duration::from_secs(7));
    let seen = stored(&subscribed).await;
    let acquired = world.store.acquire_permit(&seen).await.expect("the table answers");
    let Acquisition::Held(permit) = acquired else { panic!("{acquired:?}") };
    assert_eq!(world.deliver().await, 1);
    assert_eq!(subscribed.receiver.count(), 1);
    world.store.release_permit(&seen, permit, Duration::ZERO).await.expect("the table answers");
    world.clock.advance(Duration::from_secs(5));
    assert_eq!(world.deliver().await, 1);
    assert_eq!(subscribed.receiver.count(), 2);
}
