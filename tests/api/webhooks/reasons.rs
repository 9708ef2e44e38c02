//! Why deliveries fail, as their owner reads it.

use std::time::Duration;

use acceptance::{account::fresh_key, operations::UNREACHABLE_URL, receiver::ReceiverBehavior};
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, net::TcpListener};

use super::{Subscribed, goal};

/// What the last delivery says once another one was attempted.
async fn reason_of_next(subscribed: &Subscribed) -> Value {
    subscribed.world.clock.advance(Duration::from_secs(10));
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    subscribed.world.advancing_time(subscribed.world.deliver_all()).await;
    let shown = subscribed.shown().await;
    assert!(shown["lastDelivery"].is_object(), "{shown}");
    shown["lastDelivery"]["reason"].clone()
}

#[tokio::test]
async fn the_last_delivery_says_in_a_word_why_it_failed() {
    for (behavior, reason) in [
        (ReceiverBehavior::Status(500), json!("status")),
        (ReceiverBehavior::Status(404), json!("status")),
        (ReceiverBehavior::Status(302), json!("redirect")),
        (ReceiverBehavior::Hangs, json!("no_response")),
        (ReceiverBehavior::Status(204), json!(null)),
    ] {
        let subscribed = Subscribed::to(&["operation.succeeded"]).await;
        subscribed.receiver.set(behavior.clone());
        assert_eq!(reason_of_next(&subscribed).await, reason, "{behavior:?}");
        subscribed.receiver.set(ReceiverBehavior::Status(204));
        assert_eq!(reason_of_next(&subscribed).await, json!(null), "after {behavior:?}");
    }
}

#[tokio::test]
async fn a_host_that_refuses_is_silent_or_answers_something_else_has_one_reason() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let other_protocol = format!("http://{}/", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.write_all(b"220 mail.example ESMTP\r\n").await;
        }
    });
    for url in [UNREACHABLE_URL, &other_protocol] {
        let subscribed = Subscribed::to(&["operation.succeeded"]).await;
        subscribed.patch(json!({"url": url})).await;
        assert_eq!(reason_of_next(&subscribed).await, "no_response", "{url}");
    }
}

#[tokio::test]
async fn a_new_url_clears_the_last_delivery_and_nothing_else_does() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    subscribed.receiver.set(ReceiverBehavior::Status(500));
    assert_eq!(reason_of_next(&subscribed).await, "status");
    let url = &subscribed.receiver.url;
    for patch in [
        json!({"description": "d"}),
        json!({"enabled": false}),
        json!({"enabled": true}),
        json!({"url": url}),
    ] {
        let patched = subscribed.patch(patch.clone()).await;
        assert_eq!(patched["lastDelivery"]["reason"], "status", "{patch}");
    }
    let patched = subscribed.patch(json!({"url": format!("{url}/new")})).await;
    assert_eq!(patched["lastDelivery"], json!(null));
    assert_eq!(subscribed.shown().await["lastDelivery"], json!(null));
    assert_eq!(reason_of_next(&subscribed).await, "status");
}
