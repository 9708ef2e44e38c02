//! A service that dies at any of its calls: an event is told if and only if its operation ended so, and
//! always under one identifier.

use std::{collections::BTreeSet, time::Duration};

use acceptance::{World, account::fresh_key, wire::Death};
use futures::stream::{self, StreamExt};

use super::{Subscribed, goal};

/// Far longer than an answer takes: whoever hears nothing by then never will.
const PATIENCE: Duration = Duration::from_millis(1_000);

fn places(calls: usize) -> impl Iterator<Item = Death> {
    [false, true]
        .into_iter()
        .flat_map(move |call_arrives| (0..calls).map(move |after| Death { after, call_arrives }))
}

/// Lets everything come to rest.
async fn settle(world: &World) {
    for _ in 0..4 {
        world.process_everything().await;
        world.deliver_all().await;
    }
}

/// Every operation that ended was told under one identifier, and nothing else was told.
async fn assert_told(subscribed: &Subscribed, place: &str) -> usize {
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
    let arrivals = subscribed.receiver.arrivals();
    let told: BTreeSet<_> = arrivals
        .iter()
        .map(|arrival| {
            let event = arrival.event();
            let kind = event["type"].as_str().expect("a kind").to_owned();
            (event["data"]["operationId"].to_string(), kind)
        })
        .collect();
    assert_eq!(told, ended, "{place}");
    let ids: BTreeSet<_> = arrivals.iter().map(|one| one.header("webhook-id").to_owned()).collect();
    assert_eq!(ids.len(), ended.len(), "{place}");
    for arrival in &arrivals {
        assert!(arrival.is_signed_with(&subscribed.secret), "{place}");
    }
    ended.len()
}

#[tokio::test]
async fn a_call_that_dies_anywhere_is_told_of_if_and_only_if_it_ended() {
    let tries = places(9).flat_map(|death| [false, true].map(|later| (death, later)));
    let told: Vec<_> = stream::iter(tries)
        .map(|(death, later)| async move {
            let place = format!("{death:?}, later {later}");
            let subscribed = Subscribed::to(&["operation.succeeded", "operation.failed"]).await;
            let account = &subscribed.account;
            subscribed.world.wire.die(death);
            let calling = async {
                if later {
                    account.generate_later("k", &goal()).await
                } else {
                    account.generate("k", &goal()).await
                }
            };
            let _ = tokio::time::timeout(PATIENCE, calling).await;
            subscribed.world.wire.revive();
            settle(&subscribed.world).await;
            assert_told(&subscribed, &place).await
        })
        .buffer_unordered(6)
        .collect()
        .await;
    assert!(told.contains(&0) && told.contains(&1), "{told:?}");
}

#[tokio::test]
async fn a_processor_that_dies_anywhere_is_told_of_once() {
    stream::iter(places(9))
        .map(|death| async move {
            let place = format!("{death:?}");
            let subscribed = Subscribed::to(&["operation.succeeded", "operation.failed"]).await;
            let account = &subscribed.account;
            account.generate_later(&fresh_key(), &goal()).await.data(202);
            subscribed.world.wire.die(death);
            let _ = tokio::time::timeout(PATIENCE, subscribed.world.process()).await;
            subscribed.world.wire.revive();
            settle(&subscribed.world).await;
            assert_eq!(assert_told(&subscribed, &place).await, 1, "{place}");
        })
        .buffer_unordered(6)
        .collect::<Vec<_>>()
        .await;
}

#[tokio::test]
async fn a_deliverer_that_dies_anywhere_loses_nothing() {
    stream::iter(places(10))
        .map(|death| async move {
            let place = format!("{death:?}");
            let subscribed = Subscribed::to(&["operation.succeeded", "operation.failed"]).await;
            subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
            subscribed.world.wire.die(death);
            let deliver = async { while subscribed.world.deliver_in_no_time().await > 0 {} };
            let _ = tokio::time::timeout(PATIENCE, deliver).await;
            subscribed.world.wire.revive();
            settle(&subscribed.world).await;
            assert_eq!(assert_told(&subscribed, &place).await, 1, "{place}");
        })
        .buffer_unordered(6)
        .collect::<Vec<_>>()
        .await;
}
