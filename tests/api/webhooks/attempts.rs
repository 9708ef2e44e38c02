//! What a delivery looks like, and when it is tried again.

use std::time::Duration;

use acceptance::{
    account::fresh_key,
    operations::UNREACHABLE_URL,
    receiver::{ENDPOINTS, ReceiverBehavior},
};
use domain::Timestamp;
use reqwest::Method;
use serde_json::json;

use super::{Subscribed, goal};

#[tokio::test]
async fn a_delivery_has_the_headers_and_the_body_of_standard_webhooks() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let made = subscribed.succeed().await;
    let arrival = subscribed.only_arrival();
    assert!(arrival.is_signed_with(&subscribed.secret));
    assert!(arrival.header("webhook-id").starts_with("whd_"));
    assert_eq!(arrival.header("x-service-delivery"), arrival.header("webhook-id"));
    assert_eq!(arrival.header("x-service-event"), "operation.succeeded");
    assert_eq!(arrival.header("content-type"), "application/json");
    let timestamp: i64 = arrival.header("webhook-timestamp").parse().expect("seconds");
    assert!((subscribed.world.now().seconds() - timestamp) <= 1);
    let event = arrival.event();
    let properties: Vec<_> = event.as_object().expect("an object").keys().cloned().collect();
    assert_eq!(properties, ["id", "type", "timestamp", "data"]);
    assert!(event["id"].as_str().is_some_and(|id| id.starts_with("evt_")));
    assert_eq!(event["type"], "operation.succeeded");
    assert_eq!(event["data"]["operationId"], made["operationId"]);
    assert_eq!(event["data"]["kind"], "generatePrompt");
    assert_eq!(event["data"]["status"], "SUCCEEDED");
    assert_eq!(event["data"]["creditsUsed"], 1);
    assert!(arrival.body.len() < 20_000);
    let text = String::from_utf8_lossy(&arrival.body).to_lowercase();
    assert!(!text.contains("haiku") && !text.contains("sea\""), "no prompt text: {text}");
    let shown = subscribed.shown().await;
    assert_eq!(shown["lastDelivery"]["status"], 204);
    assert_eq!(shown["lastDelivery"]["attempt"], 1);
}

#[tokio::test]
async fn a_test_delivery_is_made_at_once_and_changes_nothing() {
    let subscribed = Subscribed::to(&["operation.failed"]).await;
    subscribed.patch(json!({"enabled": false})).await;
    let before = subscribed.shown().await;
    let tested = subscribed.account.send(Method::POST, &subscribed.path(), &json!({})).await;
    let tested = tested.data(200).clone();
    let arrival = subscribed.only_arrival();
    assert!(arrival.is_signed_with(&subscribed.secret));
    assert_eq!(arrival.header("webhook-id"), tested["deliveryId"].as_str().expect("an id"));
    assert_eq!(arrival.header("x-service-event"), "webhook.test");
    let event = arrival.event();
    assert_eq!(event["id"], tested["eventId"]);
    assert_eq!(event["data"], json!({"endpointId": subscribed.id}));
    assert_eq!(tested["delivered"], true);
    assert_eq!(tested["responseStatus"], 204);
    assert_eq!(tested["error"], json!(null));
    assert_eq!(tested["durationMs"], 0, "the clock stands still");

    subscribed.receiver.set(ReceiverBehavior::Status(500));
    let failed = subscribed.account.send(Method::POST, &subscribed.path(), &json!({})).await;
    let failed = failed.data(200).clone();
    assert_eq!(failed["delivered"], false);
    assert_eq!(failed["responseStatus"], 500);
    assert_eq!(failed["error"], "the host answered with status 500");
    assert_ne!(failed["deliveryId"], tested["deliveryId"]);
    subscribed.world.clock.advance(Duration::from_secs(86_400));
    subscribed.world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 2, "it is not tried again");
    assert_eq!(subscribed.shown().await, before);
}

#[tokio::test]
async fn a_refused_connection_is_told_as_refused() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.patch(json!({"url": UNREACHABLE_URL})).await;
    let (path, nothing) = (subscribed.path(), json!({}));
    let test = || subscribed.account.send(Method::POST, &path, &nothing);
    let tested = test().await.data(200).clone();
    assert_eq!((&tested["delivered"], &tested["responseStatus"]), (&json!(false), &json!(null)));
    assert_eq!(tested["error"], "the host refused the connection");
}

#[tokio::test]
async fn a_receiver_has_ten_seconds_in_all() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    for manner in [ReceiverBehavior::Hangs, ReceiverBehavior::Drips] {
        subscribed.receiver.set(manner);
        let path = subscribed.path();
        let body = json!({});
        let test = subscribed.account.send(Method::POST, &path, &body);
        let tested = subscribed.world.advancing_time(test).await.data(200).clone();
        assert_eq!(tested["delivered"], false);
        assert_eq!(tested["error"], "the host gave no answer in time");
        let took = tested["durationMs"].as_u64().expect("a number");
        assert!((10_000..11_000).contains(&took), "{took} ms");
    }
}

#[tokio::test]
async fn an_endless_answer_is_a_success_of_which_little_is_read() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.set(ReceiverBehavior::Floods);
    let tested = subscribed.account.send(Method::POST, &subscribed.path(), &json!({})).await;
    let tested = tested.data(200);
    assert_eq!(tested["delivered"], true);
    assert_eq!(tested["durationMs"], 0);
}

/// Moves the clock until something more has arrived; returns when that was.
async fn next_arrival(subscribed: &Subscribed, at_most: Duration) -> Option<Timestamp> {
    let (before, began) = (subscribed.receiver.count(), subscribed.world.now());
    let step = (at_most / 200).max(Duration::from_millis(100));
    while subscribed.world.now().since(began) < at_most {
        subscribed.world.clock.advance(step);
        while subscribed.world.deliver().await > 0 {}
        if subscribed.receiver.count() > before {
            return Some(subscribed.world.now());
        }
    }
    None
}

#[tokio::test]
async fn a_failing_delivery_is_tried_ten_times_as_scheduled_under_one_identifier() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    subscribed.succeed().await;
    assert_eq!(subscribed.receiver.count(), 1);
    let mut last = subscribed.world.now();
    for (attempt, pause) in (2..).zip(domain::webhook::RETRY_PAUSES) {
        let longest = pause.mul_f64(1.35) + Duration::from_secs(3);
        let at = next_arrival(&subscribed, longest).await.expect("another attempt");
        let waited = at.since(last);
        let grain = pause / 100 + Duration::from_secs(1);
        assert!(waited + grain >= pause.mul_f64(0.8), "attempt {attempt} after {waited:?}");
        assert!(waited <= pause.mul_f64(1.2) + grain * 2, "attempt {attempt} after {waited:?}");
        assert_eq!(subscribed.shown().await["lastDelivery"]["attempt"], attempt);
        last = at;
    }
    assert_eq!(subscribed.receiver.count(), 10);
    assert_eq!(
        next_arrival(&subscribed, Duration::from_secs(200_000)).await,
        None,
        "it is given up"
    );
    let received = subscribed.receiver.received();
    let first = &received[0];
    for arrival in &received {
        assert_eq!(arrival.header("webhook-id"), first.header("webhook-id"));
        assert_eq!(arrival.body, first.body);
        assert!(arrival.is_signed_with(&subscribed.secret), "each is signed for its own time");
    }
    assert_ne!(received[9].header("webhook-timestamp"), first.header("webhook-timestamp"));
}

#[tokio::test]
async fn a_delivery_that_succeeds_later_is_not_tried_again() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.answer_next([ReceiverBehavior::Status(503), ReceiverBehavior::Status(429)]);
    subscribed.succeed().await;
    for _ in 0..2 {
        next_arrival(&subscribed, Duration::from_secs(700)).await.expect("another attempt");
    }
    assert_eq!(subscribed.receiver.count(), 3);
    let shown = subscribed.shown().await;
    assert_eq!(shown["lastDelivery"]["status"], 204);
    assert_eq!(shown["lastDelivery"]["attempt"], 3);
    assert_eq!(next_arrival(&subscribed, Duration::from_secs(90_000)).await, None);
}

#[tokio::test]
async fn retry_after_is_honoured_between_once_and_twice_the_usual_pause() {
    // The second pause is five minutes.
    for (asked, least, most) in [
        ("1", 300, 304),
        ("450", 450, 455),
        ("86400", 600, 605),
        ("99999999999999999999999999", 600, 605),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 300, 304),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 600, 605),
        ("Sunday, 15-Mar-26 12:07:30 GMT", 440, 450),
        ("-450", 240, 360),
        ("+450", 240, 360),
        ("450.5", 240, 360),
        ("soon", 240, 360),
    ] {
        let subscribed = Subscribed::to(&["operation.succeeded"]).await;
        let asking = ReceiverBehavior::With(503, "retry-after", asked.to_owned());
        subscribed.receiver.answer_next([ReceiverBehavior::Status(500), asking]);
        subscribed.succeed().await;
        let second =
            next_arrival(&subscribed, Duration::from_secs(10)).await.expect("a second one");
        let third = next_arrival(&subscribed, Duration::from_secs(800)).await.expect("a third one");
        let waited = third.since(second).as_secs();
        assert!((least - 1..=most + 4).contains(&waited), "{asked}: {waited}");
    }
    // As a date.
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let date = "Sun, 15 Mar 2026 12:07:00 GMT".to_owned();
    subscribed.receiver.answer_next([
        ReceiverBehavior::Status(500),
        ReceiverBehavior::With(503, "retry-after", date),
    ]);
    subscribed.succeed().await;
    next_arrival(&subscribed, Duration::from_secs(10)).await.expect("a second one");
    let third = next_arrival(&subscribed, Duration::from_secs(800)).await.expect("a third one");
    let due = Timestamp::from_millis(1_773_576_000_000 + 420_000);
    assert!(third >= due && third.since(due) < Duration::from_secs(6), "{third}");
}

#[tokio::test]
async fn each_subscribed_endpoint_gets_an_event_once() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let receiver = acceptance::receiver::Receiver::start().await;
    let account = &subscribed.account;
    account.create_endpoint(&receiver.url, &["operation.succeeded", "operation.failed"]).await;
    account.create_endpoint(&receiver.url, &["operation.failed", "webhook.test"]).await;
    account.generate(&fresh_key(), &goal()).await.data(200);
    subscribed.world.deliver_all().await;
    assert_eq!(receiver.count(), 1);
    let (here, there) = (subscribed.only_arrival(), receiver.received()[0].clone());
    assert_eq!(here.event(), there.event());
    assert_ne!(here.header("webhook-id"), there.header("webhook-id"));
    assert!(!there.is_signed_with(&subscribed.secret));
    assert_eq!(account.get(ENDPOINTS).await.data(200)["items"].as_array().map(Vec::len), Some(3));
}
