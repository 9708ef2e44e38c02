//! Webhook endpoints, their test and their deliveries. Functions reach public hosts only; a development server
//! that was told so reaches this machine too.

use std::{sync::Arc, time::Duration};

use acceptance::{
    Account, Answer,
    account::fresh_key,
    receiver::{ENDPOINTS, Receiver, ReceiverBehavior},
    uploads::id_of,
};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::host;

/// A public address that nobody has: its block is not given out by IANA.
pub const UNREACHABLE_URL: &str = "https://[2d00::1]/hooks";

/// What a delivery has come to, once there was one.
async fn last_delivery(account: &Account, id: &Value) -> Value {
    for _ in 0..250 {
        let delivery = account.endpoint(id).await["lastDelivery"].clone();
        if !delivery.is_null() {
            return delivery;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("nothing was delivered");
}

#[tokio::test]
async fn an_endpoint_is_kept_changed_listed_and_deleted() {
    let host = host().await;
    let account = host.account().await;
    let body =
        json!({"url": UNREACHABLE_URL, "description": "Füße", "events": ["operation.failed"]});
    let made = account.send(Method::POST, ENDPOINTS, &body).await.data(200).clone();
    let secret = made["secret"].as_str().expect("a secret");
    assert!(secret.starts_with("whsec_"));
    let path = format!("{ENDPOINTS}/{}", id_of(&made));
    let mut shown = made.clone();
    shown.as_object_mut().expect("an object").remove("secret");
    assert_eq!(account.endpoint(&made["id"]).await, shown);
    let list = account.get(ENDPOINTS).await.data(200).clone();
    assert!(list["items"].as_array().expect("a list").contains(&shown));
    let patch = json!({"enabled": false, "events": ["webhook.test"], "rotateSecret": true});
    let changed = account.send(Method::PATCH, &path, &patch).await.data(200).clone();
    assert_eq!(
        (&changed["enabled"], &changed["events"]),
        (&json!(false), &json!(["webhook.test"]))
    );
    assert!(changed["secret"].is_string() && changed["secret"] != made["secret"]);
    assert_eq!(changed["description"], "Füße");
    assert_eq!(*account.delete(&path).await.data(200), json!({"id": made["id"], "deleted": true}));
    account.get(&path).await.is_error(404, "not_found");
}

#[tokio::test]
async fn addresses_that_are_not_public_are_refused() {
    let host = host().await;
    let account = host.account().await;
    for url in [
        "https://169.254.169.254/",
        "https://10.0.0.1/",
        "https://[::ffff:10.0.0.1]/",
        "https://user:secret@example.com/",
        "ftp://example.com/",
    ] {
        let body = json!({"url": url, "events": ["webhook.test"]});
        let refused = account.send(Method::POST, ENDPOINTS, &body).await;
        assert_eq!(refused.status, 400, "{url}: {}", refused.body);
        assert!(
            ["unsafe_url", "invalid_request"]
                .map(Value::from)
                .contains(&refused.body["error"]["code"])
        );
    }
    let none = json!({"url": UNREACHABLE_URL, "events": []});
    let none = account.send(Method::POST, ENDPOINTS, &none).await;
    none.is_error(400, "invalid_request");
    assert_eq!(none.problem_paths(), ["/events"]);
}

/// An endpoint at the receiver, unless the host asks public addresses only.
async fn endpoint_at(account: &Account, receiver: &Receiver) -> Option<Value> {
    let body = json!({"url": receiver.url, "events": ["operation.succeeded"]});
    let made = account.send(Method::POST, ENDPOINTS, &body).await;
    if made.status != 200 {
        made.is_error(400, "unsafe_url");
        return None;
    }
    Some(made.data(200).clone())
}

#[tokio::test]
async fn an_operation_that_ended_is_told() {
    let host = host().await;
    let account = host.account().await;
    let receiver = Receiver::start().await;
    let Some(made) = endpoint_at(&account, &receiver).await else {
        // Then at least somebody tried.
        let made = account.create_endpoint(UNREACHABLE_URL, &["operation.succeeded"]).await;
        account.made("/prompts/generate", &json!({"message": "A haiku"})).await;
        let delivery = last_delivery(&account, &made["id"]).await;
        assert_eq!((&delivery["status"], &delivery["attempt"]), (&Value::Null, &json!(1)));
        account.delete(&format!("{ENDPOINTS}/{}", id_of(&made))).await.data(200);
        return;
    };
    let secret = made["secret"].as_str().expect("a secret");
    let result = account.made("/prompts/generate", &json!({"message": "A haiku"})).await;
    let delivery = last_delivery(&account, &made["id"]).await;
    assert_eq!((&delivery["status"], &delivery["attempt"]), (&json!(204), &json!(1)));
    let received = receiver.received();
    assert_eq!(received.len(), 1);
    assert!(received[0].is_signed_with(secret));
    assert_eq!(received[0].event()["data"]["operationId"], result["operationId"]);
    account.delete(&format!("{ENDPOINTS}/{}", id_of(&made))).await.data(200);
}

#[tokio::test]
async fn a_receiver_that_was_slow_is_told_in_the_lane_of_those() {
    let host = host().await;
    let account = host.account().await;
    let receiver = Receiver::start().await;
    let Some(made) = endpoint_at(&account, &receiver).await else { return };
    let go = Arc::new(Notify::new());
    receiver.answer_next([ReceiverBehavior::Waits(204, go.clone())]);
    account.made("/prompts/generate", &json!({"message": "A haiku"})).await;
    let arrived = async |count| {
        for _ in 0..250 {
            if receiver.count() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{} of {count} arrived", receiver.count());
    };
    arrived(1).await;
    // Longer than until it is noted as slow, and others hold back.
    tokio::time::sleep(Duration::from_millis(1_800)).await;
    go.notify_one();
    last_delivery(&account, &made["id"]).await;
    account.made("/prompts/generate", &json!({"message": "Another haiku"})).await;
    arrived(2).await;
    account.delete(&format!("{ENDPOINTS}/{}", id_of(&made))).await.data(200);
}

#[tokio::test]
async fn a_test_delivery_says_how_it_went() {
    let host = host().await;
    let account = host.account().await;
    let made = account.create_endpoint(UNREACHABLE_URL, &["webhook.test"]).await;
    let path = format!("{ENDPOINTS}/{}", id_of(&made));
    let tested = Answer::to(account.request(Method::POST, &path)).await;
    host.assert_documented("testWebhookEndpoint", &tested).await;
    let tested = tested.data(200);
    assert_eq!((&tested["delivered"], &tested["responseStatus"]), (&json!(false), &Value::Null));
    assert!(
        tested["error"].is_string() && tested["durationMs"].as_u64() < Some(11_000),
        "{tested}"
    );
    assert_eq!(
        account.endpoint(&made["id"]).await["lastDelivery"],
        Value::Null,
        "it is not counted"
    );
    account.delete(&path).await.data(200);
    // Where this machine may be reached, the delivery arrives and is signed.
    let receiver = Receiver::start().await;
    let body = json!({"url": receiver.url, "events": ["webhook.test"]});
    let made = account.send(Method::POST, ENDPOINTS, &body).await;
    if made.status != 200 {
        made.is_error(400, "unsafe_url");
        return;
    }
    let made = made.data(200);
    let path = format!("{ENDPOINTS}/{}", id_of(made));
    let tested = Answer::to(account.request(Method::POST, &path)).await.data(200).clone();
    assert_eq!((&tested["delivered"], &tested["responseStatus"]), (&json!(true), &json!(204)));
    let received = receiver.received();
    assert!(received[0].is_signed_with(made["secret"].as_str().expect("a secret")));
    assert_eq!(received[0].event()["type"], "webhook.test");
    account.delete(&path).await.data(200);
}

#[tokio::test]
async fn ten_endpoints_are_enough() {
    let host = host().await;
    let account = host.account().await;
    let body = json!({"url": UNREACHABLE_URL, "events": ["webhook.test"]});
    let mut made = Vec::new();
    let refused = loop {
        let answer = account.send(Method::POST, ENDPOINTS, &body).await;
        if answer.status != 200 {
            break answer;
        }
        made.push(format!("{ENDPOINTS}/{}", id_of(answer.data(200))));
        assert!(made.len() <= 10, "{}", fresh_key());
    };
    refused.is_error(409, "endpoint_limit_reached");
    for path in made {
        account.delete(&path).await.data(200);
    }
}
