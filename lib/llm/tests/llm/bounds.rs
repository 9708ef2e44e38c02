//! Pictures at the bounds of the providers.

use std::{io::Cursor, time::Duration};

use engine::{Engine, EngineError, Image, Material};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use crate::{
    dialect::{ALL, Dialect, Outcome},
    requests::block,
    stub::Seen,
    world::{PROMPT, TestClock, after, engine, material, prompt},
};

fn file(format: ImageFormat, picture: RgbImage) -> Image {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(picture).write_to(&mut bytes, format).unwrap();
    Image { media_type: format.to_mime_type().to_owned(), bytes: bytes.into_inner() }
}

fn plain(width: u32, height: u32) -> Image {
    file(ImageFormat::Png, RgbImage::from_pixel(width, height, Rgb([32, 64, 128])))
}

/// A picture that PNG cannot compress.
fn noise(side: u32) -> Image {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let picture = RgbImage::from_fn(side, side, |_, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Rgb([(state >> 16) as u8, (state >> 24) as u8, (state >> 32) as u8])
    });
    file(ImageFormat::Png, picture)
}

/// The result of an analysis with pictures that the provider refuses with this message.
async fn refused(dialect: Dialect, images: &[Image], words: &str) -> (EngineError, Vec<Seen>) {
    let refusal = dialect.play(Outcome::Failed(400, dialect.code(400), words.to_owned()));
    let stub = dialect.start([refusal]).await;
    let mut brief = prompt(PROMPT);
    brief.images = images.to_vec();
    let llm = engine(dialect, &stub, TestClock::new());
    (llm.analyze(&brief, after(60)).await.unwrap_err(), stub.seen())
}

#[tokio::test]
async fn a_large_picture_is_sent_smaller_and_a_small_one_as_it_is() {
    let images = [plain(6000, 4000), plain(1568, 40), noise(1200)];
    assert!(images[2].bytes.len() > 3_500_000);
    for dialect in ALL {
        let (_, seen) = refused(dialect, &images, "no").await;
        let sent = dialect.images(&seen[0]);
        assert_eq!(sent[0].0, "image/jpeg");
        assert_eq!(image_analysis::dimensions(&sent[0].1), Ok((1568, 1045)), "{dialect:?}");
        assert_eq!(sent[1], ("image/png".to_owned(), images[1].bytes.clone()), "{dialect:?}");
        assert_eq!(image_analysis::dimensions(&sent[2].1), Ok((1200, 1200)), "{dialect:?}");
        assert!(sent[2].1.len() <= 3_500_000, "{} bytes", sent[2].1.len());
    }
}

#[tokio::test]
async fn many_files_share_what_a_request_may_have() {
    let images = vec![noise(1000); 7];
    let total: usize = images.iter().map(|image| image.bytes.len()).sum();
    assert!(total > 18_000_000, "{total}");
    let (_, seen) = refused(ALL[1], &images, "no").await;
    let sent = ALL[1].images(&seen[0]);
    assert_eq!(sent.len(), 7);
    assert!(sent.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() <= 18_000_000);
}

#[tokio::test]
async fn of_a_clip_with_too_many_frames_twenty_are_sent_with_their_times() {
    let frames: Vec<Image> = (0..30_u32)
        .map(|at| file(ImageFormat::Png, RgbImage::from_pixel(64, 36, Rgb([at as u8 * 8, 0, 0]))))
        .collect();
    let answer = json!({
        "description": "A clip.",
        "keyElements": [{"category": "colour", "value": "red", "confidence": 0.5}],
        "style": {"lighting": "Even.", "composition": "One area."},
        "shots": [
            {"firstFrame": 1, "description": "Dark."},
            {"firstFrame": 20, "description": "Red."},
        ],
        "prompt": "A plain area that turns red",
        "negativePrompt": null,
        "parameters": [],
        "confidence": 0.5,
        "limitations": ["Sound is not known."],
    });
    for dialect in ALL {
        let stub = dialect.start([dialect.play(Outcome::Answer(answer.clone()))]).await;
        let llm = engine(dialect, &stub, TestClock::new());
        let brief = material(Material::Video { frames: frames.clone(), seconds: 15.0 });
        let made = llm.reverse(&brief, after(60)).await.unwrap();
        // Every third frame is left out.
        let kept: Vec<usize> = (0..20).map(|number| number * 3 / 2).collect();
        let sent: Vec<Vec<u8>> =
            dialect.images(&stub.seen()[0]).into_iter().map(|(_, bytes)| bytes).collect();
        let expected: Vec<Vec<u8>> = kept.iter().map(|at| frames[*at].bytes.clone()).collect();
        assert!(sent == expected, "{dialect:?}: {} frames", sent.len());
        let about = block(&dialect.text(&stub.seen()[0]), "frames").unwrap();
        let about: Value = serde_json::from_str(&about).unwrap();
        assert_eq!((&about["count"], &about["seconds"]), (&json!(20), &json!(15.0)));
        let listed = about["frames"].as_array().unwrap();
        let starts: Vec<f64> =
            listed.iter().map(|frame| frame["fromSeconds"].as_f64().unwrap()).collect();
        assert_eq!(starts, kept.iter().map(|at| *at as f64 / 2.0).collect::<Vec<_>>());
        assert_eq!(listed[19], json!({"frame": 20, "fromSeconds": 14.0, "toSeconds": 15.0}));
        let shots: Vec<(f64, f64)> = made
            .shots
            .unwrap()
            .iter()
            .map(|shot| (shot.starts_at_seconds, shot.ends_at_seconds))
            .collect();
        assert_eq!(shots, [(0.0, 14.0), (14.0, 15.0)]);
    }
}

#[tokio::test]
async fn a_provider_that_does_not_take_a_picture_is_not_unavailable() {
    let rejected = EngineError::Rejected {
        reason: "the model provider does not take a picture that is attached".to_owned(),
    };
    let unavailable = EngineError::Unavailable { retry_after: Some(Duration::from_secs(300)) };
    let small = [plain(20, 20)];
    for dialect in ALL {
        for words in [
            "messages.0.content.1.image.source.base64.data: Could not process image",
            "You uploaded an unsupported image. Please make sure your image is valid.",
            "Invalid type for 'messages[1].content[1].image_url'.",
        ] {
            let (error, seen) = refused(dialect, &small, words).await;
            assert_eq!((&error, seen.len()), (&rejected, 1), "{dialect:?}: {words}");
            // Without pictures it can only be about our request.
            assert_eq!(refused(dialect, &[], words).await.0, unavailable, "{dialect:?}: {words}");
        }
        let words = "Invalid schema for the tool 'reverse_image'.";
        assert_eq!(refused(dialect, &small, words).await.0, unavailable, "{dialect:?}");
    }
}

#[tokio::test]
async fn pictures_that_are_too_much_together_are_rejected_before_any_is_decoded() {
    // Headers of 40 megapixels without pixels.
    let mut header = plain(8000, 5000);
    header.bytes.truncate(60);
    let stub = ALL[0].start([]).await;
    let llm = engine(ALL[0], &stub, TestClock::new());
    let mut brief = prompt(PROMPT);
    for (count, reason) in [
        (4, "the pictures have more than 120 megapixels together"),
        (3, "attached picture 1 cannot be read: the picture is damaged"),
    ] {
        brief.images = vec![header.clone(); count];
        let expected = EngineError::Rejected { reason: reason.to_owned() };
        assert_eq!(llm.analyze(&brief, after(60)).await.unwrap_err(), expected);
    }
    let frames = Material::Video { frames: vec![header; 4], seconds: 2.0 };
    let error = llm.reverse(&material(frames), after(60)).await.unwrap_err();
    assert!(matches!(error, EngineError::Rejected { reason } if reason.contains("120 megapixels")));
}
