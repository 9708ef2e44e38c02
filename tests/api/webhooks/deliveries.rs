//! What the owner of an endpoint sees of its deliveries.

use std::{sync::Arc, time::Duration};

use acceptance::{
    World,
    fault_injection::Fault,
    receiver::{Receiver, ReceiverBehavior},
};
use domain::{Plan, Timestamp, webhook::LIFETIME};
use reqwest::Method;
use serde_json::{Value, json};
use store::{
    admission::Limits,
    webhooks::queue::{DeliveryMessage, Notification},
};
use tokio::sync::Notify;

use super::{Subscribed, isolation::delivery};

const DAY: Duration = Duration::from_secs(86_400);

impl Subscribed {
    /// Its deliveries, newest first.
    pub(super) async fn deliveries(&self) -> Vec<Value> {
        let page = self.page("?limit=100").await;
        assert_eq!(page["nextCursor"], json!(null));
        page["items"].as_array().expect("a list").clone()
    }

    async fn page(&self, query: &str) -> Value {
        let path = format!("{}/deliveries{query}", self.path());
        self.account.get(&path).await.data(200).clone()
    }

    async fn only_delivery(&self) -> Value {
        let deliveries = self.deliveries().await;
        assert_eq!(deliveries.len(), 1, "{deliveries:?}");
        deliveries[0].clone()
    }

    /// Lets time pass in steps, and delivers what is due.
    pub(super) async fn for_time(&self, time: Duration, step: Duration) {
        let end = self.world.now() + time;
        while self.world.now() < end {
            self.world.clock.advance(step);
            self.world.deliver_all().await;
        }
    }

    /// Has a delivery given up after ten attempts.
    pub(super) async fn exhaust(&self) {
        self.receiver.set(ReceiverBehavior::Status(500));
        self.succeed().await;
        self.for_time(Duration::from_secs(60), Duration::from_secs(2)).await;
        self.for_time(4 * DAY, Duration::from_secs(899)).await;
    }
}

fn instant(shown: &Value) -> Timestamp {
    shown.as_str().and_then(|text| text.parse().ok()).expect("an instant")
}

#[tokio::test]
async fn an_accepted_delivery_is_listed_with_its_event() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    assert_eq!(subscribed.page("").await, json!({"items": [], "nextCursor": null}));
    let began = subscribed.world.now();
    subscribed.succeed().await;
    let arrival = subscribed.only_arrival();
    let shown = subscribed.only_delivery().await;
    assert_eq!(shown["id"], arrival.header("webhook-id"));
    assert_eq!(shown["event"], arrival.event());
    assert_eq!((&shown["status"], &shown["attempt"]), (&json!("succeeded"), &json!(1)));
    assert!(instant(&shown["attemptedAt"]) >= began);
    assert_eq!(shown["responseStatus"], 204);
    assert_eq!((&shown["reason"], &shown["nextAttemptAt"]), (&json!(null), &json!(null)));
}

#[tokio::test]
async fn a_delivery_that_failed_says_why_and_when_it_is_attempted_again() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.answer_next([ReceiverBehavior::Status(503), ReceiverBehavior::Status(302)]);
    subscribed.succeed().await;
    let shown = subscribed.only_delivery().await;
    assert_eq!((&shown["status"], &shown["attempt"]), (&json!("pending"), &json!(1)));
    assert_eq!((&shown["responseStatus"], &shown["reason"]), (&json!(503), &json!("status")));
    let pause = instant(&shown["nextAttemptAt"]).since(instant(&shown["attemptedAt"]));
    assert!(pause >= Duration::from_secs(4) && pause <= Duration::from_secs(7), "{pause:?}");

    subscribed.for_time(Duration::from_secs(8), Duration::from_secs(1)).await;
    let shown = subscribed.only_delivery().await;
    assert_eq!((&shown["status"], &shown["attempt"]), (&json!("pending"), &json!(2)));
    assert_eq!((&shown["responseStatus"], &shown["reason"]), (&json!(302), &json!("redirect")));

    subscribed.for_time(Duration::from_secs(400), Duration::from_secs(10)).await;
    let shown = subscribed.only_delivery().await;
    assert_eq!((&shown["status"], &shown["attempt"]), (&json!("succeeded"), &json!(3)));
    assert_eq!((&shown["reason"], &shown["nextAttemptAt"]), (&json!(null), &json!(null)));
}

#[tokio::test]
async fn a_delivery_has_failed_after_its_last_attempt() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.exhaust().await;
    assert_eq!(subscribed.receiver.count(), 10);
    let shown = subscribed.only_delivery().await;
    assert_eq!((&shown["status"], &shown["attempt"]), (&json!("failed"), &json!(10)));
    assert_eq!((&shown["responseStatus"], &shown["reason"]), (&json!(500), &json!("status")));
    assert_eq!(shown["nextAttemptAt"], json!(null));
}

#[tokio::test]
async fn a_delivery_that_is_given_up_before_its_last_attempt_says_why() {
    for (patch, reason) in [
        (json!({"enabled": false}), "endpoint_disabled"),
        (json!({"events": ["webhook.test"]}), "not_subscribed"),
    ] {
        let subscribed = Subscribed::to(&["operation.succeeded"]).await;
        subscribed.receiver.answer_next([ReceiverBehavior::Status(500)]);
        subscribed.succeed().await;
        subscribed.patch(patch).await;
        subscribed.for_time(Duration::from_secs(8), Duration::from_secs(1)).await;
        let shown = subscribed.only_delivery().await;
        assert_eq!((&shown["status"], &shown["reason"]), (&json!("failed"), &json!(reason)));
        assert_eq!((&shown["attempt"], &shown["responseStatus"]), (&json!(1), &json!(500)));
        assert_eq!(shown["nextAttemptAt"], json!(null));
    }

    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.set(ReceiverBehavior::Status(410));
    subscribed.succeed().await;
    let shown = subscribed.only_delivery().await;
    assert_eq!((&shown["status"], &shown["responseStatus"]), (&json!("failed"), &json!(410)));
}

#[tokio::test]
async fn pages_follow_each_other_and_a_cursor_belongs_to_its_endpoint() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    for _ in 0..5 {
        subscribed.world.clock.advance(Duration::from_secs(1));
        subscribed.succeed().await;
    }
    let all = subscribed.deliveries().await;
    let times: Vec<_> = all.iter().map(|one| instant(&one["event"]["timestamp"])).collect();
    assert!(times.windows(2).all(|pair| pair[0] > pair[1]), "{times:?}");
    let (mut query, mut paged, mut sizes) = ("?limit=2".to_owned(), Vec::new(), Vec::new());
    let mut cursors = Vec::new();
    loop {
        let page = subscribed.page(&query).await;
        let items = page["items"].as_array().expect("a list");
        sizes.push(items.len());
        paged.extend(items.clone());
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        cursors.push(cursor.to_owned());
        query = format!("?limit=2&cursor={cursor}");
    }
    assert_eq!((paged, sizes), (all, vec![2, 2, 1]));

    let account = &subscribed.account;
    let other = account.create_endpoint(&subscribed.receiver.url, &["operation.failed"]).await;
    let other = format!("/webhook-endpoints/{}", other["id"].as_str().expect("an id"));
    for (path, query) in [
        (&other, format!("cursor={}", cursors[0])),
        (&subscribed.path(), format!("cursor={}", "A".repeat(40))),
        (&subscribed.path(), "limit=0".to_owned()),
        (&subscribed.path(), "limit=101".to_owned()),
    ] {
        let answer = account.get(&format!("{path}/deliveries?{query}")).await;
        answer.is_error(400, "invalid_request");
    }
    // A cursor outlives what it points to.
    subscribed.world.clock.advance(LIFETIME + DAY);
    let page = subscribed.page(&query).await;
    assert_eq!(page, json!({"items": [], "nextCursor": null}));
}

#[tokio::test]
async fn deliveries_of_a_week_are_listed_and_those_of_deleted_endpoints_are_not() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.succeed().await;
    subscribed.world.clock.advance(LIFETIME - DAY);
    assert_eq!(subscribed.deliveries().await.len(), 1);
    subscribed.succeed().await;
    subscribed.world.clock.advance(DAY + Duration::from_secs(60));
    assert_eq!(subscribed.deliveries().await.len(), 1, "also before the table removes the other");
    subscribed.account.delete(&subscribed.path()).await.data(200);
    let path = format!("{}/deliveries", subscribed.path());
    subscribed.account.get(&path).await.is_error(404, "not_found");
}

#[tokio::test]
async fn a_test_delivery_is_not_listed() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.account.send(Method::POST, &subscribed.path(), &json!({})).await.data(200);
    assert_eq!(subscribed.deliveries().await, [] as [Value; 0]);
}

#[tokio::test]
async fn an_endpoint_shows_its_own_deliveries_only() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let receiver = Receiver::start().await;
    let account = &subscribed.account;
    let other = account.create_endpoint(&receiver.url, &["operation.succeeded"]).await;
    subscribed.succeed().await;
    let path = format!("/webhook-endpoints/{}", other["id"].as_str().expect("an id"));
    let listed = account.get(&format!("{path}/deliveries")).await.data(200).clone();
    let ids: Vec<_> =
        listed["items"].as_array().expect("a list").iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [receiver.received()[0].header("webhook-id")]);
    assert_eq!(
        subscribed.only_delivery().await["id"],
        subscribed.only_arrival().header("webhook-id")
    );
    let stranger = subscribed.world.account(Plan::Max).await;
    stranger.get(&format!("{path}/deliveries")).await.is_error(404, "not_found");
}

#[tokio::test]
async fn what_was_accepted_stays_accepted_and_is_not_attempted_again() {
    let subscribed =
        Subscribed::in_world(World::with_limits(Limits::Lifted).await, &["operation.succeeded"])
            .await;
    let world = &subscribed.world;
    let message = delivery(&subscribed, 1, 0);
    let send = async |message: DeliveryMessage| {
        let notification = Notification::Delivery(message);
        world.store.enqueue_notifications(&[notification]).await.expect("a queue");
        world.deliver_all().await;
    };
    send(message.clone()).await;
    // SQS delivers it once more, and this time the receiver fails.
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    send(message.clone()).await;
    assert_eq!(subscribed.receiver.count(), 2);
    subscribed.for_time(Duration::from_secs(600), Duration::from_secs(10)).await;
    assert_eq!(subscribed.receiver.count(), 2, "its retry has nothing to do");
    let shown = subscribed.only_delivery().await;
    assert_eq!((&shown["status"], &shown["responseStatus"]), (&json!("succeeded"), &json!(204)));
}

#[tokio::test]
async fn copies_of_a_message_that_are_accepted_at_once_are_recorded() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let copy = Notification::Delivery(delivery(&subscribed, 1, 0));
    subscribed.world.store.enqueue_notifications(&[copy.clone(), copy]).await.expect("a queue");
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 2);
    assert_eq!(subscribed.only_delivery().await["status"], json!("succeeded"));
}

#[tokio::test]
async fn records_that_cannot_be_written_repeat_no_attempt() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.world.faults.inject("BatchWriteItem", Fault::Denied, 1);
    subscribed.succeed().await;
    assert!(subscribed.world.faults.is_exhausted());
    subscribed.for_time(Duration::from_secs(600), Duration::from_secs(10)).await;
    assert_eq!(subscribed.receiver.count(), 1);
    assert_eq!(subscribed.deliveries().await, [] as [Value; 0]);
}

#[tokio::test]
async fn an_accepted_retry_is_recorded_before_the_rest_of_its_batch_is_done() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    let slow = Receiver::start().await;
    let other = subscribed.account.create_endpoint(&slow.url, &["operation.succeeded"]).await;
    let go = Arc::new(Notify::new());
    slow.set(ReceiverBehavior::Waits(204, go.clone()));
    let waiting = DeliveryMessage {
        endpoint_id: other["id"].as_str().expect("a text").parse().expect("an identifier"),
        ..delivery(&subscribed, 1, 0)
    };
    let batch = [delivery(&subscribed, 2, 5), waiting].map(Notification::Delivery);
    world.store.enqueue_notifications(&batch).await.expect("a queue");
    world.faults.reset();
    let watching = async {
        world.until(|| world.faults.count("BatchWriteItem") == 1).await;
        assert_eq!(subscribed.only_delivery().await["status"], json!("succeeded"));
        while slow.count() == 0 {
            tokio::task::yield_now().await;
        }
        go.notify_waiters();
    };
    let (delivered, ()) = futures::future::join(world.deliver_without_advancing(), watching).await;
    assert_eq!(delivered, 2);
    assert_eq!(world.faults.count("BatchWriteItem"), 2);
}
