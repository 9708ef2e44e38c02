//! The server gets another secret: encrypted signing secrets move over, and none uses up its deliveries.

use std::time::Duration;

use acceptance::account::fresh_key;
use deliveries::DeliveriesFunction;
use edge::Secrets;
use serde_json::Value;
use webhook_delivery::EncryptionKey;

use super::{Subscribed, goal};

/// The deliverer of a server whose secret is another one by now.
fn deliverer(subscribed: &Subscribed, accepts_previous: bool) -> DeliveriesFunction {
    let before = subscribed.world.application.edge.secrets().encryption_keys().0;
    let now = Secrets::derive(&[8; 32]).expect("a long secret").encryption_keys().0;
    let encryption_key = EncryptionKey::of((now, accepts_previous.then_some(before)));
    let mut function = subscribed.world.application.deliveries.clone();
    function.deliveries.encryption_key = encryption_key;
    function
}

async fn deliver(subscribed: &Subscribed, function: &DeliveriesFunction) {
    while subscribed.world.deliver_with(function).await > 0 {}
}

#[tokio::test]
async fn a_secret_that_cannot_be_decrypted_keeps_its_deliveries_until_it_can() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    account.generate(&fresh_key(), &goal()).await.data(200);
    let (without, with) = (deliverer(&subscribed, false), deliverer(&subscribed, true));
    for _ in 0..20 {
        deliver(&subscribed, &without).await;
        world.clock.advance(Duration::from_secs(901));
    }
    assert_eq!(subscribed.receiver.count(), 0);
    let shown = subscribed.shown().await;
    assert_eq!((&shown["lastDelivery"], &shown["enabled"]), (&Value::Null, &Value::Bool(true)));
    deliver(&subscribed, &with).await;
    assert!(subscribed.only_arrival().is_signed_with(&subscribed.secret));
    assert_eq!(subscribed.shown().await["lastDelivery"]["attempt"], 1, "none was counted");

    account.generate(&fresh_key(), &goal()).await.data(200);
    deliver(&subscribed, &without).await;
    assert_eq!(subscribed.receiver.count(), 2, "the secret is re-encrypted");
    assert!(subscribed.receiver.received()[1].is_signed_with(&subscribed.secret));
}

#[tokio::test]
async fn a_delivery_waits_for_its_secret_seven_days_at_most() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let world = &subscribed.world;
    subscribed.account.generate(&fresh_key(), &goal()).await.data(200);
    let without = deliverer(&subscribed, false);
    for hours in [0, 90, 77] {
        world.clock.advance(Duration::from_secs(hours * 3_600));
        deliver(&subscribed, &without).await;
    }
    world.clock.advance(Duration::from_secs(3_601));
    assert_eq!(world.deliver_with(&without).await, 1, "it was still there");
    world.clock.advance(Duration::from_secs(901));
    world.deliver_all().await;
    assert_eq!(subscribed.receiver.count(), 0);
}
