use acceptance::{World, files, uploads::id_of};
use domain::Plan;
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn the_target_takes_exactly_the_declared_file_and_only_once() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let file = files::png(1);
    let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
    assert_eq!(created["status"], "pending");
    assert_eq!(created["size"], file.len());
    assert_eq!(created["filename"], "sketch of a cat.png");
    assert_eq!(created["completedAt"], json!(null));
    assert_eq!(created["upload"]["headers"]["content-type"], "image/png");
    assert_eq!(created["upload"]["headers"]["if-none-match"], "*");

    let other_type = account.putting(&created, &file).header("content-type", "image/gif");
    assert_eq!(other_type.send().await.expect("an answer").status(), 403);
    let mut longer = file.clone();
    longer.push(0);
    let url = created["upload"]["url"].as_str().expect("an address");
    let other_length = reqwest::Client::new()
        .put(url)
        .header("content-type", "image/png")
        .header("if-none-match", "*")
        .body(longer);
    assert_eq!(other_length.send().await.expect("an answer").status(), 403);
    let overwriting =
        reqwest::Client::new().put(url).header("content-type", "image/png").body(file.clone());
    assert_eq!(overwriting.send().await.expect("an answer").status(), 403);
    assert_eq!(world.objects("uploads/").await, 0);

    assert_eq!(account.put(&created, &file).await, 200);
    assert_eq!(account.put(&created, &file).await, 412, "a second file");
    assert_eq!(account.complete(&id_of(&created)).await.data(200)["status"], "ready");
}

#[tokio::test]
async fn a_scope_takes_its_types_and_sizes_and_no_others() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let images = ["image/jpeg", "image/png", "image/webp", "image/gif"];
    let videos = ["video/mp4", "video/quicktime", "video/webm"];
    for scope in
        ["analysis", "refinement", "feedback", "generation", "reverse_image", "reverse_video"]
    {
        let (takes, refuses, most) = match scope {
            "reverse_video" => (&videos[..], &images[..], 104_857_600_u64),
            _ => (&images[..], &videos[..], 5_242_880),
        };
        let create = |content_type: &str, size: u64| {
            let body = json!({
                "scope": scope, "filename": "f", "contentType": content_type, "size": size,
            });
            let account = account.clone();
            async move { account.send(Method::POST, "/uploads", &body).await }
        };
        for content_type in takes {
            let created = create(content_type, most).await.data(200).clone();
            account.delete(&format!("/uploads/{}", id_of(&created))).await.data(200);
            let too_large = create(content_type, most + 1).await;
            too_large.is_error(400, "file_too_large");
            assert_eq!(too_large.problem_paths(), ["/size"]);
        }
        for content_type in refuses {
            let refused = create(content_type, most + 1).await;
            refused.is_error(400, "invalid_request");
            assert_eq!(refused.problem_paths(), ["/contentType", "/size"]);
            let refused = create(content_type, most).await;
            refused.is_error(400, "unsupported_media_type_for_scope");
            assert_eq!(refused.problem_paths(), ["/contentType"]);
        }
    }
}

#[tokio::test]
async fn every_problem_of_a_request_is_named() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let body = json!({
        "scope": "picture", "filename": "", "contentType": "x".repeat(101), "size": 0,
    });
    let refused = account.send(Method::POST, "/uploads", &body).await;
    refused.is_error(400, "invalid_request");
    let mut paths = refused.problem_paths();
    paths.sort_unstable();
    assert_eq!(paths, ["/contentType", "/filename", "/scope", "/size"]);
}

#[tokio::test]
async fn an_upload_that_was_read_can_be_sent_back() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let created =
        account.create_upload("analysis", "image/png", &files::png(1)).await.data(200).clone();
    let read = account.get(&format!("/uploads/{}", id_of(&created))).await.data(200).clone();
    let copy = account.send(Method::POST, "/uploads", &read).await.data(200).clone();
    assert_ne!(copy["id"], read["id"]);
    for name in ["scope", "filename", "contentType", "size"] {
        assert_eq!(copy[name], read[name], "{name}");
    }
}

#[tokio::test]
async fn the_key_of_the_api_is_no_part_of_the_target() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let created = account.create_upload("analysis", "image/png", &files::png(1)).await;
    let target = created.data(200)["upload"].to_string();
    assert!(!target.to_lowercase().contains("authorization"), "{target}");
    assert!(!target.contains(&account.key), "{target}");
}

#[tokio::test]
async fn a_file_larger_than_all_that_a_plan_allows_needs_another_plan() {
    let world = World::start().await;
    let body = json!({
        "scope": "reverse_video", "filename": "f", "contentType": "video/mp4", "size": 20_000_000,
    });
    let free = world.account(Plan::Free).await;
    let refused = free.send(Method::POST, "/uploads", &body).await;
    let message = refused.is_error(403, "plan_required")["message"].clone();
    assert!(message.as_str().is_some_and(|text| text.contains("15000000")), "{message}");
    let pro = world.account(Plan::Pro).await;
    pro.send(Method::POST, "/uploads", &body).await.data(200);
}
