//! Starting, stopping, and what outlives the process.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::Duration,
};

use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
    ScalarAttributeType, TimeToLiveSpecification,
};
use aws_sdk_s3::primitives::ByteStream;
use domain::Clock;
use embedded::{Credentials, Embedded, Ports, StartError};
use support::{Caller, ManualClock, TestFolder};

/// Names the folder that [`serve_until_killed`] serves, in its environment.
const SERVED: &str = "EMBEDDED_TEST_SERVED";

async fn create_table(client: &aws_sdk_dynamodb::Client) {
    let key = KeySchemaElement::builder().attribute_name("id").key_type(KeyType::Hash);
    let id = AttributeDefinition::builder().attribute_name("id");
    client
        .create_table()
        .table_name("items")
        .key_schema(key.build().unwrap())
        .attribute_definitions(id.attribute_type(ScalarAttributeType::S).build().unwrap())
        .billing_mode(BillingMode::PayPerRequest)
        .send()
        .await
        .unwrap();
}

async fn write(caller: Caller) {
    let dynamodb = caller.dynamodb();
    create_table(&dynamodb).await;
    let item = dynamodb.put_item().table_name("items").item("id", AttributeValue::S("1".into()));
    item.send().await.unwrap();
    let s3 = caller.s3();
    s3.create_bucket().bucket("things").send().await.unwrap();
    let put = s3.put_object().bucket("things").key("k").metadata("colour", "red");
    put.body(ByteStream::from_static(b"hello")).send().await.unwrap();
    let sqs = caller.sqs();
    let queue = sqs.create_queue().queue_name("work").send().await.unwrap().queue_url.unwrap();
    sqs.send_message().queue_url(queue).message_body("hello").send().await.unwrap();
}

async fn assert_written(embedded: &Embedded) {
    let caller = caller(embedded);
    let get = caller.dynamodb().get_item().table_name("items");
    let item = get.key("id", AttributeValue::S("1".into())).send().await.unwrap();
    assert!(item.item().is_some());
    let get = caller.s3().get_object().bucket("things").key("k");
    let object = get.send().await.unwrap();
    assert_eq!(object.metadata().unwrap()["colour"], "red");
    assert_eq!(object.body.collect().await.unwrap().into_bytes(), "hello");
    let sqs = caller.sqs();
    let queue = sqs.get_queue_url().queue_name("work").send().await.unwrap().queue_url.unwrap();
    let received = sqs.receive_message().queue_url(queue).send().await.unwrap();
    assert_eq!(received.messages()[0].body(), Some("hello"));
}

/// One who calls at the time of a clock that nobody moves.
fn caller(embedded: &Embedded) -> Caller {
    Caller::of(embedded, &ManualClock::new())
}

/// Not a test of its own: the process that another one kills.
#[tokio::test]
async fn serve_until_killed() {
    let Ok(folder) = std::env::var(SERVED) else {
        return;
    };
    let options = support::options(Some(folder.into()), ManualClock::new());
    let embedded = Embedded::start(options).await.unwrap();
    println!("\nserving {}", caller(&embedded).urls.join(" "));
    std::future::pending().await
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_kill() {
    let folder = TestFolder::new("kill");
    let mut served = Command::new(std::env::current_exe().unwrap())
        .args(["lifetime::serve_until_killed", "--exact", "--nocapture"])
        .env(SERVED, &folder.0)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(served.stdout.take().unwrap());
    let line = output
        .lines()
        .map(Result::unwrap)
        .find_map(|line| line.strip_prefix("serving ").map(str::to_owned));
    let line = line.unwrap();
    let urls: Vec<_> = line.split(' ').map(str::to_owned).collect();
    let credentials = Credentials::of_folder(&folder.0).unwrap();
    write(Caller { urls: urls.try_into().unwrap(), credentials, clock: ManualClock::new() }).await;
    served.kill().unwrap();
    served.wait().unwrap();

    let embedded = support::start_in(&folder).await;
    assert_written(&embedded).await;
}

#[tokio::test]
async fn data_outlives_a_drop_without_shutdown() {
    let folder = TestFolder::new("drop");
    let embedded = support::start_in(&folder).await;
    write(caller(&embedded)).await;
    drop(embedded);
    assert_written(&support::start_in(&folder).await).await;
}

#[tokio::test]
async fn data_outlives_a_shutdown() {
    let folder = TestFolder::new("shutdown");
    let embedded = support::start_in(&folder).await;
    write(caller(&embedded)).await;
    tokio::time::timeout(Duration::from_secs(1), embedded.shutdown()).await.unwrap();
    assert_written(&support::start_in(&folder).await).await;
}

#[tokio::test]
async fn a_queue_url_outlives_a_change_of_port() {
    let folder = TestFolder::new("port");
    let first = support::start_in(&folder).await;
    let created = caller(&first).sqs().create_queue().queue_name("work").send().await;
    let url = created.unwrap().queue_url.unwrap();
    first.shutdown().await;
    let second = support::start_in(&folder).await;
    let send = caller(&second).sqs().send_message().queue_url(url).message_body("x");
    send.send().await.unwrap();
}

#[tokio::test]
async fn contents_of_uploads_cut_short_are_removed_at_the_next_start() {
    let folder = TestFolder::new("rubbish");
    support::start_in(&folder).await.shutdown().await;
    let rubbish = folder.0.join("objects").join("0123456789abcdef0123456789abcdef");
    std::fs::write(&rubbish, "half").unwrap();
    let _embedded = support::start_in(&folder).await;
    assert!(!rubbish.exists());
}

#[tokio::test]
async fn a_folder_serves_one_at_a_time() {
    let folder = TestFolder::new("lock");
    let first = support::start_in(&folder).await;
    let again = || Embedded::start(support::options(Some(folder.0.clone()), ManualClock::new()));
    let error = again().await.unwrap_err();
    assert!(matches!(error, StartError::DataDirInUse { .. }));
    let path = folder.0.display();
    assert_eq!(error.to_string(), format!("The data folder {path} is in use by another process."));
    first.shutdown().await;
    again().await.unwrap();
}

#[tokio::test]
async fn a_port_serves_one_at_a_time() {
    let (first, clock) = support::start().await;
    let port = first.s3_url().rsplit(':').next().unwrap().parse().unwrap();
    let mut options = support::options(None, clock);
    options.ports = Ports { s3: port, ..Ports::default() };
    let error = Embedded::start(options).await.unwrap_err();
    assert_eq!(error.to_string(), format!("Port {port} for S3 is already in use."));
}

#[tokio::test]
async fn a_folder_that_cannot_be_one_is_refused() {
    let folder = TestFolder::new("file");
    std::fs::write(&folder.0, "a file").unwrap();
    let options = support::options(Some(folder.0.clone()), ManualClock::new());
    let error = Embedded::start(options).await.unwrap_err();
    std::fs::remove_file(&folder.0).unwrap();
    assert!(matches!(error, StartError::DataDir { .. }), "{error}");
}

#[tokio::test]
async fn a_database_that_is_none_is_refused() {
    let folder = TestFolder::new("broken");
    std::fs::create_dir_all(&folder.0).unwrap();
    for (file, service) in
        [("sqs.sqlite", "SQS"), ("s3.sqlite", "S3"), ("dynamodb.sqlite", "DynamoDB")]
    {
        std::fs::write(folder.0.join(file), "not a database".repeat(100)).unwrap();
        let options = support::options(Some(folder.0.clone()), ManualClock::new());
        let error = Embedded::start(options).await.unwrap_err();
        assert!(matches!(error, StartError::Storage { service: at, .. } if at == service));
        std::fs::remove_file(folder.0.join(file)).unwrap();
    }
}

#[tokio::test]
async fn items_vanish_when_their_time_to_live_is_swept() {
    let (embedded, clock) = support::start().await;
    let dynamodb = Caller::of(&embedded, &clock).dynamodb();
    create_table(&dynamodb).await;
    let ttl = TimeToLiveSpecification::builder().enabled(true).attribute_name("until");
    let update = dynamodb.update_time_to_live().table_name("items");
    update.time_to_live_specification(ttl.build().unwrap()).send().await.unwrap();
    for (id, seconds) in [("short", 60), ("long", 3600)] {
        let until = (clock.now().seconds() + seconds).to_string();
        let put = dynamodb.put_item().table_name("items");
        let put = put.item("id", AttributeValue::S(id.into()));
        put.item("until", AttributeValue::N(until)).send().await.unwrap();
    }
    clock.advance(61);
    embedded.sweep_expired().unwrap();
    let left = dynamodb.scan().table_name("items").send().await.unwrap();
    assert_eq!(left.count(), 1);
    assert_eq!(left.items()[0]["id"], AttributeValue::S("long".into()));
}
