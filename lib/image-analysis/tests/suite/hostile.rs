//! Broken and oversized files.

use crate::files;

use std::time::{Duration, Instant};

use files::*;
use image::{DynamicImage, ImageFormat};
use image_analysis::{DecodeError, decode, recover, visual_features};

const PARAMETERS: &str =
    "a lion, snow\nNegative prompt: blur\nSteps: 20, Sampler: Euler, CFG scale: 7, Seed: 5";

/// A PNG header without pixels.
fn header(width: u32, height: u32) -> Vec<u8> {
    let png = plain(ImageFormat::Png);
    let mut content = [width.to_be_bytes(), height.to_be_bytes()].concat();
    content.extend([8, 6, 0, 0, 0]);
    let chunk = with_chunk(&png, b"IHDR", &content);
    [&png[..8], &chunk[33..33 + 25], &png[33..]].concat()
}

#[test]
fn headers_over_the_limits_are_refused_before_any_pixel() {
    let started = Instant::now();
    for (width, height) in
        [(40_000, 40_000), (8193, 1), (1, 8193), (8000, 8000), (u32::MAX, u32::MAX)]
    {
        let error = decode(&header(width, height), "image/png").expect_err("too large");
        assert_eq!(error, DecodeError::TooLarge, "{width}×{height}");
    }
    let mut gif = plain(ImageFormat::Gif);
    gif[6..10].fill(0xff);
    assert!(decode(&gif, "image/gif").is_err());
    assert_eq!(decode(&header(0, 5), "image/png").err(), Some(DecodeError::Damaged));
    assert!(started.elapsed() < Duration::from_millis(300), "{:?}", started.elapsed());
}

#[test]
fn texts_that_inflate_without_end_are_left_out() {
    let bomb = zlib(&vec![b'a'; 64 << 20]);
    let png = plain(ImageFormat::Png);
    let content = [b"parameters\0\0".as_slice(), &bomb].concat();
    let started = Instant::now();
    assert_eq!(recover(&with_chunk(&png, b"zTXt", &content)), None);
    let many =
        (0..200).fold(png, |png, _| with_chunk(&png, b"zTXt", &content[..content.len().min(9000)]));
    assert_eq!(recover(&many), None);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

#[test]
fn a_file_must_be_what_it_is_said_to_be() {
    for (format, kind) in [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::Jpeg, "image/jpeg"),
        (ImageFormat::WebP, "image/webp"),
        (ImageFormat::Gif, "image/gif"),
    ] {
        let file = plain(format);
        let picture = decode(&file, kind).expect("a picture");
        assert_eq!((picture.width(), picture.height()), (48, 32), "{kind}");
        assert_eq!(decode(&file, "image/avif").err(), Some(DecodeError::Format), "{kind}");
        assert!(decode(&file[..file.len() / 3], kind).is_err(), "{kind}");
    }
    for file in [b"".as_slice(), b"BM", b"<svg/>", &[0; 64]] {
        assert_eq!(decode(file, "image/png").err(), Some(DecodeError::Format));
    }
}

#[test]
fn a_turned_photograph_is_measured_as_it_is_shown() {
    // Orientation 6: rotated by a quarter.
    let block = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let picture = decode(&jpeg_exif(block), "image/jpeg").expect("a picture");
    assert_eq!((picture.width(), picture.height()), (32, 48));
    assert_eq!(visual_features(&picture).aspect_ratio, "2:3");
}

#[test]
fn transparent_16_bit_and_animated_pictures_are_read() {
    let clear = image::RgbaImage::from_fn(40, 40, |x, _| {
        image::Rgba([200, 30, 30, if x < 20 { 0 } else { 255 }])
    });
    let file = encode(&DynamicImage::ImageRgba8(clear), ImageFormat::Png);
    let seen = visual_features(&decode(&file, "image/png").expect("a picture"));
    assert!((seen.transparent - 0.5).abs() < 0.02);
    assert_eq!(seen.palette.len(), 1);
    assert_eq!(seen.palette[0].hex, "#c81e1e");
    let deep =
        DynamicImage::ImageRgb8(image::RgbImage::from_pixel(9, 9, image::Rgb([0, 128, 255])));
    let file = encode(&DynamicImage::ImageRgb16(deep.into_rgb16()), ImageFormat::Png);
    let seen = visual_features(&decode(&file, "image/png").expect("a picture"));
    assert_eq!(seen.palette[0].hex, "#0080ff");
    assert_eq!(seen.aspect_ratio, "1:1");
}

/// Deterministic numbers (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize
    }
}

#[test]
fn damaged_files_never_bring_anything_down() {
    let comment = exif(&[(USER_COMMENT, user_comment(PARAMETERS, Code::Big).as_slice())], true);
    let graph = "{\"1\":{\"class_type\":\"KSampler\",\"inputs\":{\"positive\":[\"2\",0],\"negative\":[\"2\",0]}},\
                 \"2\":{\"class_type\":\"CLIPTextEncode\",\"inputs\":{\"text\":\"a lion\"}}}";
    let png = plain(ImageFormat::Png);
    let files = [
        (text_chunk(&png, "parameters", PARAMETERS), "image/png"),
        (itxt_chunk(&png, "parameters", PARAMETERS, true), "image/png"),
        (text_chunk(&png, "prompt", graph), "image/png"),
        (itxt_chunk(&png, "XML:com.adobe.xmp", &xmp_description(PARAMETERS), false), "image/png"),
        (encode(&stealth(PARAMETERS, true, true), ImageFormat::Png), "image/png"),
        (jpeg_exif(&comment), "image/jpeg"),
        (jpeg_xmp(&xmp_description(PARAMETERS)), "image/jpeg"),
        (webp_with(b"EXIF", &comment), "image/webp"),
        (gif_comment(PARAMETERS), "image/gif"),
    ];
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut recovered = 0;
    for (file, kind) in &files {
        assert!(recover(file).is_some(), "{kind}");
        for _ in 0..250 {
            let mut broken = file.clone();
            for _ in 0..=numbers.next() % 6 {
                let at = numbers.next() % broken.len();
                match numbers.next() % 4 {
                    0 => broken[at] = numbers.next() as u8,
                    1 => broken[at] ^= 1 << (numbers.next() % 8),
                    2 => broken.truncate(at.max(1)),
                    _ => {
                        let end = (at + numbers.next() % 40).min(broken.len());
                        broken.drain(at..end);
                        broken.push(0xff);
                    }
                }
            }
            if let Some(found) = recover(&broken) {
                recovered += 1;
                assert!(!found.prompt.trim().is_empty());
            }
            if let Ok(picture) = decode(&broken, kind) {
                visual_features(&picture);
            }
        }
    }
    // Much of the damage hits only the pixels.
    assert!(recovered > 100, "{recovered}");
}
