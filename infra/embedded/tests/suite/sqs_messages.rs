//! What happens to messages, through the real SDK.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::time::Duration;

use aws_sdk_sqs::{
    primitives::Blob,
    types::{
        MessageAttributeValue, MessageSystemAttributeName as SystemName, QueueAttributeName as Name,
    },
};
use support::queue::{code, create, fixture};

#[tokio::test]
async fn a_message_is_received_with_its_body_and_system_attributes() {
    let f = fixture().await;
    f.send("hello ✓").await;
    f.clock.advance(5);
    let received =
        f.receiving().message_system_attribute_names(SystemName::All).send().await.unwrap();
    let message = &received.messages()[0];
    assert_eq!(message.body(), Some("hello ✓"));
    let attributes = message.attributes().unwrap();
    assert_eq!(attributes[&SystemName::SentTimestamp], "1800000000000");
    assert_eq!(attributes[&SystemName::ApproximateReceiveCount], "1");
    assert_eq!(attributes[&SystemName::ApproximateFirstReceiveTimestamp], "1800000005000");
}

#[tokio::test]
async fn a_received_message_is_invisible_until_its_timeout() {
    let f = fixture().await;
    f.send("a").await;
    assert_eq!(f.bodies().await, ["a"]);
    f.clock.advance(29);
    assert!(f.receive().await.is_empty());
    f.clock.advance(1);
    assert_eq!(f.bodies().await, ["a"]);
}

#[tokio::test]
async fn a_receive_can_choose_the_visibility_timeout() {
    let f = fixture().await;
    f.send("a").await;
    f.receiving().visibility_timeout(5).send().await.unwrap();
    f.clock.advance(5);
    assert_eq!(f.bodies().await, ["a"]);
}

#[tokio::test]
async fn a_deleted_message_does_not_come_back() {
    let f = fixture().await;
    f.send("a").await;
    let handle = f.receive().await[0].receipt_handle.clone().unwrap();
    f.sqs.delete_message().queue_url(&f.queue).receipt_handle(handle).send().await.unwrap();
    f.clock.advance(3600);
    assert!(f.receive().await.is_empty());
}

#[tokio::test]
async fn a_receipt_goes_stale_when_the_message_is_received_again() {
    let f = fixture().await;
    f.send("a").await;
    let stale = f.receive().await[0].receipt_handle.clone().unwrap();
    f.clock.advance(30);
    assert_eq!(f.bodies().await, ["a"]);
    f.sqs.delete_message().queue_url(&f.queue).receipt_handle(&stale).send().await.unwrap();
    let hidden = f.sqs.change_message_visibility().queue_url(&f.queue).receipt_handle(stale);
    assert_eq!(code(hidden.visibility_timeout(1).send().await), "InvalidParameterValue");
    f.clock.advance(30);
    assert_eq!(f.bodies().await, ["a"]);
}

#[tokio::test]
async fn a_handle_that_is_none_is_refused_with_its_typed_error() {
    let f = fixture().await;
    let delete = f.sqs.delete_message().queue_url(&f.queue).receipt_handle("nonsense");
    let error = delete.send().await.unwrap_err().into_service_error();
    assert!(error.is_receipt_handle_is_invalid());
}

#[tokio::test]
async fn visibility_can_be_extended_and_given_up() {
    let f = fixture().await;
    f.send("a").await;
    let handle = f.receive().await[0].receipt_handle.clone().unwrap();
    let change = |seconds| {
        let request = f.sqs.change_message_visibility().queue_url(&f.queue);
        request.receipt_handle(&handle).visibility_timeout(seconds).send()
    };
    change(100).await.unwrap();
    f.clock.advance(99);
    assert!(f.receive().await.is_empty());
    change(0).await.unwrap();
    let error = change(10).await.unwrap_err().into_service_error();
    assert!(error.is_message_not_inflight());
    assert_eq!(f.bodies().await, ["a"]);
}

#[tokio::test]
async fn a_delayed_message_arrives_when_its_delay_is_over() {
    let f = fixture().await;
    let send = f.sqs.send_message().queue_url(&f.queue).message_body("later");
    send.delay_seconds(900).send().await.unwrap();
    f.clock.advance(899);
    assert!(f.receive().await.is_empty());
    f.clock.advance(1);
    assert_eq!(f.bodies().await, ["later"]);
}

#[tokio::test]
async fn a_queue_can_delay_every_message() {
    let mut f = fixture().await;
    f.queue = create(&f.sqs, "slow", &[(Name::DelaySeconds, "60")]).await;
    f.send("later").await;
    assert!(f.receive().await.is_empty());
    f.clock.advance(60);
    assert_eq!(f.bodies().await, ["later"]);
}

#[tokio::test]
async fn a_delay_over_fifteen_minutes_is_refused() {
    let f = fixture().await;
    let send = f.sqs.send_message().queue_url(&f.queue).message_body("x").delay_seconds(901);
    assert_eq!(code(send.send().await), "InvalidParameterValue");
}

#[tokio::test]
async fn messages_are_gone_after_the_retention_period() {
    let mut f = fixture().await;
    f.queue = create(&f.sqs, "short", &[(Name::MessageRetentionPeriod, "60")]).await;
    f.send("a").await;
    f.clock.advance(60);
    assert_eq!(f.attribute(Name::ApproximateNumberOfMessages).await, "0");
    assert!(f.receive().await.is_empty());
}

#[tokio::test]
async fn a_long_poll_returns_as_soon_as_a_message_is_sent() {
    let f = fixture().await;
    let poll = tokio::spawn(f.receiving().wait_time_seconds(20).send());
    tokio::task::yield_now().await;
    f.send("now").await;
    let received = tokio::time::timeout(Duration::from_secs(5), poll).await.unwrap();
    assert_eq!(received.unwrap().unwrap().messages()[0].body(), Some("now"));
}

#[tokio::test]
async fn a_long_poll_returns_when_the_clock_makes_a_message_visible() {
    let f = fixture().await;
    let send = f.sqs.send_message().queue_url(&f.queue).message_body("later");
    send.delay_seconds(300).send().await.unwrap();
    let poll = tokio::spawn(f.receiving().wait_time_seconds(20).send());
    f.clock.someone_sleeps().await;
    f.clock.advance(300);
    let received = tokio::time::timeout(Duration::from_secs(5), poll).await.unwrap();
    assert_eq!(received.unwrap().unwrap().messages()[0].body(), Some("later"));
}

#[tokio::test]
async fn a_long_poll_without_a_message_ends_by_itself() {
    let f = fixture().await;
    let received = f.receiving().wait_time_seconds(1).send().await.unwrap();
    assert!(received.messages().is_empty());
}

#[tokio::test]
async fn shutdown_ends_long_polls_within_a_second() {
    let (embedded, clock) = support::start().await;
    let sqs = support::Caller::of(&embedded, &clock).sqs();
    let queue = create(&sqs, "work", &[]).await;
    let poll = tokio::spawn(sqs.receive_message().queue_url(queue).wait_time_seconds(20).send());
    tokio::task::yield_now().await;
    tokio::time::timeout(Duration::from_secs(1), embedded.shutdown()).await.unwrap();
    let _ = tokio::time::timeout(Duration::from_secs(1), poll).await.unwrap();
}

#[tokio::test]
async fn message_attributes_travel_with_the_digest_that_aws_calculates() {
    let f = fixture().await;
    let value = |kind: &str| MessageAttributeValue::builder().data_type(kind);
    let time = value("Number.java.lang.Long").string_value("1493147359900").build().unwrap();
    let bytes = value("Binary").binary_value(Blob::new([1])).build().unwrap();
    let send = || f.sqs.send_message().queue_url(&f.queue).message_body("x");
    let sent = send().message_attributes("timestamp", time.clone()).send().await.unwrap();
    let digest = Some("2e2e4876d8e0bd6b8c2c8f556831c349");
    assert_eq!(sent.md5_of_message_attributes(), digest);
    f.sqs.purge_queue().queue_url(&f.queue).send().await.unwrap();

    let both = send().message_attributes("timestamp", time).message_attributes("bin", bytes);
    let sent = both.send().await.unwrap();
    let receive = || f.receiving().visibility_timeout(0);
    let all = receive().message_attribute_names("All").send().await.unwrap();
    let message = &all.messages()[0];
    assert_eq!(message.md5_of_message_attributes(), sent.md5_of_message_attributes());
    let attributes = message.message_attributes().unwrap();
    assert_eq!(attributes["timestamp"].string_value(), Some("1493147359900"));
    assert_eq!(attributes["bin"].binary_value().unwrap().as_ref(), [1]);

    let some = receive().message_attribute_names("time.*").send().await.unwrap();
    assert_eq!(some.messages()[0].md5_of_message_attributes(), digest);
}

#[tokio::test]
async fn a_message_keeps_its_group() {
    let f = fixture().await;
    let send = |group: &str| {
        let send = f.sqs.send_message().queue_url(&f.queue).message_body("x");
        send.message_group_id(group).send()
    };
    send("acc_1").await.unwrap();
    let received = f.receiving().message_system_attribute_names(SystemName::MessageGroupId);
    let received = received.send().await.unwrap();
    let attributes = received.messages()[0].attributes().unwrap();
    assert_eq!(attributes[&SystemName::MessageGroupId], "acc_1");
    for group in ["with spaces", &"g".repeat(129)] {
        assert_eq!(code(send(group).await), "InvalidParameterValue");
    }
}

#[tokio::test]
async fn a_message_of_one_mebibyte_fits_and_one_more_byte_does_not() {
    let f = fixture().await;
    f.send(&"x".repeat(1024 * 1024)).await;
    let over = "x".repeat(1024 * 1024 + 1);
    let send = f.sqs.send_message().queue_url(&f.queue).message_body(over).send().await;
    assert_eq!(code(send), "InvalidParameterValue");
}

#[tokio::test]
async fn characters_outside_of_xml_are_refused() {
    let f = fixture().await;
    let send = f.sqs.send_message().queue_url(&f.queue).message_body("\u{1}").send().await;
    assert!(send.unwrap_err().into_service_error().is_invalid_message_contents());
}
