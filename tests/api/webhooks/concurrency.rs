//! What a receiver that lets everybody wait costs.

use std::{sync::Arc, time::Duration};

use acceptance::{account::fresh_key, receiver::ReceiverBehavior};
use tokio::sync::Notify;

use super::{Subscribed, goal};

#[tokio::test]
async fn to_a_receiver_that_hangs_few_attempts_are_under_way_at_any_time() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Hangs);
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    while world.deliver().await > 0 {}
    for _ in 0..40 {
        subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    }
    let (began, before) = (world.now(), subscribed.receiver.count());
    for _ in 0..20 {
        world.clock.advance(Duration::from_secs(2));
        // Several machines at once.
        let polls = (0..6).map(|_| world.deliver_without_advancing());
        world.advancing_time(futures::future::join_all(polls)).await;
    }
    let tens = world.now().since(began).as_secs() / 10 + 1;
    let made = subscribed.receiver.count() - before;
    let made = u64::try_from(made).expect("few");
    assert!(made >= tens / 4, "{made} attempts in {tens} times ten seconds");
    assert!(made <= tens, "{made} attempts in {tens} times ten seconds");
}

#[tokio::test]
async fn to_a_receiver_that_is_slow_four_attempts_are_under_way_at_once() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let go = Arc::new(Notify::new());
    subscribed.receiver.set(ReceiverBehavior::Waits(204, go.clone()));
    let deliver = || futures::future::join_all((0..4).map(|_| world.deliver_without_advancing()));
    let answering = || async {
        loop {
            go.notify_waiters();
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    assert_eq!(world.deliver_fast_lane().await, 1);
    let slowly = async {
        world.until(|| subscribed.receiver.count() == 1).await;
        world.clock.advance(Duration::from_secs(2));
        world.until(|| world.faults.count("UpdateItem") > 0).await;
        answering().await;
    };
    world.faults.reset();
    futures::future::select(Box::pin(deliver()), Box::pin(slowly)).await;

    for _ in 0..30 {
        subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    }
    // Thirty announcements, whose deliveries then go over to the slow lane.
    while world.deliver_fast_lane().await > 0 {}
    assert_eq!(subscribed.receiver.count(), 1);
    world.faults.reset();
    let watching = async {
        world.until(|| world.faults.count("SendMessage") == 26).await;
        world.until(|| subscribed.receiver.count() == 1 + 4).await;
        answering().await;
    };
    futures::future::select(Box::pin(deliver()), Box::pin(watching)).await;
    assert_eq!(subscribed.receiver.count(), 1 + 4);
    // The places are free again at once.
    world.clock.advance(Duration::from_secs(3));
    let mut others = Box::pin(deliver());
    futures::future::select(&mut others, Box::pin(answering())).await;
    assert!(subscribed.receiver.count() > 1 + 4);
}

#[tokio::test]
async fn what_waits_for_a_dead_receiver_is_looked_at_less_and_less_often() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Hangs);
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    while world.deliver().await > 0 {}
    for _ in 0..15 {
        subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    }
    let hour = async || {
        world.faults.reset();
        for _ in 0..60 {
            world.clock.advance(Duration::from_secs(60));
            while world.advancing_time(world.deliver_without_advancing()).await > 0 {}
        }
        world.faults.count("SendMessage")
    };
    let (first, second) = (hour().await, hour().await);
    // Doubled pauses up to 15 minutes: some nine in a quarter of an hour, then some six an hour. The attempts
    // themselves, and waiting for them, are some six more: twenty on average, since pauses are random.
    assert!(first <= 16 * 24, "{first} messages in the first hour");
    assert!(second <= 16 * 10, "{second} messages in the second hour");
    assert!(second * 4 <= first * 3, "{first}, then {second} messages");
}
