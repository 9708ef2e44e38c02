use acceptance::{Account, World, files, uploads::id_of};
use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use domain::Plan;
use serde_json::{Value, json};
use sqs_consumer::SqsHandler as _;

/// When the bucket's event comes, seen from the completion.
#[derive(Clone, Copy, Debug)]
enum Event {
    Never,
    Before,
    After,
    TwiceBefore,
    TwiceAfter,
    BeforeAndAfter,
}

const ALL: [Event; 6] = [
    Event::Never,
    Event::Before,
    Event::After,
    Event::TwiceBefore,
    Event::TwiceAfter,
    Event::BeforeAndAfter,
];

async fn tell(world: &World, message: &str, times: usize) {
    for _ in 0..times {
        let mut record = SqsMessage::default();
        record.message_id = Some("m".to_owned());
        record.body = Some(message.to_owned());
        let mut event = SqsEvent::default();
        event.records = vec![record];
        let response = world.application.upload_events.handle(event).await;
        assert!(response.batch_item_failures.is_empty());
    }
}

/// What is left of an upload: its representation without identifier and times, and what counts.
async fn remains(world: &World, account: &Account, id: &str) -> (Value, Value, usize) {
    let mut upload = account.get(&format!("/uploads/{id}")).await.data(200).clone();
    for field in ["id", "createdAt", "expiresAt", "completedAt"] {
        upload[field].take();
    }
    (upload, account.usage().await["uploads"].clone(), world.objects("uploads/").await)
}

#[tokio::test]
async fn the_event_may_come_before_after_twice_or_never() {
    for good in [true, false] {
        let mut outcomes = Vec::new();
        for event in ALL {
            let world = World::start().await;
            let account = world.account(Plan::Free).await;
            let file = if good { files::png(1) } else { files::picture("image/gif", 1) };
            let created =
                account.create_upload("analysis", "image/png", &file).await.data(200).clone();
            let id = id_of(&created);
            assert_eq!(account.put(&created, &file).await, 200);
            let message = world.message_of_upload().await;
            let (before, after) = match event {
                Event::Never => (0, 0),
                Event::Before => (1, 0),
                Event::After => (0, 1),
                Event::TwiceBefore => (2, 0),
                Event::TwiceAfter => (0, 2),
                Event::BeforeAndAfter => (1, 1),
            };
            tell(&world, &message, before).await;
            let expected = if before > 0 { "uploaded" } else { "pending" };
            assert_eq!(account.upload_status(&id).await, expected, "{event:?}");
            let completed = account.complete(&id).await;
            let answer = (completed.status, completed.body["error"].clone());
            tell(&world, &message, after).await;
            outcomes.push((answer, remains(&world, &account, &id).await));
        }
        for outcome in &outcomes[1..] {
            assert_eq!(*outcome, outcomes[0]);
        }
        let (_, (upload, usage, _)) = &outcomes[0];
        assert_eq!(upload["status"], if good { "ready" } else { "rejected" });
        assert_eq!(usage["active"], 0);
    }
}

#[tokio::test]
async fn an_event_for_a_deleted_upload_removes_the_file() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let file = files::png(1);
    let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
    account.delete(&format!("/uploads/{}", id_of(&created))).await.data(200);
    // The target outlives its upload.
    assert_eq!(account.put(&created, &file).await, 200);
    assert_eq!(world.objects("uploads/").await, 1);
    assert_eq!(world.process_upload_events().await, 1);
    assert_eq!(world.objects("uploads/").await, 0);
}

#[tokio::test]
async fn a_second_file_for_an_upload_that_was_used_up_is_removed() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let file = files::png(1);
    let created =
        account.create_upload("reverse_image", "image/png", &file).await.data(200).clone();
    let id = id_of(&created);
    assert_eq!(account.put(&created, &file).await, 200);
    account.complete(&id).await.data(200);
    let body = json!({"type": "image", "uploadId": id});
    account.post("/reverse-prompts", "k", &body).await.data(200);
    assert_eq!(world.objects("uploads/").await, 0);
    assert_eq!(account.put(&created, &file).await, 200, "the target outlives its upload");
    assert_eq!(world.objects("uploads/").await, 1);
    assert_eq!(world.process_upload_events().await, 2);
    assert_eq!(world.objects("uploads/").await, 0);
}

#[tokio::test]
async fn reading_an_upload_finds_a_file_that_nobody_told_of() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let file = files::png(1);
    let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
    assert_eq!(account.put(&created, &file).await, 200);
    world.clock.advance(std::time::Duration::from_secs(3_600));
    assert_eq!(account.usage().await["uploads"]["active"], 0);
    assert_eq!(account.upload_status(&id_of(&created)).await, "uploaded");
    assert_eq!(account.usage().await["uploads"]["active"], 1);
}

#[tokio::test]
async fn a_verification_ahead_spares_the_one_at_completion() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let file = files::png(1);
    let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
    assert_eq!(account.put(&created, &file).await, 200);
    assert_eq!(world.process_upload_events().await, 1);
    world.faults.reset();
    account.complete(&id_of(&created)).await.data(200);
    let reads = world.faults.calls();
    let reads: Vec<_> = reads.iter().filter(|one| one.operation.starts_with("GET ")).collect();
    assert!(reads.is_empty(), "{reads:?}");
}

#[tokio::test]
async fn messages_of_others_are_told_from_the_buckets() {
    let world = World::start().await;
    let handle = |body: &str| {
        let mut record = SqsMessage::default();
        record.message_id = Some("m".to_owned());
        record.body = Some(body.to_owned());
        let mut event = SqsEvent::default();
        event.records = vec![record];
        let events = world.application.upload_events.clone();
        async move { events.handle(event).await.batch_item_failures.len() }
    };
    assert_eq!(handle(r#"{"Service":"Amazon S3","Event":"s3:TestEvent","Bucket":"b"}"#).await, 0);
    assert_eq!(handle("not JSON").await, 1);
    assert_eq!(handle(r#"{"Event":"another"}"#).await, 1);
    let elsewhere = r#"{"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","awsRegion":"r",
        "eventTime":"2026-01-01T00:00:00.000Z","eventName":"ObjectCreated:Put",
        "userIdentity":{"principalId":"p"},"requestParameters":{"sourceIPAddress":"127.0.0.1"},
        "responseElements":{},"s3":{"bucket":{"name":"b"},"object":{"key":"durable/x"}}}]}"#;
    assert_eq!(handle(elsewhere).await, 0);
}
