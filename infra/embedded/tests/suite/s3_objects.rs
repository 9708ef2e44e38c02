//! What happens to objects, through the real SDK.
#![allow(clippy::unwrap_used)]

use crate::support;

use aws_sdk_s3::{
    primitives::DateTime,
    types::{
        AbortIncompleteMultipartUpload, Delete, EncodingType, MetadataDirective,
        NoncurrentVersionExpiration, ObjectIdentifier, Transition, TransitionStorageClass,
    },
};
use support::bucket::{BUCKET, code, expiring, fixture};

#[tokio::test]
async fn an_object_comes_back_as_it_was_put() {
    let f = fixture().await;
    let put = f.putting("a/b.txt", "hello").content_type("text/plain").metadata("colour", "red");
    let put = put.cache_control("no-store").send().await.unwrap();
    assert_eq!(put.e_tag(), Some("\"5d41402abc4b2a76b9719d911017c592\""));
    let got = f.s3.get_object().bucket(BUCKET).key("a/b.txt").send().await.unwrap();
    assert_eq!(got.e_tag(), put.e_tag());
    assert_eq!(got.content_type(), Some("text/plain"));
    assert_eq!(got.cache_control(), Some("no-store"));
    assert_eq!(got.content_length(), Some(5));
    assert_eq!(got.metadata().unwrap()["colour"], "red");
    assert_eq!(got.last_modified(), Some(&DateTime::from_secs(1_800_000_000)));
    assert_eq!(got.body.collect().await.unwrap().into_bytes(), "hello");
    let head = f.s3.head_object().bucket(BUCKET).key("a/b.txt").send().await.unwrap();
    assert_eq!(head.content_length(), Some(5));
    assert_eq!(head.metadata().unwrap()["colour"], "red");
}

#[tokio::test]
async fn a_get_honours_if_match_and_if_none_match() {
    let f = fixture().await;
    f.put("key", "hello").await;
    let get = || f.s3.get_object().bucket(BUCKET).key("key");
    let etag = "\"5d41402abc4b2a76b9719d911017c592\"";
    get().if_match(etag).send().await.unwrap();
    assert_eq!(code(get().if_match("\"other\"").send().await), "PreconditionFailed");
    assert_eq!(code(get().if_none_match(etag).send().await), "304");
    get().if_none_match("\"other\"").send().await.unwrap();
}

#[tokio::test]
async fn a_get_can_ask_for_a_range() {
    let f = fixture().await;
    f.put("key", "0123456789").await;
    for (range, text, content_range) in [
        ("bytes=2-4", "234", "bytes 2-4/10"),
        ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=-2", "89", "bytes 8-9/10"),
        ("bytes=8-99", "89", "bytes 8-9/10"),
    ] {
        let got = f.s3.get_object().bucket(BUCKET).key("key").range(range).send().await.unwrap();
        assert_eq!(got.content_range(), Some(content_range));
        assert_eq!(got.body.collect().await.unwrap().into_bytes(), text);
    }
    let beyond = f.s3.get_object().bucket(BUCKET).key("key").range("bytes=10-").send().await;
    assert_eq!(code(beyond), "InvalidRange");
}

#[tokio::test]
async fn objects_are_deleted_alone_and_in_batches() {
    let f = fixture().await;
    for key in ["a", "b", "c"] {
        f.put(key, "x").await;
    }
    f.s3.delete_object().bucket(BUCKET).key("a").send().await.unwrap();
    f.s3.delete_object().bucket(BUCKET).key("never there").send().await.unwrap();
    let object = |key: &str| ObjectIdentifier::builder().key(key).build().unwrap();
    let both = Delete::builder().objects(object("b")).objects(object("none")).build().unwrap();
    let deleted = f.s3.delete_objects().bucket(BUCKET).delete(both).send().await.unwrap();
    assert_eq!(deleted.deleted().len(), 2);
    assert_eq!(f.keys("").await, ["c"]);
}

#[tokio::test]
async fn a_copy_has_the_content_and_keeps_or_replaces_the_metadata() {
    let f = fixture().await;
    let put = f.putting("from here", "hello").metadata("colour", "red");
    put.content_type("text/plain").send().await.unwrap();
    let copy = |to: &str| {
        f.s3.copy_object().bucket(BUCKET).key(to).copy_source(format!("{BUCKET}/from%20here"))
    };
    let etag = "\"5d41402abc4b2a76b9719d911017c592\"";
    copy("same").copy_source_if_match(etag).send().await.unwrap();
    let replaced = copy("replaced").metadata_directive(MetadataDirective::Replace);
    replaced.metadata("colour", "blue").content_type("text/html").send().await.unwrap();
    assert_eq!(f.text("same").await.unwrap(), "hello");
    for (key, colour, kind) in [("same", "red", "text/plain"), ("replaced", "blue", "text/html")] {
        let head = f.s3.head_object().bucket(BUCKET).key(key).send().await.unwrap();
        assert_eq!(head.metadata().unwrap()["colour"], colour);
        assert_eq!(head.content_type(), Some(kind));
        assert_eq!(head.e_tag(), Some(etag));
    }
    let other = copy("other").copy_source_if_match("\"other\"").send().await;
    assert_eq!(code(other), "PreconditionFailed");
    assert_eq!(f.text("other").await, None);
}

#[tokio::test]
async fn a_listing_has_prefix_pages_and_groups() {
    let f = fixture().await;
    for key in ["a/1", "a/2", "a/b/3", "a/b/4", "a/c", "b"] {
        f.put(key, "x").await;
    }
    assert_eq!(f.keys("a/").await, ["a/1", "a/2", "a/b/3", "a/b/4", "a/c"]);
    let mut seen = Vec::new();
    let list = f.s3.list_objects_v2().bucket(BUCKET).prefix("a/").delimiter("/").max_keys(1);
    let mut pages = list.into_paginator().send();
    while let Some(page) = pages.next().await {
        let page = page.unwrap();
        assert_eq!(page.key_count(), Some(1));
        seen.extend(page.contents().iter().map(|object| object.key().unwrap().to_owned()));
        seen.extend(page.common_prefixes().iter().map(|group| group.prefix().unwrap().to_owned()));
    }
    assert_eq!(seen, ["a/1", "a/2", "a/b/", "a/c"]);
}

#[tokio::test]
async fn a_listing_encodes_keys_if_asked() {
    let f = fixture().await;
    f.put("a b/c+ü", "x").await;
    let list = f.s3.list_objects_v2().bucket(BUCKET).encoding_type(EncodingType::Url);
    let list = list.prefix("a b/").send().await.unwrap();
    assert_eq!(list.contents()[0].key(), Some("a+b/c%2B%C3%BC"));
    assert_eq!((list.prefix(), list.encoding_type()), (Some("a+b/"), Some(&EncodingType::Url)));
}

#[tokio::test]
async fn buckets_have_to_exist() {
    let f = fixture().await;
    f.s3.head_bucket().bucket(BUCKET).send().await.unwrap();
    let missing = f.s3.head_bucket().bucket("missing").send().await.unwrap_err();
    assert!(missing.into_service_error().is_not_found());
    let put = f.s3.put_object().bucket("missing").key("k").send().await;
    assert_eq!(code(put), "NoSuchBucket");
    let again = f.s3.create_bucket().bucket(BUCKET).send().await.unwrap_err();
    assert!(again.into_service_error().is_bucket_already_owned_by_you());
}

#[tokio::test]
async fn objects_vanish_once_they_are_as_old_as_their_prefix_allows() {
    let f = fixture().await;
    f.putting_rule(expiring("uploads/", 1)).send().await.unwrap();
    f.put("uploads/a", "x").await;
    f.put("kept/a", "x").await;
    f.clock.advance(86_399);
    assert!(f.text("uploads/a").await.is_some());
    f.clock.advance(1);
    assert_eq!(f.text("uploads/a").await, None);
    assert_eq!(f.keys("").await, ["kept/a"]);
    f.putting("uploads/a", "again").if_none_match("*").send().await.unwrap();
    assert_eq!(f.text("uploads/a").await.unwrap(), "again");
}

#[tokio::test]
async fn a_rule_that_does_more_than_expire_objects_is_refused() {
    let f = fixture().await;
    let archive = Transition::builder().days(30).storage_class(TransitionStorageClass::Glacier);
    let old_versions = NoncurrentVersionExpiration::builder().noncurrent_days(1).build();
    let uploads = AbortIncompleteMultipartUpload::builder().days_after_initiation(1).build();
    for rule in [
        expiring("", 90).transitions(archive.build()),
        expiring("", 90).noncurrent_version_expiration(old_versions),
        expiring("", 90).abort_incomplete_multipart_upload(uploads),
    ] {
        assert_eq!(code(f.putting_rule(rule).send().await), "NotImplemented");
    }
}

#[tokio::test]
async fn new_objects_send_an_event_to_the_queue_of_their_prefix() {
    let f = fixture().await;
    let sqs = support::Caller::of(&f.embedded, &f.clock).sqs();
    let queue = sqs.create_queue().queue_name("events").send().await.unwrap().queue_url.unwrap();
    f.notifying("uploads/").send().await.unwrap();
    let tested = sqs.receive_message().queue_url(&queue).send().await.unwrap();
    let tested: serde_json::Value =
        serde_json::from_str(tested.messages()[0].body().unwrap()).unwrap();
    assert_eq!((&tested["Event"], &tested["Bucket"]), (&"s3:TestEvent".into(), &BUCKET.into()));
    f.put("elsewhere", "x").await;
    f.put("uploads/a file", "hello").await;
    let received = sqs.receive_message().queue_url(&queue).max_number_of_messages(10);
    let received = received.send().await.unwrap();
    let [message] = received.messages() else { panic!("{received:?}") };
    let event: serde_json::Value = serde_json::from_str(message.body().unwrap()).unwrap();
    let record = &event["Records"][0];
    assert_eq!(record["eventName"], "ObjectCreated:Put");
    assert_eq!(record["eventTime"], "2027-01-15T08:00:00.000Z");
    assert_eq!(record["s3"]["bucket"]["name"], BUCKET);
    assert_eq!(record["s3"]["object"]["key"], "uploads/a+file");
    assert_eq!(record["s3"]["object"]["size"], 5);
    assert_eq!(record["s3"]["object"]["eTag"], "5d41402abc4b2a76b9719d911017c592");
}

#[tokio::test]
async fn an_event_for_a_missing_queue_waits_for_it() {
    let f = fixture().await;
    assert_eq!(code(f.notifying("").send().await), "InvalidArgument");
    f.notifying("").skip_destination_validation(true).send().await.unwrap();
    f.put("first", "x").await;
    let sqs = support::Caller::of(&f.embedded, &f.clock).sqs();
    let queue = sqs.create_queue().queue_name("events").send().await.unwrap().queue_url.unwrap();
    let received = sqs.receive_message().queue_url(&queue).wait_time_seconds(20).send().await;
    assert_eq!(received.unwrap().messages().len(), 1);
}
