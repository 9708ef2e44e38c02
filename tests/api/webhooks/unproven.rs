//! Until an endpoint has accepted a delivery, it may be a stranger's host: little is sent there.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use acceptance::{
    Account, World,
    account::fresh_key,
    fault_injection::{CrashPoint, Fault},
    receiver::{Receiver, ReceiverBehavior},
};
use domain::{
    Plan,
    webhook::{HOST_DELIVERIES_PER_SECOND, LIFETIME},
};
use futures::stream::{self, StreamExt};
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

    /// How many deliveries wait, as the endpoint's item says.
    async fn waiting(&self) -> usize {
        self.stored().await.waiting.len()
    }

    async fn stored(&self) -> StoredEndpoint {
        let id = self.id.as_str().and_then(|text| text.parse().ok()).expect("an identifier");
        let stored = self.world.store.endpoint(self.account.id, id).await;
        stored.expect("the table answers").expect("an endpoint")
    }

    /// As many operations succeed as fill every place, and more: ten deliveries wait, and all ten arrive once the
    /// endpoint accepts them.
    async fn assert_ten_wait_and_arrive(&self, place: &str) {
        self.succeed(12).await;
        self.for_seconds(300, 5).await;
        assert_eq!(self.waiting().await, 10, "{place}");
        self.receiver.set(ReceiverBehavior::Status(204));
        self.receiver.forget();
        self.for_seconds(3_600, 30).await;
        assert_eq!(self.delivered().len(), 10, "{place}");
    }

    fn delivered(&self) -> BTreeSet<String> {
        let received = self.receiver.received();
        received.iter().map(|delivery| delivery.header("webhook-id").to_owned()).collect()
    }
}

#[tokio::test]
async fn a_new_endpoint_gets_one_delivery_at_a_time() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    unproven.succeed(6).await;
    unproven.deliver_due().await;
    assert_eq!(unproven.receiver.count(), 1);
    unproven.for_seconds(10, 1).await;
    let count = unproven.receiver.count();
    assert!((2..=6).contains(&count), "{count} in ten seconds");
}

#[tokio::test]
async fn at_most_ten_deliveries_wait_for_an_endpoint_that_has_accepted_none() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    unproven.succeed(15).await;
    unproven.deliver_due().await;
    unproven.for_seconds(60, 2).await;
    unproven.receiver.set(ReceiverBehavior::Status(204));
    unproven.receiver.forget();
    unproven.for_seconds(3_600, 30).await;
    assert_eq!(unproven.delivered().len(), 10);

    // It is proven now: all that waits is delivered, however much it is.
    unproven.receiver.set(ReceiverBehavior::Status(500));
    unproven.receiver.forget();
    unproven.succeed(15).await;
    unproven.deliver_due().await;
    assert_eq!(unproven.receiver.count(), 15);
    unproven.receiver.set(ReceiverBehavior::Status(204));
    unproven.receiver.forget();
    unproven.for_seconds(3_600, 30).await;
    assert_eq!(unproven.delivered().len(), 15);
}

#[tokio::test]
async fn what_is_given_up_or_no_longer_wanted_makes_room_for_other_deliveries() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    unproven.succeed(10).await;
    unproven.for_seconds(4 * 86_400, 900).await;
    unproven.succeed(10).await;
    unproven.for_seconds(60, 2).await;
    for events in [["operation.failed"], EVENTS] {
        let patch = json!({"events": events});
        unproven.account.send(Method::PATCH, &unproven.path(), &patch).await.data(200);
        unproven.for_seconds(1_800, 60).await;
    }
    unproven.succeed(12).await;
    unproven.for_seconds(60, 2).await;
    unproven.receiver.set(ReceiverBehavior::Status(204));
    unproven.receiver.forget();
    unproven.for_seconds(3_600, 60).await;
    assert_eq!(unproven.delivered().len(), 10);
}

#[tokio::test]
async fn a_change_of_the_endpoint_lets_no_more_deliveries_wait() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    for number in 0..3 {
        unproven.succeed(8).await;
        unproven.for_seconds(20, 2).await;
        let patch = json!({"description": format!("{number}"), "enabled": true});
        unproven.account.send(Method::PATCH, &unproven.path(), &patch).await.data(200);
    }
    unproven.receiver.set(ReceiverBehavior::Status(204));
    unproven.receiver.forget();
    unproven.for_seconds(3_600, 60).await;
    assert_eq!(unproven.delivered().len(), 10);
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
    answer.is_error(429, "rate_limited");
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
async fn a_lost_answer_about_a_place_neither_loses_the_delivery_nor_gives_it_two() {
    for times in [1, 3] {
        let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
        unproven.succeed(1).await;
        unproven.deliver_due().await;
        assert_eq!(unproven.waiting().await, 1);
        // Fan-out, then the way to the slow lane: the next write is the place's, as the one permit is known to be held.
        unproven.succeed(1).await;
        for _ in 0..2 {
            assert_eq!(unproven.world.deliver_without_advancing().await, 1);
        }
        unproven.world.faults.inject("UpdateItem", Fault::AnswerLost, times);
        assert_eq!(unproven.world.deliver_without_advancing().await, 1);
        assert!(unproven.world.faults.is_exhausted());
        assert_eq!(unproven.waiting().await, 2, "{times} lost");
        unproven.assert_ten_wait_and_arrive(&format!("{times} lost")).await;
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

#[tokio::test]
async fn a_deliverer_that_crashes_anywhere_keeps_no_place() {
    let crash_points = [false, true].into_iter().flat_map(|call_arrives| {
        (2..24).step_by(3).map(move |after| CrashPoint { after, call_arrives })
    });
    let outcomes: Vec<_> = stream::iter(crash_points)
        .map(|crash_point| async move {
            let mut unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
            unproven.succeed(1).await;
            unproven.deliver_due().await;
            unproven.succeed(2).await;
            // Fan-out, then the way to the slow lane, where places are taken.
            for _ in 0..2 {
                assert_eq!(unproven.world.deliver_without_advancing().await, 2);
            }
            unproven.world.clock.advance(Duration::from_secs(2));
            unproven.world.faults.crash(crash_point);
            let done = unproven.world.faults.or_crash(unproven.deliver_due()).await;
            unproven.world.restart();
            unproven.assert_ten_wait_and_arrive(&format!("{crash_point:?}")).await;
            done.is_some()
        })
        .buffer_unordered(4)
        .collect()
        .await;
    assert!(outcomes.contains(&true) && outcomes.contains(&false), "{outcomes:?}");
}

#[tokio::test]
async fn dead_letters_keep_their_places_no_longer_than_their_events_are_delivered() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    unproven.succeed(10).await;
    unproven.for_seconds(60, 2).await;
    for call in ["BatchGetItem", "GetItem"] {
        unproven.world.faults.inject(call, Fault::Denied, usize::MAX);
    }
    unproven.for_seconds(3_600, 30).await;
    assert_eq!(unproven.world.delivery_queue_depth().await, (0, 10));
    unproven.world.faults.recover();
    unproven.succeed(2).await;
    unproven.for_seconds(60, 2).await;
    assert_eq!(unproven.world.delivery_queue_depth().await, (0, 10), "nothing else may wait");
    unproven.world.clock.advance(LIFETIME);
    // A week of failures disables an endpoint.
    let enable = json!({"enabled": true});
    unproven.account.send(Method::PATCH, &unproven.path(), &enable).await.data(200);
    unproven.assert_ten_wait_and_arrive("a week later").await;
}

#[tokio::test]
async fn a_delivery_that_disables_its_endpoint_keeps_no_place() {
    let unproven = Unproven::answering(ReceiverBehavior::Status(404)).await;
    unproven.succeed(1).await;
    unproven.deliver_due().await;
    unproven.receiver.set(ReceiverBehavior::Status(410));
    unproven.for_seconds(60, 2).await;
    assert_eq!(unproven.waiting().await, 0);
    unproven.receiver.set(ReceiverBehavior::Status(404));
    let enable = json!({"enabled": true});
    unproven.account.send(Method::PATCH, &unproven.path(), &enable).await.data(200);
    unproven.assert_ten_wait_and_arrive("enabled again").await;
}
