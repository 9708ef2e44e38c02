use std::time::Duration;

use acceptance::World;
use domain::{Plan, Scope, Scopes};
use serde_json::json;

#[tokio::test]
async fn capabilities_tell_plan_scopes_credential_and_engine() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let scopes = Scopes::from_iter([Scope::UsageRead, Scope::LibraryRead]);
    let expiry = world.now() + Duration::from_secs(3600);
    let limited = world.key(account.id, scopes, Some(expiry)).await;
    let answer = limited.get("/capabilities").await;
    let data = answer.data(200);
    assert_eq!(data["apiVersion"], "1.0.0");
    assert_eq!(data["plan"], "pro");
    assert_eq!(data["scopes"], json!(["usage:read", "library:read"]));
    assert_eq!(
        data["credential"],
        json!({
            "type": "api_key",
            "id": limited.key_id.to_string(),
            "expiresAt": expiry.to_string(),
        })
    );
    assert_eq!(data["engine"], json!({"name": "rules", "kind": "rules", "model": null}));
    assert_eq!(data["features"]["asynchronousOperations"], true);
    assert_eq!(data["features"]["publishing"], true);
}

#[tokio::test]
async fn limits_are_the_documented_figures() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let answer = account.get("/capabilities").await;
    assert_eq!(
        answer.data(200)["limits"],
        json!({
            "requestsPerMinute": 30,
            "concurrentOperations": 1,
            "monthlyCredits": 20,
            "publicationChangesPerHour": 0,
            "activeUploads": 3,
            "activeUploadBytes": 15_000_000,
            "storedItems": 50,
            "storedBytes": 50_000_000,
            "requestBodyBytes": 5_242_880,
            "idempotencyKeyLength": 255,
            "idempotencyRetentionSeconds": 86_400,
            "operationRetentionSeconds": 7_776_000,
            "operationResultRetentionSeconds": 86_400,
            "synchronousCallSeconds": 25,
            "attachmentsPerRequest": 5,
            "uploadUrlLifetimeSeconds": 900,
            "temporaryAssetRetentionSeconds": 86_400,
            "imageUploadBytes": 5_242_880,
            "videoUploadBytes": 104_857_600,
            "videoFrames": 30,
            "videoDurationSeconds": 600,
            "pageSize": 100,
            "defaultPageSize": 25,
            "libraryPageSize": 30,
            "presetVariables": 100,
            "presetValueNameLength": 10000,
            "presetValueLength": 10_000,
            "apiKeys": 10,
            "webhookEndpoints": 10,
            "webhookEvents": 7,
            "webhookResponseSeconds": 10,
        })
    );
}
