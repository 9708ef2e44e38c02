//! Queues, their attributes, dead letters and batches, through the real SDK.
#![allow(clippy::unwrap_used)]

use crate::support;

use aws_sdk_sqs::{
    Client,
    types::{
        DeleteMessageBatchRequestEntry, MessageSystemAttributeName as SystemName,
        QueueAttributeName as Name, SendMessageBatchRequestEntry,
    },
};
use support::queue::{code, create, fixture};

/// A queue "source" whose dead letters go to "dead" after `count` receives; gives both URLs.
async fn with_dead_letters(sqs: &Client, count: &str) -> (String, String) {
    let dead = create(sqs, "dead", &[]).await;
    let arn = "arn:aws:sqs:us-east-1:000000000000:dead";
    let policy = format!(r#"{{"deadLetterTargetArn":"{arn}","maxReceiveCount":{count}}}"#);
    (create(sqs, "source", &[(Name::RedrivePolicy, &policy)]).await, dead)
}

#[tokio::test]
async fn a_message_received_too_often_goes_to_the_dead_letters() {
    for count in ["2", "\"2\""] {
        let mut f = fixture().await;
        let (source, dead) = with_dead_letters(&f.sqs, count).await;
        f.queue = source;
        f.send("poison").await;
        for _ in 0..2 {
            assert_eq!(f.bodies().await, ["poison"]);
            f.clock.advance(30);
        }
        assert!(f.receive().await.is_empty());
        f.queue = dead;
        let receive = f.receiving().message_system_attribute_names(SystemName::All);
        let letters = receive.send().await.unwrap();
        assert_eq!(letters.messages()[0].body(), Some("poison"));
        let attributes = letters.messages()[0].attributes().unwrap();
        assert_eq!(
            attributes[&SystemName::DeadLetterQueueSourceArn],
            "arn:aws:sqs:us-east-1:000000000000:source"
        );
    }
}

#[tokio::test]
async fn dead_letters_can_be_moved_back_to_where_they_came_from() {
    let mut f = fixture().await;
    let (source, _) = with_dead_letters(&f.sqs, "1").await;
    f.queue = source;
    f.send("poison").await;
    f.receive().await;
    f.clock.advance(30);
    assert!(f.receive().await.is_empty());
    let arn = "arn:aws:sqs:us-east-1:000000000000:dead";
    f.sqs.start_message_move_task().source_arn(arn).send().await.unwrap();
    assert_eq!(f.bodies().await, ["poison"]);
}

#[tokio::test]
async fn a_redrive_policy_needs_an_existing_queue() {
    let f = fixture().await;
    let policy =
        r#"{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:no","maxReceiveCount":3}"#;
    let set = f.sqs.set_queue_attributes().queue_url(&f.queue);
    let result = set.attributes(Name::RedrivePolicy, policy).send().await;
    assert_eq!(code(result), "InvalidParameterValue");
}

#[tokio::test]
async fn the_counts_tell_visible_hidden_and_delayed_messages_apart() {
    let f = fixture().await;
    for body in ["a", "b", "c"] {
        f.send(body).await;
    }
    let delayed = f.sqs.send_message().queue_url(&f.queue).message_body("d").delay_seconds(9);
    delayed.send().await.unwrap();
    f.receiving().max_number_of_messages(1).send().await.unwrap();
    assert_eq!(f.attribute(Name::ApproximateNumberOfMessages).await, "2");
    assert_eq!(f.attribute(Name::ApproximateNumberOfMessagesNotVisible).await, "1");
    assert_eq!(f.attribute(Name::ApproximateNumberOfMessagesDelayed).await, "1");
}

fn entry(id: &str, body: &str) -> SendMessageBatchRequestEntry {
    SendMessageBatchRequestEntry::builder().id(id).message_body(body).build().unwrap()
}

#[tokio::test]
async fn a_batch_is_sent_received_and_deleted() {
    let f = fixture().await;
    let entries = (0..10).map(|n| entry(&n.to_string(), "x")).collect();
    let sent = f.sqs.send_message_batch().queue_url(&f.queue).set_entries(Some(entries));
    assert_eq!(sent.send().await.unwrap().successful().len(), 10);
    let mut entries = Vec::new();
    for (id, message) in f.receive().await.into_iter().enumerate() {
        let entry = DeleteMessageBatchRequestEntry::builder().id(id.to_string());
        entries.push(entry.receipt_handle(message.receipt_handle.unwrap()).build().unwrap());
    }
    let delete = f.sqs.delete_message_batch().queue_url(&f.queue).set_entries(Some(entries));
    assert_eq!(delete.send().await.unwrap().successful().len(), 10);
    assert_eq!(f.attribute(Name::ApproximateNumberOfMessagesNotVisible).await, "0");
}

#[tokio::test]
async fn a_bad_entry_fails_alone() {
    let f = fixture().await;
    let batch = f.sqs.send_message_batch().queue_url(&f.queue);
    let result = batch.entries(entry("good", "x")).entries(entry("bad", "\u{1}")).send().await;
    let result = result.unwrap();
    assert_eq!(result.successful()[0].id(), "good");
    assert_eq!(result.failed()[0].id(), "bad");
    assert_eq!(result.failed()[0].code(), "InvalidMessageContents");
    assert!(result.failed()[0].sender_fault());
    assert_eq!(f.bodies().await, ["x"]);
}

#[tokio::test]
async fn batches_against_the_rules_are_refused_with_their_typed_errors() {
    let f = fixture().await;
    let send = |entries: Vec<_>| {
        let batch = f.sqs.send_message_batch().queue_url(&f.queue);
        let sending = batch.set_entries(Some(entries)).send();
        async { sending.await.unwrap_err().into_service_error() }
    };
    assert!(send(vec![]).await.is_empty_batch_request());
    let eleven = (0..11).map(|n| entry(&n.to_string(), "x")).collect();
    assert!(send(eleven).await.is_too_many_entries_in_batch_request());
    assert!(send(vec![entry("a", "x"), entry("a", "x")]).await.is_batch_entry_ids_not_distinct());
    assert!(send(vec![entry("no spaces", "x")]).await.is_invalid_batch_entry_id());
    let half = "x".repeat(600_000);
    let large = vec![entry("a", &half), entry("b", &half)];
    assert!(send(large).await.is_batch_request_too_long());
}

#[tokio::test]
async fn creating_a_queue_again_succeeds_only_with_the_same_attributes() {
    let f = fixture().await;
    let same = create(&f.sqs, "work", &[(Name::VisibilityTimeout, "30")]).await;
    assert_eq!(same, f.queue);
    let other = f.sqs.create_queue().queue_name("work").attributes(Name::VisibilityTimeout, "31");
    assert!(other.send().await.unwrap_err().into_service_error().is_queue_name_exists());
}

#[tokio::test]
async fn queues_are_found_listed_changed_purged_and_deleted() {
    let f = fixture().await;
    create(&f.sqs, "other", &[]).await;
    let found = f.sqs.get_queue_url().queue_name("work").send().await.unwrap();
    assert_eq!(found.queue_url(), Some(f.queue.as_str()));
    let listed = f.sqs.list_queues().queue_name_prefix("wo").send().await.unwrap();
    assert_eq!(listed.queue_urls(), [f.queue.as_str()]);

    let set = f.sqs.set_queue_attributes().queue_url(&f.queue);
    set.attributes(Name::VisibilityTimeout, "7").send().await.unwrap();
    assert_eq!(f.attribute(Name::VisibilityTimeout).await, "7");

    f.send("a").await;
    f.sqs.purge_queue().queue_url(&f.queue).send().await.unwrap();
    assert!(f.receive().await.is_empty());

    f.sqs.delete_queue().queue_url(&f.queue).send().await.unwrap();
    let gone = f.sqs.get_queue_url().queue_name("work").send().await;
    assert!(gone.unwrap_err().into_service_error().is_queue_does_not_exist());
    let send = f.sqs.send_message().queue_url(&f.queue).message_body("x").send().await;
    assert!(send.unwrap_err().into_service_error().is_queue_does_not_exist());
}

#[tokio::test]
async fn unknown_and_impossible_attributes_are_refused() {
    let f = fixture().await;
    let set = |name: &str, value: &str| {
        let request = f.sqs.set_queue_attributes().queue_url(&f.queue);
        request.attributes(Name::from(name), value).send()
    };
    assert_eq!(code(set("Colour", "red").await), "InvalidAttributeName");
    assert_eq!(code(set("VisibilityTimeout", "43201").await), "InvalidAttributeValue");
}
