//! Pictures within bounds.

use crate::files;

use files::{encode, jpeg_exif, plain};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use image_analysis::{DecodeError, Fitted, decode, dimensions, fit, visual_features, within_total};

/// A picture that no format can compress: deterministic noise.
fn noise(width: u32, height: u32) -> DynamicImage {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |_, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Rgb([(state >> 16) as u8, (state >> 24) as u8, (state >> 32) as u8])
    }))
}

fn halves(width: u32, height: u32) -> DynamicImage {
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, _| {
        if x < width / 2 { Rgb([200, 30, 30]) } else { Rgb([30, 30, 200]) }
    }))
}

fn fitted(file: &[u8], kind: &str, side: u32, most: usize) -> Fitted {
    let fitted = fit(file, kind, side, most).expect("a picture").expect("a new file");
    assert!(fitted.bytes.len() <= most, "{} bytes", fitted.bytes.len());
    let picture = decode(&fitted.bytes, fitted.media_type).expect("the new file is a picture");
    assert!(picture.width().max(picture.height()) <= side);
    fitted
}

#[test]
fn a_picture_within_the_bounds_is_left_alone() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
        let file = plain(format);
        let kind = format.to_mime_type();
        assert_eq!(fit(&file, kind, 48, file.len()), Ok(None));
        assert!(fit(&file, kind, 47, file.len()).expect("a picture").is_some());
        assert!(fit(&file, kind, 48, file.len() - 1).expect("a picture").is_some());
    }
}

#[test]
fn a_large_picture_keeps_its_proportions_and_colours() {
    for (width, height, expected) in
        [(3000, 2000, (1568, 1045)), (2000, 3000, (1045, 1568)), (1600, 16, (1568, 16))]
    {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
            let file = encode(&halves(width, height), format);
            let small = fitted(&file, format.to_mime_type(), 1568, 3_500_000);
            assert_eq!(small.media_type, "image/jpeg");
            assert_eq!(dimensions(&small.bytes), Ok(expected));
            let shrunk = image::load_from_memory(&small.bytes).expect("a picture").into_rgb8();
            let last = shrunk.width() - 1;
            for (x, colour) in [(0, [200_u8, 30, 30]), (last, [30, 30, 200])] {
                let pixel = shrunk.get_pixel(x, expected.1 / 2).0;
                let near = pixel.iter().zip(colour).all(|(one, other)| one.abs_diff(other) < 8);
                assert!(near, "{format:?} {x}: {pixel:?}");
            }
        }
    }
    let strip = fitted(&encode(&halves(8192, 1), ImageFormat::Png), "image/png", 1568, 100_000);
    assert_eq!(dimensions(&strip.bytes), Ok((1568, 1)));
}

#[test]
fn a_deep_picture_is_fitted_too() {
    let deep = DynamicImage::ImageRgb16(halves(900, 300).into_rgb16());
    let small = fitted(&encode(&deep, ImageFormat::Png), "image/png", 300, 100_000);
    assert_eq!(dimensions(&small.bytes), Ok((300, 100)));
}

#[test]
fn transparency_is_kept_where_it_fits_and_white_shows_through_where_it_does_not() {
    let clear = RgbaImage::from_fn(400, 200, |x, _| {
        if x < 200 { Rgba([200, 30, 30, 255]) } else { Rgba([0, 0, 0, 0]) }
    });
    let file = encode(&DynamicImage::ImageRgba8(clear), ImageFormat::Png);
    let small = fitted(&file, "image/png", 100, 100_000);
    assert_eq!(small.media_type, "image/png");
    let seen = visual_features(&decode(&small.bytes, "image/png").expect("a picture"));
    assert!((seen.transparent - 0.5).abs() < 0.02, "{}", seen.transparent);

    let mut noisy = noise(300, 300).into_rgba8();
    noisy
        .enumerate_pixels_mut()
        .filter(|(x, ..)| *x < 100)
        .for_each(|(_, _, pixel)| pixel.0[3] = 0);
    let file = encode(&DynamicImage::ImageRgba8(noisy), ImageFormat::Png);
    let small = fitted(&file, "image/png", 300, 150_000);
    assert_eq!(small.media_type, "image/jpeg");
    let pixel = image::load_from_memory(&small.bytes).expect("a picture").into_rgb8();
    assert!(pixel.get_pixel(20, 20).0.iter().all(|value| *value > 240));
}

#[test]
fn a_file_that_is_too_large_loses_quality_and_then_pixels() {
    let file = encode(&noise(600, 600), ImageFormat::Png);
    let sizes: Vec<(u32, u32)> = [1_000_000, 400_000, 60_000, 3_000]
        .into_iter()
        .map(|most| dimensions(&fitted(&file, "image/png", 600, most).bytes).expect("a header"))
        .collect();
    assert_eq!(sizes, [(600, 600), (600, 600), (300, 300), (75, 75)]);
    // A bound that no file can meet ends with a single pixel.
    let least = fit(&file, "image/png", 600, 1).expect("a picture").expect("a new file");
    assert_eq!(dimensions(&least.bytes), Ok((1, 1)));
}

#[test]
fn a_turned_photograph_is_turned_before_its_metadata_are_lost() {
    // Orientation 6: rotated by a quarter.
    let block = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let small = fitted(&jpeg_exif(block), "image/jpeg", 24, 100_000);
    assert_eq!(dimensions(&small.bytes), Ok((16, 24)));
}

#[test]
fn what_is_no_picture_of_its_type_is_not_fitted() {
    let file = plain(ImageFormat::Png);
    assert_eq!(fit(&file, "image/jpeg", 1, 1), Err(DecodeError::Format));
    assert_eq!(fit(b"<svg/>", "image/png", 1, 1), Err(DecodeError::Format));
    assert!(fit(&file[..60], "image/png", 1, 1).is_err());
}

#[test]
fn the_size_is_known_from_the_header_alone() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
        let file = plain(format);
        assert_eq!(dimensions(&file), Ok((48, 32)), "{format:?}");
        // The pixels may be missing.
        let header = if format == ImageFormat::Jpeg { file.len() - 40 } else { 60 };
        assert_eq!(dimensions(&file[..header]), Ok((48, 32)), "{format:?}");
    }
    assert_eq!(dimensions(b"").err(), Some(DecodeError::Format));
}

#[test]
fn pictures_of_one_request_have_a_bound_together() {
    let one = encode(&DynamicImage::new_luma8(8000, 5000), ImageFormat::Png);
    let pixel = encode(&DynamicImage::new_luma8(1, 1), ImageFormat::Png);
    let three = [one.as_slice(); 3];
    assert_eq!(within_total(three), Ok(()));
    let more = three.into_iter().chain([pixel.as_slice()]);
    assert_eq!(within_total(more), Err(DecodeError::TooLargeTogether));
    // A file that cannot be read counts as zero: decoding it gives the reason.
    assert_eq!(within_total(three.into_iter().chain([b"GIF89a".as_slice()])), Ok(()));
}
