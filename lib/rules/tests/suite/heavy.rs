//! Frames that are too much work together.
#![allow(missing_docs)]

use std::io::Cursor;

use domain::Timestamp;
use engine::{Engine, EngineError, Image, Material, ReverseBrief, TargetModel};
use futures::FutureExt;
use image::{DynamicImage, ImageFormat};
use rules::Rules;

const UNTIL: Timestamp = Timestamp::from_millis(i64::MAX);

/// The header of a picture of 40 megapixels: decoding it would fail.
fn header() -> Image {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::new_luma8(8000, 5000).write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    let mut bytes = bytes.into_inner();
    bytes.truncate(60);
    Image { media_type: "image/png".to_owned(), bytes }
}

fn rejection<T: std::fmt::Debug>(made: Option<Result<T, EngineError>>) -> String {
    match made {
        Some(Err(EngineError::Rejected { reason })) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn more_than_120_megapixels_together_are_rejected_before_any_is_decoded() {
    let frames = |count: usize| {
        let brief = ReverseBrief {
            material: Material::Video { frames: vec![header(); count], seconds: 3.0 },
            language: "en".to_owned(),
            target_model: TargetModel::default(),
        };
        rejection(Rules.reverse(&brief, UNTIL).now_or_never())
    };
    assert_eq!(frames(4), "the pictures have more than 120 megapixels together");
    assert_eq!(frames(3), "the picture is damaged");
}
