//! Deliveries to whoever lets others wait have a lane of their own.

use std::time::Duration;

use acceptance::{
    World,
    account::fresh_key,
    fault_injection::Fault,
    receiver::{Receiver, ReceiverBehavior},
};
use domain::{EventId, Plan, webhook::ENDPOINTS_MAX};
use futures::future::{join_all, select};
use store::webhooks::queue::{DeliveryMessage, Lane, Notification};

use super::{
    Subscribed, goal,
    isolation::{delivery, stored},
    prove,
};

/// Longer than until the next attempt to an endpoint that has failed once.
const REST: Duration = Duration::from_secs(12);
/// Real time in which whatever needs no passing of time is done.
const AT_ONCE: Duration = Duration::from_secs(3);

/// Lets two accounts have ten endpoints each whose receivers are known to hang, and two machines, one of each
/// lane; `held` of the attempts that are due hold these. Then there are more events of these accounts, and one
/// of another. Returns when that was told.
async fn wait_beside_receivers_that_hang(world: World, held: usize) -> Duration {
    let hanging = join_all((0..2 * ENDPOINTS_MAX).map(|_| Receiver::start())).await;
    let attempts = || hanging.iter().map(Receiver::count).sum::<usize>();
    let mut slow = Vec::new();
    for receivers in hanging.chunks(ENDPOINTS_MAX) {
        let account = world.account(Plan::Max).await;
        for receiver in receivers {
            receiver.set(ReceiverBehavior::Hangs);
            let made = account.create_endpoint(&receiver.url, &["operation.succeeded"]).await;
            prove(&world, &account, &made["id"]).await;
        }
        account.generate(&fresh_key(), &goal()).await.data(200);
        slow.push(account);
    }
    while attempts() < hanging.len() {
        assert!(world.deliver().await > 0);
    }
    world.clock.advance(REST);

    let fast = async {
        loop {
            world.deliver_fast_lane().await;
            tokio::task::yield_now().await;
        }
    };
    let slowly = async {
        loop {
            world.deliver_slow_lane().await;
            tokio::task::yield_now().await;
        }
    };
    let mut machines = select(Box::pin(fast), Box::pin(slowly));
    let are_held = world.until(|| attempts() >= hanging.len() + held);
    select(&mut machines, Box::pin(are_held)).await;
    for account in &slow {
        for _ in 0..5 {
            account.generate(&fresh_key(), &goal()).await.data(200);
        }
    }
    let other = world.account(Plan::Max).await;
    let receiver = Receiver::start().await;
    other.create_endpoint(&receiver.url, &["operation.succeeded"]).await;
    other.generate(&fresh_key(), &goal()).await.data(200);
    let began = world.now();
    let told = Box::pin(world.until(|| receiver.count() > 0));
    let mut working = select(machines, told);
    if tokio::time::timeout(AT_ONCE, &mut working).await.is_err() {
        world.advancing_time(working).await;
    }
    assert_eq!(receiver.count(), 1);
    world.now().since(began)
}

#[tokio::test]
async fn receivers_that_hang_keep_nobody_waiting_in_the_fast_lane() {
    let world = World::renamed(|_| {}).await;
    let waited = wait_beside_receivers_that_hang(world, ENDPOINTS_MAX).await;
    assert_eq!(waited, Duration::ZERO);
}

#[tokio::test]
async fn without_a_lane_of_their_own_they_keep_everybody_waiting() {
    let world = World::renamed(|names| {
        names.slow_deliveries_queue_url.clone_from(&names.deliveries_queue_url);
    })
    .await;
    let waited = wait_beside_receivers_that_hang(world, 2 * ENDPOINTS_MAX).await;
    assert!(waited >= Duration::from_secs(9), "{waited:?}: the other test proves nothing");
}

#[tokio::test]
async fn what_is_due_to_a_slow_endpoint_goes_over_once_unattempted_and_stays_there() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Hangs);
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    while subscribed.receiver.count() == 0 {
        assert!(world.advancing_time(world.deliver_fast_lane()).await > 0);
    }
    assert_eq!(stored(&subscribed).await.lane(), Lane::Slow);
    // Its next attempt waits there.
    world.clock.advance(REST);
    assert_eq!(world.deliver_fast_lane().await, 0);
    assert_eq!(world.advancing_time(world.deliver_slow_lane()).await, 1);
    assert_eq!(subscribed.receiver.count(), 2);

    // A new event begins in the fast lane.
    let notification = Notification::Delivery(delivery(&subscribed, 1, 0));
    world.store.enqueue_notification(&notification, Duration::ZERO).await.expect("a queue");
    world.faults.reset();
    assert_eq!(world.deliver_fast_lane().await, 1);
    assert_eq!((world.faults.count("SendMessage"), world.faults.count("UpdateItem")), (1, 0));
    assert_eq!(world.deliver_fast_lane().await, 0);
    assert_eq!(subscribed.receiver.count(), 2);
    // The place is free after a pause; until then it is put off, where it is.
    world.clock.advance(Duration::from_secs(3));
    assert_eq!(world.advancing_time(world.deliver_slow_lane()).await, 1);
    assert_eq!(subscribed.receiver.count(), 3);
    assert_eq!(world.deliver_fast_lane().await, 0);
}

#[tokio::test]
async fn what_fails_in_the_slow_lane_comes_back_there_in_seconds() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let notification = Notification::Delivery(delivery(&subscribed, 1, 0));
    let sent = world.store.enqueue_notification_in(Lane::Slow, &notification, Duration::ZERO);
    sent.await.expect("a queue");
    world.faults.inject("GetItem", Fault::Unreachable, usize::MAX);
    assert_eq!(world.deliver_slow_lane().await, 1);
    assert_eq!(subscribed.receiver.count(), 0);
    world.faults.recover();
    world.clock.advance(Duration::from_secs(5));
    assert_eq!((world.deliver_fast_lane().await, world.deliver_slow_lane().await), (0, 1));
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn what_is_in_the_slow_lane_is_attempted_there_though_its_endpoint_is_well() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let later = world.now() + Duration::from_secs(60);
    for (id, not_before) in [(1, world.now()), (2, later)] {
        let mut message = DeliveryMessage { not_before, ..delivery(&subscribed, 1, 0) };
        message.event.id = EventId::from_bits(id);
        let notification = Notification::Delivery(message);
        let sent = world.store.enqueue_notification_in(Lane::Slow, &notification, Duration::ZERO);
        sent.await.expect("a queue");
    }
    world.faults.reset();
    assert_eq!(world.deliver_slow_lane().await, 2);
    assert_eq!(subscribed.receiver.count(), 1);
    assert_eq!(world.faults.count("SendMessage"), 1, "the one that is not due");
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(world.deliver_fast_lane().await, 0);
    assert_eq!(world.deliver_slow_lane().await, 1);
    assert_eq!(subscribed.receiver.count(), 2);
}

#[tokio::test]
async fn a_retry_to_an_endpoint_that_fails_at_once_stays_in_the_fast_lane() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    subscribed.succeed().await;
    world.clock.advance(Duration::from_secs(7));
    assert_eq!(world.deliver_slow_lane().await, 0);
    assert_eq!(world.deliver_fast_lane().await, 1);
    assert_eq!(subscribed.receiver.count(), 2);
}

#[tokio::test]
async fn a_lane_is_known_by_the_name_of_the_queue_that_a_message_came_from() {
    let world = World::start().await;
    for (source, lane) in [
        (None, Lane::Fast),
        (Some(""), Lane::Fast),
        (Some("arn:aws:sqs:eu-west-1:123456789012:deliveries"), Lane::Fast),
        (Some("arn:aws:sqs:eu-west-1:123456789012:slow-deliveries"), Lane::Slow),
        (Some("arn:aws:sqs:eu-west-1:123456789012:very-slow-deliveries"), Lane::Fast),
    ] {
        assert_eq!(world.store.lane_of(source), lane, "{source:?}");
    }
}
