use std::time::Duration;

use acceptance::{
    Account, World,
    account::fresh_key,
    files,
    kinds::{self, is_deferrable},
    scripted_engine::Behavior,
};
use domain::{Kind, Plan};
use engine::EngineError;
use serde_json::{Value, json};
use store::admission::Limits;

/// The kinds that take attachments, with a scope that each takes.
const TAKERS: [(Kind, &str); 6] = [
    (Kind::GeneratePrompt, "generation"),
    (Kind::AnalyzePrompt, "analysis"),
    (Kind::OptimizePrompt, "analysis"),
    (Kind::AnalyzeAndOptimizePrompt, "analysis"),
    (Kind::RefinePrompt, "refinement"),
    (Kind::RefineOptimizedPrompt, "feedback"),
];

/// A good request of a kind with these attachments.
async fn attaching(account: &Account, kind: Kind, uploads: &[&str]) -> (String, Value) {
    let mut call = kinds::call(account, kind).await;
    call.body["attachmentIds"] = json!(uploads);
    (call.path, call.body)
}

fn history_of(result: &Value) -> String {
    let of = |kind: &str, field: &str| Some(format!("/history/{kind}/{}", result[field].as_str()?));
    of("generation", "generationId")
        .or_else(|| of("optimization", "optimizationId"))
        .or_else(|| of("refinement", "refinementId"))
        .expect("a history item")
}

async fn read(url: &Value) -> (u16, Vec<u8>, String) {
    let answer = reqwest::get(url.as_str().expect("an address")).await.expect("storage answers");
    let status = answer.status().as_u16();
    let disposition = answer.headers().get("content-disposition").cloned();
    let disposition = disposition.map(|value| value.to_str().unwrap_or_default().to_owned());
    (status, answer.bytes().await.expect("the body").to_vec(), disposition.unwrap_or_default())
}

#[tokio::test]
async fn an_attachment_reaches_the_engine_and_stays_in_history() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for (kind, scope) in TAKERS {
        for later in [false, true] {
            if later && !is_deferrable(kind) {
                continue;
            }
            let (one, two) = (files::png(3), files::picture("image/jpeg", 4));
            let first = account.upload(scope, "image/png", &one).await;
            let second = account.upload(scope, "image/jpeg", &two).await;
            let (path, body) = attaching(&account, kind, &[&first, &second]).await;
            let result = if later {
                let accepted = account.post_async(&path, &fresh_key(), &body).await;
                let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
                assert_eq!(account.upload_status(&first).await, "consumed", "claimed at the start");
                world.process_everything().await;
                account.get(&format!("/operations/{id}")).await.data(200)["result"].clone()
            } else {
                account.post(&path, &fresh_key(), &body).await.data(200).clone()
            };
            let seen = world.engine.seen();
            let seen: Vec<_> = seen.iter().map(|it| (it.media_type.as_str(), &it.bytes)).collect();
            assert_eq!(seen, [("image/png", &one), ("image/jpeg", &two)], "{kind:?}");

            assert_eq!(account.upload_status(&first).await, "consumed");
            let path = format!("/uploads/{first}");
            account.delete(&path).await.is_error(409, "upload_consumed");
            account.complete(&first).await.is_error(409, "upload_consumed");
            let detail = account.get(&history_of(&result)).await.data(200).clone();
            let attachments = detail["attachments"].as_array().expect("attachments");
            assert_eq!(attachments.len(), 2, "{kind:?}: {attachments:?}");
            for (attachment, (id, file)) in
                attachments.iter().zip([(&first, &one), (&second, &two)])
            {
                assert_eq!(attachment["id"], **id);
                assert_eq!(attachment["operationId"], result["operationId"]);
                assert_eq!(attachment["size"], file.len());
                let (status, bytes, disposition) = read(&attachment["url"]).await;
                assert_eq!((status, &bytes), (200, file));
                assert!(disposition.contains("sketch%20of%20a%20cat.png"), "{disposition}");
            }
            assert_eq!(world.objects("uploads/").await, 0, "moved out of the temporary area");
        }
    }
}

#[tokio::test]
async fn attachments_last_as_long_as_their_history() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let file = files::png(3);
    let upload = account.upload("analysis", "image/png", &file).await;
    let (path, body) = attaching(&account, Kind::OptimizePrompt, &[&upload]).await;
    let made = account.post(&path, &fresh_key(), &body).await.data(200).clone();
    world.clock.advance(Duration::from_secs(30 * 86_400));
    let item = history_of(&made);
    let detail = account.get(&item).await.data(200).clone();
    let url = detail["attachments"][0]["url"].clone();
    assert_eq!(read(&url).await.1, file);
    assert_eq!(world.objects("durable/").await, 1);
    account.delete(&item).await.data(200);
    assert_eq!(world.objects("durable/").await, 0);
    assert_eq!(read(&url).await.0, 404);
}

#[tokio::test]
async fn what_cannot_be_attached_is_named_and_nothing_is_charged() {
    let world = World::with_limits(Limits::Lifted).await;
    let (account, other) = (world.account(Plan::Max).await, world.account(Plan::Max).await);
    let file = files::png(3);
    let foreign = other.upload("analysis", "image/png", &file).await;
    let wrong = account.upload("generation", "image/png", &file).await;
    let good = account.upload("analysis", "image/png", &file).await;
    let created = account.create_upload("analysis", "image/png", &file).await;
    let pending = acceptance::uploads::id_of(created.data(200));
    let ask = |uploads: Value| {
        let body = json!({"prompt": "Describe the picture", "attachmentIds": uploads});
        let account = account.clone();
        async move { account.post("/prompts/analyze", &fresh_key(), &body).await }
    };
    let unknown = ask(json!([good, "upl_01ARZ3NDEKTSV4RRFFQ69G5FAV", foreign, "x"])).await;
    unknown.is_error(400, "invalid_reference");
    let mut paths = unknown.problem_paths();
    paths.sort_unstable();
    assert_eq!(paths, ["/attachmentIds/1", "/attachmentIds/2", "/attachmentIds/3"]);
    let mismatch = ask(json!([good, wrong])).await;
    mismatch.is_error(400, "attachment_scope_mismatch");
    assert_eq!(mismatch.problem_paths(), ["/attachmentIds/1"]);
    let not_ready = ask(json!([pending, good])).await;
    not_ready.is_error(409, "attachment_not_ready");
    assert_eq!(not_ready.problem_paths(), ["/attachmentIds/0"]);
    let blank = json!({"prompt": " \n", "promptId": "opt_x", "attachmentIds": ["x"]});
    let blank = account.post("/prompts/analyze", &fresh_key(), &blank).await;
    blank.is_error(400, "invalid_request");
    assert_eq!(blank.problem_paths(), ["/prompt", "/promptId", "/attachmentIds/0"]);
    assert_eq!(account.usage().await["credits"]["used"], 0);
    assert_eq!(account.upload_status(&good).await, "ready");

    ask(json!([good, good])).await.data(200);
    ask(json!([good])).await.is_error(409, "upload_consumed");
    world.clock.advance(Duration::from_secs(86_400));
    ask(json!([wrong])).await.is_error(400, "attachment_scope_mismatch");
    let expired = json!({"message": "A poster", "attachmentIds": [wrong]});
    let expired = account.post("/prompts/generate", &fresh_key(), &expired).await;
    expired.is_error(409, "attachment_not_ready");
}

#[tokio::test]
async fn two_operations_at_once_never_share_an_upload() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for _ in 0..5 {
        let upload = account.upload("generation", "image/png", &files::png(3)).await;
        let body = json!({"message": "A poster", "attachmentIds": [upload]});
        let ask = || {
            let (account, body) = (account.clone(), body.clone());
            async move { account.generate(&fresh_key(), &body).await }
        };
        let answers = world.advancing_time(futures::future::join_all((0..4).map(|_| ask()))).await;
        let won = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(won, 1);
        for lost in answers.iter().filter(|answer| answer.status != 200) {
            lost.is_error(409, "upload_consumed");
            assert_eq!(lost.problem_paths(), ["/attachmentIds/0"], "{}", lost.body);
        }
    }
    let usage = account.usage().await;
    assert_eq!((&usage["credits"]["used"], &usage["credits"]["held"]), (&json!(5), &json!(0)));
}

#[tokio::test]
async fn a_failed_or_cancelled_operation_gives_its_uploads_back() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for (kind, scope) in TAKERS {
        let upload = account.upload(scope, "image/png", &files::png(3)).await;
        let (path, body) = attaching(&account, kind, &[&upload]).await;
        let key = fresh_key();
        world.engine.set(Behavior::Fails(EngineError::Unavailable { retry_after: None }));
        account.post(&path, &key, &body).await.is_error(503, "provider_unavailable");
        assert_eq!(account.upload_status(&upload).await, "ready", "{kind:?}");
        world.engine.set(Behavior::Works);
        if is_deferrable(kind) {
            let accepted = account.post_async(&path, &fresh_key(), &body).await;
            let operation = accepted.data(202)["id"].as_str().expect("an id").to_owned();
            assert_eq!(account.upload_status(&upload).await, "consumed");
            account.delete(&format!("/operations/{operation}")).await.data(200);
            assert_eq!(account.upload_status(&upload).await, "ready", "{kind:?}");
        }
        // The key of the failed call is free again, and so is its upload.
        let made = account.post(&path, &key, &body).await.data(200).clone();
        assert_eq!(account.upload_status(&upload).await, "consumed");
        let replayed = account.post(&path, &key, &body).await;
        assert_eq!(*replayed.data(200), made);
        assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
    }
    assert_eq!(world.objects("durable/").await, TAKERS.len());
}

#[tokio::test]
async fn a_request_that_is_sent_twice_at_once_is_one_operation() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for _ in 0..8 {
        let upload = account.upload("generation", "image/png", &files::png(3)).await;
        let body = json!({"message": "A poster", "attachmentIds": [upload]});
        let key = fresh_key();
        let twins = (0..3).map(|_| account.generate_async(&key, &body));
        let answers = world.advancing_time(futures::future::join_all(twins)).await;
        let ids: std::collections::BTreeSet<_> =
            answers.iter().map(|answer| answer.data(202)["id"].to_string()).collect();
        assert_eq!(ids.len(), 1);
    }
    world.process_everything().await;
    assert_eq!(account.usage().await["credits"]["used"], 8);
}

#[tokio::test]
async fn a_failure_that_crashes_before_it_cleared_up_leaves_no_copy() {
    for after in 0..12 {
        let mut world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        let upload = account.upload("generation", "image/png", &files::png(3)).await;
        let body = json!({"message": "A poster", "attachmentIds": [upload]});
        let accepted = account.generate_async("k", &body).await;
        let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
        // The first attempt dies anywhere, perhaps with its copy made; the next one fails.
        world.faults.crash(acceptance::fault_injection::CrashPoint { after, call_arrives: true });
        let _ = world.faults.or_crash(world.process()).await;
        world.restart();
        world.engine.set(Behavior::Fails(EngineError::Unavailable { retry_after: None }));
        world.process_everything().await;
        let operation = account.get(&format!("/operations/{id}")).await.data(200).clone();
        let failed = operation["status"] == "FAILED";
        assert!(failed || operation["status"] == "SUCCEEDED", "{operation}");
        assert_eq!(world.objects("durable/").await, usize::from(!failed), "after {after}");
        assert_eq!(world.objects("uploads/").await, usize::from(failed), "after {after}");
    }
}
