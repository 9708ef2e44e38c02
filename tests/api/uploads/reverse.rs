use std::time::Duration;

use acceptance::{Account, Answer, World, account::fresh_key, files, scripted_engine::Behavior};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::Plan;
use engine::EngineError;
use serde_json::{Value, json};
use store::admission::Limits;

const PARAMETERS: &str = "a lighthouse at dusk, oil painting, \"STELLA\" on the wall\n\
    Negative prompt: people, fog\n\
    Steps: 28, Sampler: DPM++ 2M Karras, CFG scale: 6.5, Seed: 1234567, Size: 768x512";

async fn reverse(account: &Account, body: &Value) -> Answer {
    account.post("/reverse-prompts", &fresh_key(), body).await
}

fn frame(content_type: &str, file: &[u8]) -> String {
    format!("data:{content_type};base64,{}", BASE64_STANDARD.encode(file))
}

#[tokio::test]
async fn the_prompt_in_an_image_is_recovered_exactly_and_the_image_is_deleted() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let file = files::generated_png(PARAMETERS);
    let upload = account.upload("reverse_image", "image/png", &file).await;
    let result = reverse(&account, &json!({"type": "image", "uploadId": upload})).await;
    let result = result.data(200);
    assert_eq!(result["type"], "image");
    assert_eq!(result["recovery"], "exact");
    assert_eq!(result["prompt"], "a lighthouse at dusk, oil painting, \"STELLA\" on the wall");
    assert_eq!(result["negativePrompt"], "people, fog");
    assert_eq!(result["provenance"]["container"], "png", "{}", result["provenance"]);
    assert!(result["parameters"].to_string().contains("1234567"), "{}", result["parameters"]);
    assert_eq!(world.objects("").await, 0, "deleted after use");
    assert_eq!(account.upload_status(&upload).await, "consumed");
    account.delete(&format!("/uploads/{upload}")).await.is_error(409, "upload_consumed");
    for kind in ["generation", "optimization", "refinement"] {
        let listed = account.get(&format!("/history?type={kind}")).await;
        assert_eq!(listed.data(200)["items"], json!([]), "no history is stored");
    }
}

#[tokio::test]
async fn an_image_without_a_prompt_is_described_by_measures_that_say_so() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    for content_type in ["image/jpeg", "image/webp", "image/gif", "image/png"] {
        let file = files::picture(content_type, 8);
        let upload = account.upload("reverse_image", content_type, &file).await;
        let result = reverse(&account, &json!({"type": "image", "uploadId": upload})).await;
        let result = result.data(200);
        assert_eq!(result["recovery"], "statistical");
        assert!(result["confidence"].as_f64().is_some_and(|it| it < 0.5), "{result}");
        assert_eq!(result["provenance"], json!(null));
        assert_eq!(result["style"]["aspectRatio"], "4:3");
        let palette = result["style"]["palette"].as_array().expect("a palette");
        assert!(!palette.is_empty());
        assert!(!result["limitations"].as_array().expect("limitations").is_empty());
    }
}

#[tokio::test]
async fn a_failed_reversal_gives_its_image_back() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let upload = account.upload("reverse_image", "image/png", &files::png(1)).await;
    let body = json!({"type": "image", "uploadId": upload});
    world.engine.set(Behavior::Fails(EngineError::Unavailable { retry_after: None }));
    reverse(&account, &body).await.is_error(503, "provider_unavailable");
    assert_eq!(account.upload_status(&upload).await, "ready");
    assert_eq!(world.objects("uploads/").await, 1);
    world.engine.set(Behavior::Works);
    reverse(&account, &body).await.data(200);
}

#[tokio::test]
async fn only_a_ready_image_of_the_scope_is_taken() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let ask = |upload: String| {
        let account = account.clone();
        async move { reverse(&account, &json!({"type": "image", "uploadId": upload})).await }
    };
    let unknown = ask("upl_01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned()).await;
    unknown.is_error(400, "invalid_reference");
    assert_eq!(unknown.problem_paths(), ["/uploadId"]);
    let other = account.upload("analysis", "image/png", &files::png(1)).await;
    ask(other).await.is_error(400, "attachment_scope_mismatch");
    let created = account.create_upload("reverse_image", "image/png", &files::png(1)).await;
    let pending = acceptance::uploads::id_of(created.data(200));
    ask(pending).await.is_error(409, "attachment_not_ready");
}

#[tokio::test]
async fn frames_give_a_shot_list() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let frames: Vec<_> = [("image/png", 0), ("image/png", 0), ("image/jpeg", 200)]
        .into_iter()
        .map(|(content_type, seed)| frame(content_type, &files::picture(content_type, seed)))
        .collect();
    // The video may have more frames than are sent.
    let body = json!({"type": "video", "frames": frames, "frameCount": 30, "videoDuration": 9.5});
    let result = reverse(&account, &body).await.data(200).clone();
    assert_eq!(result["type"], "video");
    assert_eq!(result["recovery"], "statistical");
    assert!(!result["shots"].as_array().expect("shots").is_empty(), "{result}");
    assert_eq!(world.engine.seen().len(), 3);
}

#[tokio::test]
async fn a_frame_is_read_by_its_bytes_however_its_address_is_written() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    // Its base64 has all signs that addresses escape, and padding.
    let png = (0..=u8::MAX).map(files::png).find(|png| {
        let base64 = BASE64_STANDARD.encode(png);
        ['+', '/', '='].iter().all(|sign| base64.contains(*sign))
    });
    let png = png.expect("a picture");
    let base64 = BASE64_STANDARD.encode(&png);
    let lines: Vec<_> = base64.as_bytes().chunks(76).map(String::from_utf8_lossy).collect();
    let frames = [
        format!("data:image/png;base64,{base64}"),
        format!("data:image/jpg;base64,{base64}"),
        format!("DATA:Image/PNG;BASE64,{base64}"),
        format!("data:image/png;name=a.png;charset=binary; base64,{base64}"),
        format!("data:image/x-unknown;base64,{}", base64.trim_end_matches('=')),
        format!("data:image/png;base64,\r\n{}\r\n", lines.join("\r\n ")),
        format!(
            "data:image/png;base64,{}",
            base64.replace('+', "%2B").replace('/', "%2f").replace('=', "%3D")
        ),
    ];
    let body = json!({
        "type": "video", "frames": frames, "frameCount": frames.len() as f64, "videoDuration": 7,
    });
    assert_eq!(reverse(&account, &body).await.data(200)["type"], "video");
    let seen = world.engine.seen();
    assert_eq!(seen.len(), frames.len());
    for (image, frame) in seen.iter().zip(frames) {
        assert_eq!((image.media_type.as_str(), &image.bytes), ("image/png", &png), "{frame}");
    }
}

#[tokio::test]
async fn every_problem_of_the_frames_is_named() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let good = frame("image/png", &files::png(1));
    let body = json!({
        "type": "video",
        "frames": [
            good,
            "data:image/png;base64,@@@@",
            frame("image/svg+xml", b"<svg/>"),
            frame("image/png", &files::png(1)[..60]),
            "data:image/png",
            format!("data:image/png,{}", BASE64_STANDARD.encode(files::png(1))),
        ],
        "frameCount": 30,
        "videoDuration": 3,
    });
    let refused = reverse(&account, &body).await;
    refused.is_error(400, "invalid_request");
    let paths = ["/frames/1", "/frames/2", "/frames/3", "/frames/4", "/frames/5"];
    assert_eq!(refused.problem_paths(), paths);
    let body = json!({
        "type": "video", "frames": ["https://example.com/a.png"], "frameCount": 31,
        "videoDuration": 0,
    });
    let refused = reverse(&account, &body).await;
    let error = refused.is_error(400, "invalid_request");
    assert_eq!(refused.problem_paths(), ["/frames/0", "/frameCount", "/videoDuration"]);
    assert_eq!(error["details"][0]["message"], "must begin with data:image/");
    let upload = json!({"type": "video", "uploadId": "upl_01ARZ3NDEKTSV4RRFFQ69G5FAV"});
    reverse(&account, &upload).await.is_error(400, "invalid_request");
    assert_eq!(account.usage().await["credits"]["used"], 0);
}

#[tokio::test]
async fn a_body_near_the_limit_works_and_its_result_is_kept() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    // Noise, which no format makes small.
    let mut state = 1_u32;
    let noise = image::RgbImage::from_fn(300, 180, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [a, b, c, _] = state.to_be_bytes();
        image::Rgb([a, b, c])
    });
    let mut file = std::io::Cursor::new(Vec::new());
    let noise = image::DynamicImage::from(noise);
    noise.write_to(&mut file, image::ImageFormat::Png).expect("a picture");
    let url = frame("image/png", file.get_ref());
    let frames = vec![url.clone(); (5 * 1024 * 1024 - 1_000) / (url.len() + 3)];
    assert!((20..=30).contains(&frames.len()), "{}", frames.len());
    let body = json!({
        "type": "video", "frames": frames, "frameCount": frames.len(), "videoDuration": 60,
    });
    let accepted = account.post_async("/reverse-prompts", "k", &body).await;
    let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
    world.process_everything().await;
    let operation = account.get(&format!("/operations/{id}")).await.data(200).clone();
    assert_eq!(operation["status"], "SUCCEEDED", "{operation}");
    assert_eq!(operation["result"]["type"], "video");
    assert_eq!(world.engine.seen().len(), frames.len());
    world.clock.advance(Duration::from_secs(3 * 86_400));
    assert_eq!(world.objects("").await, 0, "nothing of the frames is kept");
}
