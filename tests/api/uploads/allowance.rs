use std::time::Duration;

use acceptance::{Account, World, files, uploads::id_of};
use domain::Plan;
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

async fn create(account: &Account, size: u64) -> acceptance::Answer {
    let body = json!({
        "scope": "reverse_video", "filename": "f", "contentType": "video/mp4", "size": size,
    });
    account.send(Method::POST, "/uploads", &body).await
}

async fn uploads_of(account: &Account) -> Value {
    account.usage().await["uploads"].clone()
}

#[tokio::test]
async fn fifty_creations_at_once_get_exactly_the_places_of_the_plan() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let answers =
        world.advancing_time(join_all((0..50).map(|_| create(&account, 1_000_000)))).await;
    let created: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(created.len(), 10);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.is_error(429, "upload_allowance_exceeded");
        let wait = refused.header_number("retry-after");
        assert!((880..=901).contains(&wait), "{wait}");
    }
    let expected =
        json!({"active": 10, "activeLimit": 10, "bytes": 10_000_000, "bytesLimit": 50_000_000});
    assert_eq!(uploads_of(&account).await, expected);
    account.delete(&format!("/uploads/{}", id_of(created[0].data(200)))).await.data(200);
    create(&account, 1).await.data(200);
    create(&account, 1).await.is_error(429, "upload_allowance_exceeded");
}

#[tokio::test]
async fn bytes_are_counted_as_well_as_files() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    create(&account, 10_000_000).await.data(200);
    create(&account, 5_000_001).await.is_error(429, "upload_allowance_exceeded");
    create(&account, 5_000_000).await.data(200);
    create(&account, 1).await.is_error(429, "upload_allowance_exceeded");
}

#[tokio::test]
async fn an_expired_upload_stops_counting_by_itself() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let mut created = Vec::new();
    for _ in 0..3 {
        created.push(id_of(create(&account, 1).await.data(200)));
    }
    create(&account, 1).await.is_error(429, "upload_allowance_exceeded");
    world.clock.advance(Duration::from_secs(15 * 60 - 1));
    create(&account, 1).await.is_error(429, "upload_allowance_exceeded");
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(uploads_of(&account).await["active"], 0);
    assert_eq!(account.upload_status(&created[0]).await, "expired");
    for _ in 0..3 {
        create(&account, 1).await.data(200);
    }
    assert_eq!(uploads_of(&account).await["active"], 3);
}

#[tokio::test]
async fn what_arrived_counts_until_it_is_completed_or_its_day_is_over() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let file = files::png(1);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
        assert_eq!(account.put(&created, &file).await, 200);
        ids.push(id_of(&created));
    }
    assert_eq!(world.process_upload_events().await, 3);
    world.clock.advance(Duration::from_secs(3_600));
    assert_eq!(uploads_of(&account).await["active"], 3);
    account
        .create_upload("analysis", "image/png", &file)
        .await
        .is_error(429, "upload_allowance_exceeded");
    account.complete(&ids[0]).await.data(200);
    assert_eq!(uploads_of(&account).await["active"], 2);
    world.clock.advance(Duration::from_secs(23 * 3_600));
    assert_eq!(uploads_of(&account).await["active"], 0);
    account.complete(&ids[1]).await.is_error(410, "upload_expired");
    assert_eq!(account.upload_status(&ids[2]).await, "expired");
    assert_eq!(world.objects("uploads/").await, 0);
}
