//! Nothing that happens to one message stops another, and nothing that fails stays for ever.

use std::{sync::Arc, time::Duration};

use acceptance::{
    World,
    account::fresh_key,
    fault_injection::Fault,
    receiver::{Receiver, ReceiverBehavior},
};
use domain::{EndpointId, EventId, EventKind, Plan, webhook::LIFETIME};
use serde_json::{Value, json};
use store::{
    admission::Limits,
    webhooks::StoredEndpoint,
    webhooks::queue::{DeliveryMessage, Event, Lane, Notification},
};
use tokio::sync::Notify;

use super::{Subscribed, goal, prove};

/// An event that has just happened, for the only endpoint.
pub(super) fn delivery(subscribed: &Subscribed, attempt: u32, claim_token: u64) -> DeliveryMessage {
    let now = subscribed.world.now();
    DeliveryMessage {
        account_id: subscribed.account.id,
        endpoint_id: id(&subscribed.id),
        event: Event {
            id: EventId::from_bits(77),
            kind: EventKind::OperationSucceeded,
            timestamp: now,
            data: json!({
                "operationId": "op_01JD8M3Z5Q4N7V9X2B6C8D0E1F",
                "kind": "generatePrompt",
                "status": "SUCCEEDED",
                "createdAt": now,
                "completedAt": now,
                "creditsUsed": 1,
                "error": null,
            }),
        },
        attempt,
        not_before: now,
        deferrals: 0,
        hops: 0,
        hop_token: 0,
        claim_token,
        recovery: 0,
    }
}

fn id(shown: &Value) -> EndpointId {
    shown.as_str().and_then(|text| text.parse().ok()).expect("an identifier")
}

pub(super) async fn stored(subscribed: &Subscribed) -> StoredEndpoint {
    let found = subscribed.world.store.endpoint(subscribed.account.id, id(&subscribed.id)).await;
    found.expect("the table answers").expect("an endpoint")
}

/// Lets time pass as a queue sees it: whatever is hidden for at most a second comes back each time.
async fn for_seconds(world: &World, seconds: u32) {
    for _ in 0..seconds {
        world.clock.advance(Duration::from_secs(1));
        world.deliver_all().await;
    }
}

#[tokio::test]
async fn a_delivery_whose_endpoint_was_not_prefetched_is_made_all_the_same() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let deliveries = &subscribed.world.application.deliveries.deliveries;
    let notification = Notification::Delivery(delivery(&subscribed, 1, 0));
    let nothing = deliveries.prefetch(std::iter::empty()).await;
    deliveries.process(&notification, &nothing, Lane::Fast).await.expect("storage works");
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn a_delivery_that_becomes_due_beside_others_is_not_lost() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let deliveries = &world.application.deliveries.deliveries;
    let later = world.now() + Duration::from_millis(500);
    let notification = Notification::Delivery(DeliveryMessage {
        not_before: later,
        ..delivery(&subscribed, 1, 0)
    });
    let prefetched = deliveries.prefetch([&notification].into_iter()).await;
    world.clock.advance(Duration::from_secs(1));
    deliveries.process(&notification, &prefetched, Lane::Fast).await.expect("storage works");
    for_seconds(world, 2).await;
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn an_endpoint_that_cannot_be_read_stops_no_other_and_its_messages_are_dead_lettered_soon() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let other = world.account(Plan::Max).await;
    let receiver = Receiver::start().await;
    let broken = other.create_endpoint(&receiver.url, &["operation.succeeded"]).await;
    let endpoint = id(&broken["id"]);
    world
        .dynamodb
        .update_item()
        .table_name(&world.store.names().table)
        .set_key(Some(store::keys::endpoint(other.id, endpoint)))
        .update_expression("REMOVE u")
        .send()
        .await
        .expect("the table answers");
    other.generate(&fresh_key(), &goal()).await.data(200);
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    assert_eq!(world.deliver_without_advancing().await, 2);
    assert_eq!(world.deliver_without_advancing().await, 2, "both deliveries are one batch");
    assert_eq!((subscribed.receiver.count(), receiver.count()), (1, 0));
    for_seconds(world, 60).await;
    assert_eq!(world.delivery_queue_depth().await, (0, 1));
}

#[tokio::test]
async fn a_throttled_batch_is_read_one_by_one() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    assert_eq!(world.deliver_without_advancing().await, 1);
    world.faults.inject("BatchGetItem", Fault::Unreachable, 3);
    assert_eq!(world.deliver_without_advancing().await, 1);
    assert!(world.faults.is_exhausted());
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn an_unreadable_message_is_dead_lettered_soon() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    world.enqueue_raw_delivery("{\"about\": \"nothing\"}").await;
    subscribed.succeed().await;
    assert_eq!(subscribed.receiver.count(), 1);
    for_seconds(world, 60).await;
    assert_eq!(world.delivery_queue_depth().await, (0, 1));
}

#[tokio::test]
async fn a_panic_stops_no_other_message() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let other = world.account(Plan::Max).await;
    let receiver = Receiver::start().await;
    let url = receiver.url_at("localhost");
    let made = other.create_endpoint(&url, &["operation.succeeded"]).await;
    prove(world, &other, &made["id"]).await;
    world.names.panic_for("localhost");
    other.generate(&fresh_key(), &goal()).await.data(200);
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    assert_eq!(world.deliver_without_advancing().await, 2);
    assert_eq!(world.deliver_without_advancing().await, 2);
    assert_eq!((subscribed.receiver.count(), receiver.count()), (1, 0));
    world.names.resolve_to("localhost", &[&["127.0.0.1"]]);
    for_seconds(world, 2).await;
    assert_eq!(receiver.count(), 1, "it came back at once");
}

#[tokio::test]
async fn a_message_that_failed_comes_back_in_seconds() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    world.faults.inject("TransactGetItems", Fault::Unreachable, 3);
    assert_eq!(world.deliver_without_advancing().await, 1);
    assert!(world.faults.is_exhausted());
    assert_eq!(world.deliver_without_advancing().await, 0);
    for_seconds(world, 5).await;
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn storage_that_is_away_loses_nothing_until_the_event_is_old() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let mut message = delivery(&subscribed, 1, 0);
    let away = async |hours: u64| {
        world.faults.inject("GetItem", Fault::Unreachable, usize::MAX);
        for _ in 0..hours * 12 {
            world.clock.advance(Duration::from_secs(300));
            while world.deliver_without_advancing().await > 0 {}
        }
        world.faults.recover();
    };
    world
        .store
        .enqueue_notification(&Notification::Delivery(message.clone()), Duration::ZERO)
        .await
        .expect("a queue");
    away(5).await;
    for_seconds(world, 60).await;
    world.clock.advance(Duration::from_secs(300));
    world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 1);

    // The same with an event that nobody is to be told of any more.
    message.event.timestamp = world.now();
    world.clock.advance(LIFETIME);
    world
        .store
        .enqueue_notification(&Notification::Delivery(message), Duration::ZERO)
        .await
        .expect("a queue");
    away(5).await;
    assert_eq!(world.delivery_queue_depth().await, (0, 1));
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn what_storage_does_not_permit_is_dead_lettered_soon_and_can_be_redriven() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let queue = world.store.names().deliveries_queue_url.clone();
    for (turn, call) in ["TransactGetItems", "SendMessageBatch"].into_iter().enumerate() {
        subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
        world.faults.inject(call, Fault::Denied, usize::MAX);
        for_seconds(world, 60).await;
        assert_eq!(subscribed.receiver.count(), turn);
        assert_eq!(world.delivery_queue_depth().await, (0, 1), "{call}");
        world.faults.recover();
        assert_eq!(world.store.redrive(&queue).await.expect("a queue"), 1);
        for_seconds(world, 2).await;
        assert_eq!(subscribed.receiver.count(), turn + 1);
        assert_eq!(world.delivery_queue_depth().await, (0, 0), "{call}");
    }
}

#[tokio::test]
async fn an_event_is_no_dead_letter_while_its_function_cannot_be_invoked() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let names = world.store.names();
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    world.receive_without_invoking(&names.deliveries_queue_url, 49).await;
    world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 1);
    let again = Notification::Delivery(delivery(&subscribed, 10, 1));
    let enqueued = world.store.enqueue_notification_in(Lane::Slow, &again, Duration::ZERO).await;
    enqueued.expect("a queue");
    world.receive_without_invoking(&names.slow_deliveries_queue_url, 49).await;
    world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 2);
    assert_eq!(world.delivery_queue_depth().await, (0, 0));
}

#[tokio::test]
async fn an_event_that_is_older_than_all_attempts_may_take_is_not_delivered() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let notification = Notification::Delivery(delivery(&subscribed, 10, 1));
    for (age, told) in [(LIFETIME - Duration::from_secs(60), 1), (Duration::from_secs(60), 1)] {
        world.clock.advance(age);
        world.store.enqueue_notification(&notification, Duration::ZERO).await.expect("a queue");
        world.deliver_all().await;
        assert_eq!(subscribed.receiver.count(), told);
    }
    assert_eq!(world.delivery_queue_depth().await, (0, 0));
}

#[tokio::test]
async fn an_endpoint_that_is_gone_but_changed_meanwhile_gets_it_at_its_new_address() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let other = Receiver::start().await;
    let go = Arc::new(Notify::new());
    subscribed.receiver.set(ReceiverBehavior::Waits(410, go.clone()));
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    assert_eq!(world.deliver_without_advancing().await, 1);
    let change = async {
        world.until(|| subscribed.receiver.count() == 1).await;
        subscribed.patch(json!({"url": other.url})).await;
        go.notify_one();
    };
    let (delivered, ()) = tokio::join!(world.deliver_without_advancing(), change);
    assert_eq!(delivered, 1);
    let shown = subscribed.shown().await;
    assert_eq!(shown["enabled"], true);
    assert_eq!(shown["lastDelivery"], json!(null), "what the old address answered is not noted");
    for_seconds(world, 8).await;
    assert_eq!(other.count(), 1);
    assert_eq!(subscribed.shown().await["lastDelivery"]["attempt"], 2);
}

#[tokio::test]
async fn a_new_address_resets_the_health() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let go = Arc::new(Notify::new());
    for status in [500, 204] {
        subscribed.receiver.set(ReceiverBehavior::Waits(status, go.clone()));
        subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
        let before = subscribed.receiver.count();
        assert_eq!(world.deliver_without_advancing().await, 1);
        let change = async {
            world.until(|| subscribed.receiver.count() > before).await;
            // It is noted as slow before it is changed, and fails or succeeds afterwards.
            world.clock.advance(Duration::from_secs(2));
            while stored(&subscribed).await.permits.is_empty() {
                tokio::task::yield_now().await;
            }
            subscribed.patch(json!({"url": subscribed.receiver.url})).await;
            go.notify_one();
        };
        tokio::join!(world.deliver_without_advancing(), change);
        let stored = stored(&subscribed).await;
        assert_eq!((stored.failing_since, stored.permits), (None, vec![]), "{status}");
        assert_eq!(stored.endpoint.last_delivery, None, "{status}");
    }
}

#[tokio::test]
async fn a_message_that_is_worked_on_three_times_doubles_no_later_attempt() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    let notification = Notification::Delivery(delivery(&subscribed, 1, 0));
    world
        .store
        .enqueue_notifications(&[notification.clone(), notification.clone(), notification])
        .await
        .expect("a queue");
    while world.deliver_without_advancing().await > 0 {}
    assert_eq!(subscribed.receiver.count(), 3);
    for _ in 0..100 {
        world.clock.advance(Duration::from_secs(3_600));
        for _ in 0..4 {
            world.clock.advance(Duration::from_secs(10));
            world.deliver_all().await;
        }
    }
    assert_eq!(subscribed.receiver.count(), 3 + 9);
    assert_eq!(world.delivery_queue_depth().await, (0, 0));
}

#[tokio::test]
async fn of_two_messages_for_one_attempt_after_the_first_one_makes_it() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    let send = async |attempt, claim_token| {
        let notification = Notification::Delivery(delivery(&subscribed, attempt, claim_token));
        world.store.enqueue_notification(&notification, Duration::ZERO).await.expect("a queue");
        while world.deliver_without_advancing().await > 0 {}
        subscribed.receiver.count()
    };
    assert_eq!(send(2, 1).await, 1);
    assert_eq!(send(2, 2).await, 1, "another failure's");
    assert_eq!(send(2, 1).await, 2, "the same again, which may have died before it was done");
    assert_eq!(send(3, 3).await, 3);
    assert_eq!(send(2, 1).await, 3, "the next attempt was made");
    assert_eq!(send(3, 4).await, 3);
}

#[tokio::test]
async fn a_queue_that_loses_its_answers_leaves_one_message_of_a_delivery_that_waits() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    for (attempt, lost) in [(1, 2), (2, 3)] {
        let message = delivery(&subscribed, attempt, 1);
        let event = Event { id: EventId::from_bits(lost), ..message.event };
        let due = world.now() + Duration::from_secs(6 * 3_600);
        let message = DeliveryMessage { event, not_before: due, ..message };
        let notification = Notification::Delivery(message);
        world.store.enqueue_notification(&notification, Duration::ZERO).await.expect("a queue");
        // A hop takes the longest delay of the queue. What the last lost answers left ends within two hops.
        for hop in 0..23 {
            let times = if hop < 21 { lost as usize } else { 0 };
            world.faults.inject("SendMessage", Fault::AnswerLost, times);
            for_seconds(world, 15).await;
            world.faults.recover();
            for_seconds(world, 5).await;
            world.clock.advance(Duration::from_secs(880));
        }
        assert_eq!(world.delivery_queue_depth().await, (1, 0), "attempt {attempt}");
        world.clock.advance(Duration::from_secs(900));
        for_seconds(world, 20).await;
        assert_eq!(world.delivery_queue_depth().await, (0, 0));
    }
    assert_eq!(subscribed.receiver.count(), 2, "each event once");
}

#[tokio::test]
async fn of_two_messages_in_the_place_of_one_the_first_goes_on_and_no_earlier_one_acts_any_more() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let due = world.now() + Duration::from_secs(3_600);
    let send = async |hops, hop_token| {
        let message = delivery(&subscribed, 2, 7);
        let message = DeliveryMessage { hops, hop_token, not_before: due, ..message };
        let notification = Notification::Delivery(message);
        world.store.enqueue_notification(&notification, Duration::ZERO).await.expect("a queue");
        world.faults.reset();
        assert_eq!(world.deliver_without_advancing().await, 1);
        world.faults.count("SendMessage")
    };
    assert_eq!(send(1, 1).await, 1);
    assert_eq!(send(1, 2).await, 0, "the other one");
    assert_eq!(send(1, 1).await, 1, "the same again, which may have died before it was done");
    assert_eq!(send(2, 3).await, 1);
    assert_eq!(send(1, 1).await, 0, "the next one has acted");
    let another = DeliveryMessage { hops: 3, not_before: due, ..delivery(&subscribed, 2, 8) };
    let another = Notification::Delivery(another);
    world.store.enqueue_notification(&another, Duration::ZERO).await.expect("a queue");
    world.faults.reset();
    assert_eq!(world.deliver_without_advancing().await, 1);
    assert_eq!(world.faults.count("SendMessage"), 0, "it comes from another failure");
}

#[tokio::test]
async fn a_message_whose_work_does_not_end_comes_back_and_others_are_done() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    world.faults.inject("SendMessageBatch", Fault::Slow(Duration::from_secs(3)), 3);
    assert_eq!(world.advancing_time(world.deliver_without_advancing()).await, 1);
    world.faults.recover();
    for_seconds(world, 6).await;
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn a_finished_result_is_not_thrown_away_because_the_queue_is_slow() {
    let world = World::with_limits(Limits::Lifted).await;
    let subscribed = Subscribed::in_world(world, &["operation.succeeded"]).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    let accepted = account.generate_async("k", &goal()).await.data(202).clone();
    let path = format!("/operations/{}", accepted["id"].as_str().expect("an id"));
    world.faults.inject("SendMessage", Fault::Slow(Duration::from_secs(2)), usize::MAX);
    assert_eq!(world.advancing_time(world.process()).await, 1);
    world.faults.recover();
    assert_eq!(account.get(&path).await.data(200)["status"], "SUCCEEDED");
    assert_eq!(world.engine.asked(), 1);
    world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn a_queue_that_hangs_once_is_asked_again_in_time() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    let accepted = account.generate_async("k", &goal()).await.data(202).clone();
    let path = format!("/operations/{}", accepted["id"].as_str().expect("an id"));
    world.faults.inject("SendMessage", Fault::Slow(Duration::from_secs(60)), 1);
    let began = world.now();
    assert_eq!(world.advancing_time(world.process()).await, 1);
    assert!(world.now().since(began) < Duration::from_secs(4), "within what settling has");
    assert_eq!(account.get(&path).await.data(200)["status"], "SUCCEEDED");
    world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 1);
}
