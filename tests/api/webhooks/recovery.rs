//! Sending failed deliveries again.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use acceptance::{
    Answer, World,
    fault_injection::{CrashPoint, Fault},
    receiver::ReceiverBehavior,
};
use domain::{
    EventId, Plan, Timestamp,
    webhook::{FailureReason, HOST_DELIVERIES_PER_SECOND, LIFETIME},
};
use futures::stream::{self, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use store::webhooks::{
    deliveries::DeliveryResult,
    queue::{DeliveryMessage, Event, Notification},
};
use tokio::sync::Notify;

use super::{Subscribed, isolation::delivery};

const SECOND: Duration = Duration::from_secs(1);

impl Subscribed {
    async fn recover(&self, since: Timestamp) -> Answer {
        let path = format!("{}/recover", self.path());
        self.account.send(Method::POST, &path, &json!({"since": since.to_string()})).await
    }

    async fn recovered(&self, since: Timestamp) -> Value {
        self.recover(since).await.data(200).clone()
    }

    /// An event whose delivery was given up. Its number distinguishes it from others.
    async fn given_up(&self, number: u128) -> DeliveryMessage {
        let message = delivery(self, 10, 7);
        let id = EventId::from_bits(number << 40);
        let message = DeliveryMessage { event: Event { id, ..message.event }, ..message };
        let result = DeliveryResult::Failed(FailureReason::Status);
        let recorded = self.world.store.record_delivery(&message, None, result).await;
        recorded.expect("storage works");
        message
    }

    fn delivered(&self) -> BTreeSet<String> {
        let received = self.receiver.received();
        received.iter().map(|one| one.header("webhook-id").to_owned()).collect()
    }
}

#[tokio::test]
async fn what_failed_is_sent_again_as_it_was() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let began = subscribed.world.now();
    subscribed.exhaust().await;
    let first = subscribed.receiver.received()[0].clone();
    subscribed.receiver.forget();
    subscribed.receiver.set(ReceiverBehavior::Status(204));
    assert_eq!(subscribed.recovered(began).await, json!({"queued": 1, "hasMore": false}));
    let shown = subscribed.deliveries().await[0].clone();
    assert_eq!((&shown["status"], &shown["attempt"]), (&json!("pending"), &json!(0)));
    assert_eq!((&shown["reason"], &shown["responseStatus"]), (&json!(null), &json!(null)));
    assert!(shown["nextAttemptAt"].is_string());

    subscribed.world.deliver_all().await;
    let again = subscribed.only_arrival();
    assert_eq!(again.header("webhook-id"), first.header("webhook-id"));
    assert_eq!(again.body, first.body);
    assert!(again.is_signed_with(&subscribed.secret));
    let shown = subscribed.deliveries().await[0].clone();
    assert_eq!((&shown["status"], &shown["attempt"]), (&json!("succeeded"), &json!(1)));
    assert_eq!(subscribed.recovered(began).await, json!({"queued": 0, "hasMore": false}));
}

#[tokio::test]
async fn what_is_sent_again_has_a_new_schedule_of_attempts() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    let began = subscribed.world.now();
    subscribed.given_up(1).await;
    subscribed.recovered(began).await;
    subscribed.world.deliver_all().await;
    let shown = subscribed.deliveries().await[0].clone();
    assert_eq!((&shown["status"], &shown["attempt"]), (&json!("pending"), &json!(1)));
    assert_eq!(subscribed.recovered(began).await["queued"], 0, "it is attempted again anyway");
    subscribed.for_time(Duration::from_secs(8), SECOND).await;
    assert_eq!(subscribed.deliveries().await[0]["attempt"], 2);
    // It is given up and sent again once more.
    subscribed.patch(json!({"enabled": false})).await;
    subscribed.for_time(Duration::from_secs(420), Duration::from_secs(20)).await;
    assert_eq!(subscribed.deliveries().await[0]["reason"], "endpoint_disabled");
    subscribed.patch(json!({"enabled": true})).await;
    subscribed.receiver.set(ReceiverBehavior::Status(204));
    assert_eq!(subscribed.recovered(began).await["queued"], 1);
    subscribed.world.deliver_all().await;
    let shown = subscribed.deliveries().await[0].clone();
    assert_eq!((&shown["status"], &shown["attempt"]), (&json!("succeeded"), &json!(1)));
    assert_eq!((subscribed.receiver.count(), subscribed.delivered().len()), (3, 1));
}

#[tokio::test]
async fn only_what_failed_since_the_instant_is_sent_again() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let old = subscribed.given_up(1).await;
    subscribed.world.clock.advance(SECOND);
    let since = subscribed.world.now();
    let young = subscribed.given_up(2).await;
    subscribed.succeed().await;
    subscribed.receiver.forget();
    // Its milliseconds have a digit more.
    let far: Timestamp = "2300-01-01T00:00:00Z".parse().expect("an instant");
    assert_eq!(subscribed.recovered(far).await, json!({"queued": 0, "hasMore": false}));
    assert_eq!(subscribed.recovered(since).await, json!({"queued": 1, "hasMore": false}));
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.delivered(), BTreeSet::from([young.delivery_id().to_string()]));
    assert_eq!(subscribed.recovered(old.event.timestamp).await["queued"], 1);
    subscribed.world.deliver_all().await;
    assert!(subscribed.delivered().contains(&old.delivery_id().to_string()));
}

#[tokio::test]
async fn an_event_that_is_no_longer_subscribed_to_is_sent_again_too() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let message = subscribed.given_up(1).await;
    subscribed.patch(json!({"events": ["operation.failed"]})).await;
    subscribed.recovered(message.event.timestamp).await;
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn a_disabled_endpoint_is_refused() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let message = subscribed.given_up(1).await;
    subscribed.patch(json!({"enabled": false})).await;
    subscribed.recover(message.event.timestamp).await.is_error(409, "endpoint_disabled");
    assert_eq!(subscribed.deliveries().await[0]["status"], "failed");
}

#[tokio::test]
async fn an_instant_is_rfc_3339_and_at_most_a_week_ago() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let now = subscribed.world.now();
    let ago = |time: Duration| {
        let millis = i64::try_from(time.as_millis()).expect("a short time");
        json!({"since": Timestamp::from_millis(now.millis() - millis).to_string()})
    };
    let path = format!("{}/recover", subscribed.path());
    let day = Duration::from_secs(86_400);
    for body in [
        json!({}),
        json!({"since": null}),
        json!({"since": 1_773_576_000}),
        json!({"since": "yesterday"}),
        json!({"since": "2026-03-15"}),
        json!({"since": "2026-03-15T12:00:00"}),
        ago(LIFETIME + day),
    ] {
        let answer = subscribed.account.send(Method::POST, &path, &body).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), ["/since"], "{body}");
    }
    for body in [
        ago(LIFETIME),
        ago(day),
        json!({"since": "2126-01-01T00:00:00+05:30"}),
        json!({"since": now.to_string(), "description": "is ignored"}),
    ] {
        let answer = subscribed.account.send(Method::POST, &path, &body).await;
        assert_eq!(answer.data(200), &json!({"queued": 0, "hasMore": false}), "{body}");
    }
}

#[tokio::test]
async fn a_request_sends_a_hundred_again_and_its_host_gets_five_a_second() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let since = subscribed.world.now();
    for number in 0..103 {
        subscribed.given_up(1 + number).await;
    }
    assert_eq!(subscribed.recovered(since).await, json!({"queued": 100, "hasMore": true}));
    assert_eq!(subscribed.recovered(since).await, json!({"queued": 3, "hasMore": false}));
    while subscribed.world.deliver_without_advancing().await > 0 {}
    let most = HOST_DELIVERIES_PER_SECOND as usize;
    assert_eq!(subscribed.receiver.count(), most);
    for _ in 0..60 {
        let before = subscribed.receiver.count();
        subscribed.world.clock.advance(SECOND);
        while subscribed.world.deliver_without_advancing().await > 0 {}
        assert!(subscribed.receiver.count() - before <= most);
    }
    assert_eq!((subscribed.receiver.count(), subscribed.delivered().len()), (103, 103));
    let deliveries = subscribed.account.get(&format!("{}/deliveries", subscribed.path())).await;
    let deliveries = deliveries.data(200)["items"].as_array().expect("a list").clone();
    assert!(deliveries.iter().all(|one| one["status"] == "succeeded"), "{deliveries:?}");
}

#[tokio::test]
async fn a_large_recovery_refuses_no_test_delivery() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let since = subscribed.world.now();
    for number in 0..20 {
        subscribed.given_up(1 + number).await;
    }
    subscribed.recovered(since).await;
    for _ in 0..3 {
        while subscribed.world.deliver_without_advancing().await > 0 {}
        let test = subscribed.account.send(Method::POST, &subscribed.path(), &json!({})).await;
        assert_eq!(test.data(200)["delivered"], true);
        subscribed.world.clock.advance(SECOND);
    }
}

#[tokio::test]
async fn an_endpoint_that_has_accepted_nothing_gets_what_is_sent_again_one_at_a_time() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let since = subscribed.world.now();
    for number in 0..12 {
        subscribed.given_up(1 + number).await;
    }
    let new_host = json!({"url": subscribed.receiver.url_at("localhost")});
    subscribed.patch(new_host).await;
    subscribed.receiver.set(ReceiverBehavior::Status(404));
    assert_eq!(subscribed.recovered(since).await, json!({"queued": 12, "hasMore": false}));
    while subscribed.world.deliver_without_advancing().await > 0 {}
    assert_eq!(subscribed.receiver.count(), 1);
    subscribed.for_time(Duration::from_secs(120), SECOND * 2).await;
    assert!(subscribed.receiver.count() <= 61, "one every two seconds");
    subscribed.receiver.set(ReceiverBehavior::Status(204));
    subscribed.for_time(Duration::from_secs(3_600), Duration::from_secs(30)).await;
    assert_eq!(subscribed.delivered().len(), 12);
}

#[tokio::test]
async fn requests_at_once_send_each_delivery_once() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let since = subscribed.world.now();
    for number in 0..4 {
        subscribed.given_up(1 + number).await;
    }
    let recover = || subscribed.recovered(since);
    tokio::join!(recover(), recover(), recover());
    subscribed.for_time(Duration::from_secs(30), SECOND).await;
    assert_eq!((subscribed.receiver.count(), subscribed.delivered().len()), (4, 4));
}

#[tokio::test]
async fn what_is_attempted_right_now_is_not_sent_again() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let DeliveryMessage { account_id, endpoint_id, event, .. } = subscribed.given_up(1).await;
    let since = event.timestamp;
    // It is attempted before the request that sends it again has recorded that.
    let store = &subscribed.world.store;
    let failed = store.failed_deliveries(account_id, endpoint_id, since, 1).await;
    let failed = &failed.expect("the table answers").deliveries[0];
    let message =
        failed.recovered(account_id, endpoint_id, subscribed.world.now(), &**store.random());
    store.enqueue_notifications(&[Notification::Delivery(message)]).await.expect("a queue");
    let go = Arc::new(Notify::new());
    subscribed.receiver.set(ReceiverBehavior::Waits(204, go.clone()));
    let shown = async {
        subscribed.world.until(|| subscribed.receiver.count() == 1).await;
        let shown = subscribed.deliveries().await[0].clone();
        let again = subscribed.recovered(since).await;
        go.notify_one();
        (shown["status"].clone(), again["queued"].clone())
    };
    let (_, shown) = tokio::join!(subscribed.world.deliver_without_advancing(), shown);
    assert_eq!(shown, (json!("pending"), json!(0)));
    subscribed.for_time(Duration::from_secs(30), SECOND).await;
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn no_attempt_is_scheduled_for_when_its_event_is_too_old() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let since = subscribed.given_up(1).await.event.timestamp;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    subscribed.world.clock.advance(LIFETIME - Duration::from_secs(20));
    assert_eq!(subscribed.recovered(since).await["queued"], 1);
    subscribed.for_time(Duration::from_secs(15), SECOND).await;
    let shown = subscribed.deliveries().await[0].clone();
    assert_eq!((&shown["status"], &shown["nextAttemptAt"]), (&json!("failed"), &json!(null)));
    assert_eq!(subscribed.recovered(since).await["queued"], 1, "its receiver may be mended by now");
}

#[tokio::test]
async fn a_message_from_before_attempts_nothing_once_its_delivery_is_sent_again() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let message = subscribed.given_up(1).await;
    subscribed.recovered(message.event.timestamp).await;
    let late = Notification::Delivery(message);
    subscribed.world.store.enqueue_notifications(&[late]).await.expect("a queue");
    subscribed.for_time(Duration::from_secs(10), SECOND).await;
    assert_eq!(subscribed.receiver.count(), 1);
}

#[tokio::test]
async fn a_request_that_crashes_loses_nothing_and_its_repetition_doubles_nothing() {
    let crash_points = [false, true]
        .into_iter()
        .flat_map(|call_arrives| (0..9).map(move |after| CrashPoint { after, call_arrives }));
    let tries = crash_points.map(|crash_point| async move {
        let place = format!("{crash_point:?}");
        let mut subscribed = Subscribed::to(&["operation.succeeded"]).await;
        let since = subscribed.world.now();
        for number in 0..2 {
            subscribed.given_up(1 + number).await;
        }
        subscribed.world.faults.crash(crash_point);
        let answer = {
            let recover = subscribed.recover(since);
            subscribed.world.faults.or_crash(recover).await
        };
        subscribed.world.restart();
        subscribed.recovered(since).await;
        subscribed.for_time(Duration::from_secs(30), SECOND).await;
        assert_eq!(subscribed.delivered().len(), 2, "{place}");
        assert_eq!(subscribed.receiver.count(), 2, "{place}");
        let deliveries = subscribed.deliveries().await;
        assert!(deliveries.iter().all(|one| one["status"] == "succeeded"), "{place}");
        answer.is_some()
    });
    let outcomes: Vec<_> = stream::iter(tries).buffer_unordered(6).collect().await;
    assert!(outcomes.contains(&true) && outcomes.contains(&false));
}

#[tokio::test]
async fn a_failure_that_cannot_be_recorded_is_attempted_and_recorded_later() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.receiver.set(ReceiverBehavior::Status(410));
    let since = world.now();
    subscribed.account.generate(&acceptance::account::fresh_key(), &super::goal()).await.data(200);
    assert_eq!(world.deliver_without_advancing().await, 1, "the announcement");
    // The endpoint is disabled in a transaction; the update after that is the record.
    world.faults.inject("UpdateItem", Fault::Unreachable, 1_000);
    world.advancing_time(world.deliver_without_advancing()).await;
    world.faults.recover();
    assert_eq!(subscribed.deliveries().await, [] as [Value; 0]);
    subscribed.for_time(Duration::from_secs(60), SECOND).await;
    assert_eq!(subscribed.deliveries().await[0]["status"], "failed");
    subscribed.patch(json!({"enabled": true})).await;
    subscribed.receiver.set(ReceiverBehavior::Status(204));
    assert_eq!(subscribed.recovered(since).await["queued"], 1);
}

#[tokio::test]
async fn a_stranger_recovers_nothing() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let message = subscribed.given_up(1).await;
    let stranger: acceptance::Account = World::account(&subscribed.world, Plan::Max).await;
    let body = json!({"since": message.event.timestamp.to_string()});
    let path = format!("{}/recover", subscribed.path());
    stranger.send(Method::POST, &path, &body).await.is_error(404, "not_found");
    assert_eq!(subscribed.deliveries().await[0]["status"], "failed");
}
