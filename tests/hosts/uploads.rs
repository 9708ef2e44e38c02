//! Files: to storage by a presigned target, verified, attached, read back.

use std::time::Duration;

use acceptance::{Answer, account::fresh_key, files, uploads::id_of};
use reqwest::Method;
use serde_json::json;

use crate::host;

#[tokio::test]
async fn a_file_is_put_verified_attached_and_read_back() {
    let host = host().await;
    let account = host.account().await;
    let file = files::png(3);
    let created = account.create_upload("generation", "image/png", &file).await.data(200).clone();
    let id = id_of(&created);
    account.complete(&id).await.is_error(409, "upload_not_received");
    assert_eq!(account.put(&created, &file).await, 200);
    assert_ne!(account.put(&created, &file).await, 200, "a target takes one file");
    let ready = account.complete(&id).await.data(200).clone();
    assert_eq!(ready["status"], "ready");
    assert_eq!(*account.complete(&id).await.data(200), ready);
    assert_eq!(*account.get(&format!("/uploads/{id}")).await.data(200), ready);
    let goal = json!({"message": "A poster in these colours", "attachmentIds": [id]});
    let made = account.made("/prompts/generate", &goal).await;
    assert_eq!(account.upload_status(&id).await, "consumed");
    account.delete(&format!("/uploads/{id}")).await.is_error(409, "upload_consumed");
    let item = format!("/history/generation/{}", made["generationId"].as_str().expect("an id"));
    let detail = account.get(&item).await.data(200).clone();
    let attachment = &detail["attachments"][0];
    assert_eq!((&attachment["id"], &attachment["size"]), (&json!(id), &json!(file.len())));
    let read =
        reqwest::get(attachment["url"].as_str().expect("an address")).await.expect("storage");
    assert_eq!((read.status().as_u16(), read.bytes().await.expect("a body")), (200, file.into()));
    let again = json!({"message": "Another poster", "attachmentIds": [id]});
    account.generate(&fresh_key(), &again).await.is_error(409, "upload_consumed");
}

#[tokio::test]
async fn storage_takes_nothing_but_what_was_announced() {
    let host = host().await;
    let account = host.account().await;
    let file = files::png(4);
    let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
    let mut longer = created.clone();
    let headers = longer["upload"]["headers"].as_object_mut().expect("headers");
    headers.retain(|name, _| !name.eq_ignore_ascii_case("content-length"));
    assert!(account.put(&longer, &[&file[..], b"x"].concat()).await >= 400);
    let mut unsigned = created.clone();
    let url = unsigned["upload"]["url"].as_str().expect("an address").to_owned();
    unsigned["upload"]["url"] = url.split('?').next().expect("a path").into();
    assert!(account.put(&unsigned, &file).await >= 400);
    let id = id_of(&created);
    account.complete(&id).await.is_error(409, "upload_not_received");
    let before = account.usage().await["uploads"]["active"].as_u64().expect("a number");
    assert_eq!(
        *account.delete(&format!("/uploads/{id}")).await.data(200),
        json!({"id": id, "deleted": true})
    );
    account.complete(&id).await.is_error(404, "not_found");
    assert_eq!(account.usage().await["uploads"]["active"], before - 1);
}

#[tokio::test]
async fn a_file_that_is_not_what_it_says_is_refused() {
    let host = host().await;
    let account = host.account().await;
    let file = files::png(5);
    let created = account.create_upload("analysis", "image/jpeg", &file).await.data(200).clone();
    let id = id_of(&created);
    assert_eq!(account.put(&created, &file).await, 200);
    let refused = account.complete(&id).await;
    refused.is_error(400, "media_mismatch");
    host.assert_documented("completeUpload", &refused).await;
    assert_eq!(account.upload_status(&id).await, "rejected");
    for (body, code) in [
        (
            json!({"scope": "analysis", "filename": "a", "contentType": "video/mp4", "size": 9}),
            "unsupported_media_type_for_scope",
        ),
        (
            json!({"scope": "analysis", "filename": "a", "contentType": "image/png", "size": 5_242_881}),
            "file_too_large",
        ),
    ] {
        account.send(Method::POST, "/uploads", &body).await.is_error(400, code);
    }
}

#[tokio::test]
async fn the_bucket_tells_of_a_file_before_anybody_completes_it() {
    let host = host().await;
    let account = host.account().await;
    let file = files::png(6);
    let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
    let id = id_of(&created);
    assert_eq!(account.upload_status(&id).await, "pending");
    assert_eq!(account.put(&created, &file).await, 200);
    for _ in 0..100 {
        if account.upload_status(&id).await == "uploaded" {
            assert_eq!(account.complete(&id).await.data(200)["status"], "ready");
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("nobody heard of the file");
}

#[tokio::test]
async fn a_picture_gives_back_what_it_was_generated_with() {
    let host = host().await;
    let account = host.account().await;
    let file = files::generated_png(
        "a lighthouse on a cliff\nNegative prompt: people\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 5, Size: 32x24",
    );
    let id = account.upload("reverse_image", "image/png", &file).await;
    let body = json!({"type": "image", "uploadId": id});
    let found = account.made("/reverse-prompts", &body).await;
    assert_eq!((&found["recovery"], &found["negativePrompt"]), (&json!("exact"), &json!("people")));
    assert_eq!(found["prompt"], "a lighthouse on a cliff");
    let again = account.post("/reverse-prompts", &fresh_key(), &body).await;
    assert!(again.status.is_client_error(), "it was used: {}", again.body);
    let generation = json!({"message": "A poster", "attachmentIds": [id]});
    let refused = Answer::to(account.generate_request(&fresh_key(), &generation)).await;
    assert!(refused.status.is_client_error(), "{}", refused.body);
}
