//! A service that dies at any of its calls: an event is told if and only if its operation ended so, and
//! always under one identifier.

use std::collections::BTreeSet;

use acceptance::{World, account::fresh_key, fault_injection::CrashPoint};
use futures::stream::{self, StreamExt};

use super::{Subscribed, goal};

fn crash_points(calls: usize) -> impl Iterator<Item = CrashPoint> {
    [false, true].into_iter().flat_map(move |call_arrives| {
        (0..calls).map(move |after| CrashPoint { after, call_arrives })
    })
}

/// Lets everything come to rest.
async fn settle(world: &World) {
    for _ in 0..4 {
        world.process_everything().await;
        world.deliver_all().await;
    }
}

/// Every operation that ended was told under one identifier, and nothing else was told.
async fn assert_notified(subscribed: &Subscribed, place: &str) -> usize {
    let listed = subscribed.account.get("/operations?limit=100").await.data(200).clone();
    let mut ended = BTreeSet::new();
    for operation in listed["items"].as_array().expect("a list") {
        let kind = match operation["status"].as_str() {
            Some("SUCCEEDED") => "operation.succeeded",
            Some("FAILED") => "operation.failed",
            status => panic!("{place}: {status:?}"),
        };
        ended.insert((operation["id"].to_string(), kind.to_owned()));
    }
    let received = subscribed.receiver.received();
    let told: BTreeSet<_> = received
        .iter()
        .map(|arrival| {
            let event = arrival.event();
            let kind = event["type"].as_str().expect("a kind").to_owned();
            (event["data"]["operationId"].to_string(), kind)
        })
        .collect();
    assert_eq!(told, ended, "{place}");
    let ids: BTreeSet<_> = received.iter().map(|one| one.header("webhook-id").to_owned()).collect();
    assert_eq!(ids.len(), ended.len(), "{place}");
    for arrival in &received {
        assert!(arrival.is_signed_with(&subscribed.secret), "{place}");
    }
    ended.len()
}

#[tokio::test]
async fn a_call_that_crashes_anywhere_is_delivered_if_and_only_if_it_ended() {
    let tries =
        crash_points(9).flat_map(|crash_point| [false, true].map(|later| (crash_point, later)));
    let told: Vec<_> = stream::iter(tries)
        .map(|(crash_point, later)| async move {
            let place = format!("{crash_point:?}, later {later}");
            let mut subscribed = Subscribed::to(&["operation.succeeded", "operation.failed"]).await;
            let account = subscribed.account.clone();
            subscribed.world.faults.crash(crash_point);
            let calling = async {
                if later {
                    account.generate_async("k", &goal()).await
                } else {
                    account.generate("k", &goal()).await
                }
            };
            let _ = subscribed.world.faults.or_crash(calling).await;
            subscribed.world.restart();
            settle(&subscribed.world).await;
            assert_notified(&subscribed, &place).await
        })
        .buffer_unordered(6)
        .collect()
        .await;
    assert!(told.contains(&0) && told.contains(&1), "{told:?}");
}

#[tokio::test]
async fn a_processor_that_crashes_anywhere_is_delivered_once() {
    stream::iter(crash_points(9))
        .map(|crash_point| async move {
            let place = format!("{crash_point:?}");
            let mut subscribed = Subscribed::to(&["operation.succeeded", "operation.failed"]).await;
            let account = subscribed.account.clone();
            account.generate_async(&fresh_key(), &goal()).await.data(202);
            subscribed.world.faults.crash(crash_point);
            let _ = subscribed.world.faults.or_crash(subscribed.world.process()).await;
            subscribed.world.restart();
            settle(&subscribed.world).await;
            assert_eq!(assert_notified(&subscribed, &place).await, 1, "{place}");
        })
        .buffer_unordered(6)
        .collect::<Vec<_>>()
        .await;
}

#[tokio::test]
async fn a_deliverer_that_crashes_anywhere_loses_nothing() {
    stream::iter(crash_points(10))
        .map(|crash_point| async move {
            let place = format!("{crash_point:?}");
            let mut subscribed = Subscribed::to(&["operation.succeeded", "operation.failed"]).await;
            subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
            subscribed.world.faults.crash(crash_point);
            let deliver = async { while subscribed.world.deliver_without_advancing().await > 0 {} };
            let _ = subscribed.world.faults.or_crash(deliver).await;
            subscribed.world.restart();
            settle(&subscribed.world).await;
            assert_eq!(assert_notified(&subscribed, &place).await, 1, "{place}");
        })
        .buffer_unordered(6)
        .collect::<Vec<_>>()
        .await;
}
