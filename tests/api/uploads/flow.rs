use std::time::Duration;

use acceptance::{World, account::fresh_key, fault_injection::Fault, files, uploads::id_of};
use domain::Plan;
use serde_json::json;

#[tokio::test]
async fn create_put_and_complete_make_an_upload_ready_for_good() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    for (scope, content_type) in [
        ("analysis", "image/jpeg"),
        ("refinement", "image/png"),
        ("feedback", "image/webp"),
        ("generation", "image/gif"),
    ] {
        let file = files::picture(content_type, 3);
        let created = account.create_upload(scope, content_type, &file).await.data(200).clone();
        let id = id_of(&created);
        account.complete(&id).await.is_error(409, "upload_not_received");
        assert_eq!(account.put(&created, &file).await, 200);
        world.clock.advance(Duration::from_secs(5));
        let ready = account.complete(&id).await.data(200).clone();
        assert_eq!(ready["status"], "ready");
        assert_eq!(ready["contentType"], content_type);
        assert_eq!(ready["completedAt"], json!(world.now()));
        world.clock.advance(Duration::from_secs(5));
        assert_eq!(*account.complete(&id).await.data(200), ready, "a second completion");
        assert_eq!(*account.get(&format!("/uploads/{id}")).await.data(200), ready);
    }
}

#[tokio::test]
async fn a_file_that_is_not_what_it_says_is_refused_and_removed() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let png = files::png(1);
    let mut polyglot = png.clone();
    polyglot.extend_from_slice(b"PK\x03\x04 and an archive behind the picture");
    let cases: [(&str, &[u8]); 5] = [
        ("image/jpeg", &png),
        ("image/png", &png[..png.len() - 5]),
        ("image/png", &polyglot),
        ("image/gif", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("image/webp", b"RIFF\x04\0\0\0WEBP"),
    ];
    for (content_type, file) in cases {
        let created = account.create_upload("analysis", content_type, file).await.data(200).clone();
        let id = id_of(&created);
        assert_eq!(account.put(&created, file).await, 200);
        let refused = account.complete(&id).await;
        let message = refused.is_error(400, "media_mismatch")["message"].clone();
        assert!(message.as_str().is_some_and(|text| text.len() > 20), "{message}");
        let again = account.complete(&id).await;
        assert_eq!(again.is_error(409, "upload_rejected")["message"], message);
        assert_eq!(account.upload_status(&id).await, "rejected");
        let body = json!({"prompt": "Describe it", "attachmentIds": [id]});
        let asked = account.post("/prompts/analyze", &fresh_key(), &body).await;
        asked.is_error(409, "attachment_not_ready");
    }
    assert_eq!(world.objects("uploads/").await, 0);
    assert_eq!(account.usage().await["uploads"]["active"], 0);
}

#[tokio::test]
async fn a_target_that_lapsed_without_a_file_is_gone() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let created = account.create_upload("analysis", "image/png", &files::png(1)).await;
    let id = id_of(created.data(200));
    world.clock.advance(Duration::from_secs(15 * 60));
    account.complete(&id).await.is_error(410, "upload_expired");
    assert_eq!(account.upload_status(&id).await, "expired");
    account.delete(&format!("/uploads/{id}")).await.data(200);
    account.complete(&id).await.is_error(404, "not_found");
}

#[tokio::test]
async fn a_file_that_came_in_time_can_be_completed_all_day() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let file = files::png(1);
    for hours in [1, 23, 24] {
        let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
        let id = id_of(&created);
        assert_eq!(account.put(&created, &file).await, 200);
        world.clock.advance(Duration::from_secs(hours * 3_600));
        if hours < 24 {
            assert_eq!(account.upload_status(&id).await, "uploaded");
            account.complete(&id).await.data(200);
        } else {
            account.complete(&id).await.is_error(410, "upload_expired");
        }
    }
}

#[tokio::test]
async fn an_upload_that_nobody_took_is_deleted_with_its_file() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let id = account.upload("analysis", "image/png", &files::png(1)).await;
    assert_eq!(world.objects("uploads/").await, 1);
    let path = format!("/uploads/{id}");
    assert_eq!(*account.delete(&path).await.data(200), json!({"id": id, "deleted": true}));
    assert_eq!(world.objects("uploads/").await, 0);
    account.delete(&path).await.is_error(404, "not_found");
    account.get(&path).await.is_error(404, "not_found");
    account.complete(&id).await.is_error(404, "not_found");
    let body = json!({"prompt": "Describe it", "attachmentIds": [id]});
    let asked = account.post("/prompts/analyze", &fresh_key(), &body).await;
    asked.is_error(400, "invalid_reference");
    assert_eq!(asked.problem_paths(), ["/attachmentIds/0"]);
}

#[tokio::test]
async fn storage_that_is_away_is_503_and_nothing_is_stuck() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let file = files::png(1);
    let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
    let id = id_of(&created);
    assert_eq!(account.put(&created, &file).await, 200);
    // The read of the file fails, whatever is tried again.
    world.faults.inject("GetObject", Fault::Unreachable, 20);
    let away = world.advancing_time(account.complete(&id)).await;
    away.is_error(503, "storage_unavailable");
    assert!(away.header_number("retry-after") >= 1);
    world.faults.recover();
    assert_eq!(account.complete(&id).await.data(200)["status"], "ready");
    world.faults.inject("TransactWriteItems", Fault::Unreachable, 200);
    let away = world.advancing_time(account.create_upload("analysis", "image/png", &file)).await;
    away.is_error(503, "storage_unavailable");
    world.faults.recover();
    assert_eq!(account.usage().await["uploads"]["active"], 0);
}

#[tokio::test]
async fn two_completions_at_once_end_in_one_ready_upload() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let file = files::png(1);
    for _ in 0..5 {
        let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
        let id = id_of(&created);
        assert_eq!(account.put(&created, &file).await, 200);
        let both = world
            .advancing_time(futures::future::join(account.complete(&id), account.complete(&id)));
        let (one, other) = both.await;
        for answer in [&one, &other] {
            if answer.status != 200 {
                answer.is_error(409, "upload_processing");
            }
        }
        assert!(one.status == 200 || other.status == 200);
        assert_eq!(account.upload_status(&id).await, "ready");
    }
    assert_eq!(account.usage().await["uploads"]["active"], 0);
}

#[tokio::test]
async fn a_deletion_whose_storage_was_away_is_finished_by_the_next_one() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let id = account.upload("analysis", "image/png", &files::png(1)).await;
    let path = format!("/uploads/{id}");
    world.faults.inject("DeleteObject", Fault::Unreachable, 20);
    let away = world.advancing_time(account.delete(&path)).await;
    away.is_error(503, "storage_unavailable");
    world.faults.recover();
    account.delete(&path).await.is_error(404, "not_found");
    assert_eq!(world.objects("uploads/").await, 0);
}
