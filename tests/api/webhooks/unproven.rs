//! Until an endpoint has accepted a delivery, it may be a stranger's host: little is sent there.

use std::{collections::BTreeSet, pin::pin, sync::Arc, time::Duration};

use acceptance::{
    Account, World,
    account::fresh_key,
    receiver::{Receiver, ReceiverBehavior},
};
use domain::{Plan, webhook::HOST_DELIVERIES_PER_SECOND};
use futures::future::{join_all, select};
use reqwest::Method;
use serde_json::{Value, json};
use store::{admission::Limits, webhooks::StoredEndpoint};
use tokio::sync::Notify;

use super::{goal, prove};

const EVENTS: [&str; 1] = ["operation.succeeded"];

/// An account whose new endpoint answers so.
struct Unproven {
    world: World,
    account: Account,
    receiver: Receiver,
    id: Value,
}

impl Unproven {
    async fn answering(behavior: ReceiverBehavior) -> Self {
        let world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        let receiver = Receiver::start().await;
        receiver.set(behavior);
        let id = account.create_endpoint(&receiver.url, &EVENTS).await["id"].clone();
        Self { world, account, receiver, id }
    }

    fn path(&self) -> String {
        format!("/webhook-endpoints/{}", self.id.as_str().expect("an identifier"))
    }

    async fn succeed(&self, times: usize) {
        for _ in 0..times {
            self.account.generate(&fresh_key(), &goal()).await.data(200);
        }
    }

    /// Delivers what is due now.
    async fn deliver_due(&self) {
        while self.world.deliver_without_advancing().await > 0 {}
    }

    async fn for_seconds(&self, seconds: u64, step: u64) {
        for _ in 0..seconds / step {
            self.world.clock.advance(Duration::from_secs(step));
            self.deliver_due().await;
        }
    }

    async fn stored(&self) -> StoredEndpoint {
        let id = self.id.as_str().and_then(|text| text.parse().ok()).expect("an identifier");
        let stored = self.world.store.endpoint(self.account.id, id).await;
        stored.expect("the table answers").expect("an endpoint")
    }

    /// Every event was delivered, and the list of deliveries says so.
    async fn assert_delivered(&self, events: usize) {
        assert_eq!(self.delivered().len(), events);
        let path = format!("{}/deliveries?limit=100", self.path());
        let page = self.account.get(&path).await.data(200).clone();
        let statuses = page["items"].as_array().expect("a list").iter().map(|one| &one["status"]);
        assert_eq!(statuses.collect::<Vec<_>>(), vec!["succeeded"; events]);
    }

    fn delivered(&self) -> BTreeSet<String> {
        let received = self.receiver.received();
        received.iter().map(|delivery| delivery.header("webhook-id").to_owned()).collect()
    }
}

#[tokio::test]
async fn a_new_endpoint_that_answers_after_a_second_gets_every_event() {
    let go = Arc::new(Notify::new());
    let unproven = Unproven::answering(ReceiverBehavior::Waits(204, go.clone())).await;
    unproven.succeed(30).await;
    let a_batch = || unproven.world.deliver_without_advancing();
    for _ in 0..3 {
        assert_eq!(a_batch().await, 10, "ends, fanned out");
    }
    let answers = async {
        for answered in 0.. {
            unproven.world.until(|| unproven.receiver.count() > answered).await;
            unproven.world.clock.advance(Duration::from_secs(1));
            go.notify_one();
        }
    };
    let deliveries = async {
        // All are received while the first has no answer yet.
        assert_eq!(join_all((0..3).map(|_| a_batch())).await, [10; 3]);
        unproven.for_seconds(3_600, 5).await;
    };
    select(pin!(deliveries), pin!(answers)).await;
    unproven.assert_delivered(30).await;
    assert_eq!(unproven.receiver.count(), 30, "each once");
}

#[tokio::test]
async fn a_new_endpoint_that_is_down_for_four_seconds_gets_every_event() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(503)).await;
    unproven.succeed(20).await;
    unproven.deliver_due().await;
    unproven.for_seconds(4, 1).await;
    let count = unproven.receiver.count();
    assert!((1..=3).contains(&count), "{count} posts, two seconds apart");
    unproven.receiver.set(ReceiverBehavior::Status(204));
    unproven.receiver.forget();
    unproven.for_seconds(3_600, 5).await;
    unproven.assert_delivered(20).await;
}

#[tokio::test]
async fn however_many_wait_for_an_endpoint_that_has_accepted_none_one_is_posted_at_a_time() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    unproven.succeed(40).await;
    unproven.deliver_due().await;
    assert_eq!(unproven.receiver.count(), 1);
    unproven.for_seconds(120, 1).await;
    let count = unproven.receiver.count();
    assert!((20..=61).contains(&count), "{count} in two minutes");

    // It is proven now: all that waits is delivered, however much it is.
    unproven.receiver.set(ReceiverBehavior::Status(204));
    unproven.receiver.forget();
    unproven.for_seconds(3_600, 30).await;
    unproven.assert_delivered(40).await;
}

#[tokio::test]
async fn what_waits_for_days_is_one_message_each_and_is_posted() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    unproven.succeed(15).await;
    unproven.for_seconds(4 * 86_400, 900).await;
    let (queued, dead) = unproven.world.delivery_queue_depth().await;
    assert!(queued <= 15 && dead == 0, "{queued} messages, {dead} dead letters");
    let posted = unproven.delivered();
    assert_eq!(posted.len(), 15, "each was posted");
    unproven.receiver.set(ReceiverBehavior::Status(204));
    unproven.for_seconds(2 * 86_400, 900).await;
    assert_eq!(unproven.world.delivery_queue_depth().await, (0, 0));
}

#[tokio::test]
async fn an_accepted_test_delivery_or_event_ends_the_pacing_and_a_new_host_begins_it_again() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(204)).await;
    let tested = unproven.account.send(Method::POST, &unproven.path(), &json!({})).await;
    assert_eq!(tested.data(200)["delivered"], true);
    unproven.receiver.forget();
    unproven.succeed(4).await;
    unproven.receiver.set(ReceiverBehavior::Status(500));
    unproven.deliver_due().await;
    assert_eq!(unproven.receiver.count(), 4);

    let same = json!({"url": unproven.receiver.url, "enabled": true});
    unproven.account.send(Method::PATCH, &unproven.path(), &same).await.data(200);
    let path = json!({"url": format!("{}/other", unproven.receiver.url)});
    let host = json!({"url": unproven.receiver.url_at("localhost")});
    for (patch, expected) in [(same, 4), (path, 4), (host, 1)] {
        unproven.account.send(Method::PATCH, &unproven.path(), &patch).await.data(200);
        unproven.receiver.forget();
        unproven.succeed(4).await;
        unproven.deliver_due().await;
        assert_eq!(unproven.receiver.count(), expected, "{patch}");
    }
}

#[tokio::test]
async fn endpoints_of_one_host_share_its_deliveries_of_a_second() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(204)).await;
    for number in 1..10 {
        let url =
            format!("{}{number}", unproven.receiver.url.to_uppercase().replace("HTTP", "http"));
        unproven.account.create_endpoint(&url, &EVENTS).await;
    }
    unproven.succeed(1).await;
    unproven.for_seconds(60, 2).await;
    assert_eq!(unproven.receiver.count(), 10, "each has accepted one");
    unproven.receiver.forget();
    unproven.succeed(3).await;
    unproven.deliver_due().await;
    // Three to the first endpoint, which was alone when it was made.
    let most = 3 + HOST_DELIVERIES_PER_SECOND as usize;
    assert_eq!(unproven.receiver.count(), most);
    unproven.for_seconds(600, 1).await;
    assert_eq!(unproven.delivered().len(), 30, "nothing is lost");
}

#[tokio::test]
async fn test_deliveries_count_for_their_host() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    for _ in 0..HOST_DELIVERIES_PER_SECOND {
        unproven.account.send(Method::POST, &unproven.path(), &json!({})).await.data(200);
    }
    let answer = unproven.account.send(Method::POST, &unproven.path(), &json!({})).await;
    let message = answer.is_error(429, "rate_limited")["message"].as_str().expect("words");
    let said = "At most 5 deliveries a second go to a host; the next second begins at 2026-";
    assert!(message.starts_with(said), "{message}");
    assert_eq!(answer.header("retry-after"), Some("1"));
    unproven.world.clock.advance(Duration::from_secs(1));
    unproven.account.send(Method::POST, &unproven.path(), &json!({})).await.data(200);
}

#[tokio::test]
async fn an_endpoint_that_fails_holds_no_other_one_back() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    let receiver = Receiver::start().await;
    let made = unproven.account.create_endpoint(&receiver.url, &EVENTS).await;
    prove(&unproven.world, &unproven.account, &made["id"]).await;
    receiver.forget();
    for (round, behavior) in
        [ReceiverBehavior::Status(404), ReceiverBehavior::Hangs].into_iter().enumerate()
    {
        unproven.receiver.set(behavior);
        unproven.succeed(20).await;
        while unproven.world.deliver_fast_lane().await > 0 {}
        assert_eq!(receiver.count(), 20 * (round + 1));
    }
}

#[tokio::test]
async fn a_change_during_the_attempt_that_proves_the_host_does_not_undo_that() {
    let go = Arc::new(Notify::new());
    let unproven = Unproven::answering(ReceiverBehavior::Waits(204, go.clone())).await;
    unproven.succeed(1).await;
    let change = async {
        unproven.world.until(|| unproven.receiver.count() == 1).await;
        let change = json!({"description": "Changed meanwhile"});
        unproven.account.send(Method::PATCH, &unproven.path(), &change).await.data(200);
        go.notify_one();
    };
    tokio::join!(unproven.deliver_due(), change);
    let stored = unproven.stored().await;
    assert!(!stored.unproven && stored.permits.is_empty(), "its deliveries wait for nothing");
}
