//! The memory that the largest allowed pictures take. One test, alone in its process, since memory
//! is measured for the whole process.

#[path = "suite/files/mod.rs"]
mod files;

use std::io::Cursor;

use files::encode;
use image::{DynamicImage, ImageBuffer, ImageFormat, RgbaImage};
use image_analysis::{DecodeError, decode, dimensions, fit};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const WIDTH: u32 = 8000;
const HEIGHT: u32 = 5000;

/// Peak memory of `work` above the level before, in megabytes.
fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let made = work();
    (made, MEMORY.peak_usage().saturating_sub(before) / 1_000_000)
}

fn deep() -> Vec<u8> {
    let deep = ImageBuffer::from_fn(WIDTH, HEIGHT, |x, y| {
        image::Rgba([(x << 3) as u16, (y << 3) as u16, (x + y) as u16, u16::MAX])
    });
    encode(&DynamicImage::ImageRgba16(deep), ImageFormat::Png)
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    [&[0xff, marker], (content.len() as u16 + 2).to_be_bytes().as_slice(), content].concat()
}

/// A progressive JPEG of the largest size with all coefficients zero: one scan of all components,
/// then `more` of the first one alone.
fn progressive(components: u8, more: usize) -> Vec<u8> {
    let mut frame = vec![8];
    frame.extend((HEIGHT as u16).to_be_bytes());
    frame.extend((WIDTH as u16).to_be_bytes());
    frame.push(components);
    let mut scan = vec![components];
    for component in 1..=components {
        frame.extend([component, 0x11, 0]);
        scan.extend([component, 0]);
    }
    scan.extend([0, 0, 0]);
    let table = |kind: u8| [&[kind, 1][..], &[0; 15], &[0]].concat();
    let blocks = (WIDTH.div_ceil(8) * HEIGHT.div_ceil(8)) as usize;
    let mut file = vec![0xff, 0xd8];
    file.extend(segment(0xdb, &[&[0][..], &[1; 64]].concat()));
    file.extend(segment(0xc2, &frame));
    file.extend(segment(0xc4, &table(0x00)));
    file.extend(segment(0xc4, &table(0x10)));
    // One zero bit for each block.
    file.extend(segment(0xda, &scan));
    file.extend(vec![0; blocks * usize::from(components) / 8]);
    for _ in 0..more {
        file.extend(segment(0xda, &[1, 1, 0, 1, 63, 0]));
        file.extend(vec![0; blocks / 8]);
    }
    file.extend([0xff, 0xd9]);
    file
}

fn lossless(alpha: u8) -> Vec<u8> {
    let picture = RgbaImage::from_fn(WIDTH, HEIGHT, |x, y| {
        image::Rgba([(x >> 6) as u8, (y >> 6) as u8, 7, alpha])
    });
    let picture = DynamicImage::ImageRgba8(picture);
    let opaque = alpha == u8::MAX;
    let picture = if opaque { DynamicImage::ImageRgb8(picture.into_rgb8()) } else { picture };
    encode(&picture, ImageFormat::WebP)
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut chunk = kind.to_vec();
    chunk.extend((content.len() as u32).to_le_bytes());
    chunk.extend(content);
    chunk.resize(chunk.len() + content.len() % 2, 0);
    chunk
}

/// An animated WebP with one frame that covers the canvas.
fn animated() -> Vec<u8> {
    let still = lossless(200);
    let three = |value: u32| value.to_le_bytes()[..3].to_vec();
    let size = [three(WIDTH - 1), three(HEIGHT - 1)].concat();
    let frame = [&[0; 6], size.as_slice(), &[100, 0, 0, 0], &still[12..]].concat();
    let body = [
        b"WEBP".to_vec(),
        chunk(b"VP8X", &[&[0x12, 0, 0, 0], size.as_slice()].concat()),
        chunk(b"ANIM", &[0; 6]),
        chunk(b"ANMF", &frame),
    ];
    chunk(b"RIFF", &body.concat())
}

/// A GIF whose first frame differs in size from its canvas.
fn partial(canvas: (u16, u16), frame: (u16, u16)) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let picture = image::Frame::new(RgbaImage::from_fn(frame.0.into(), frame.1.into(), |x, _| {
        image::Rgba([(x >> 5 & 0xf0) as u8, 0, 0, 255])
    }));
    let mut encoder = image::codecs::gif::GifEncoder::new_with_speed(&mut file, 30);
    encoder.encode_frame(picture).expect("an encoded frame");
    drop(encoder);
    let mut file = file.into_inner();
    file[6..8].copy_from_slice(&canvas.0.to_le_bytes());
    file[8..10].copy_from_slice(&canvas.1.to_le_bytes());
    file
}

#[test]
fn the_largest_pictures_of_every_kind_are_decoded_in_bounded_memory() {
    let (wide, high) = (WIDTH as u16, HEIGHT as u16);
    let extremes = [
        ("16 bits with alpha", deep(), "image/png", 325, Some(405)),
        ("progressive", progressive(3, 1), "image/jpeg", 365, None),
        ("progressive CMYK", progressive(4, 1), "image/jpeg", 445, None),
        ("as many scans as there may be", progressive(1, 99), "image/jpeg", 135, None),
        ("lossless", lossless(255), "image/webp", 285, None),
        ("lossless with alpha", lossless(200), "image/webp", 165, Some(245)),
        ("animated", animated(), "image/webp", 485, Some(485)),
        ("smaller first frame", partial((wide, high), (wide - 1, high)), "image/gif", 365, None),
    ];
    for (name, file, kind, most, most_to_fit) in &extremes {
        let (picture, took) = peak(|| decode(file, kind));
        let picture = picture.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((picture.width(), picture.height()), (WIDTH, HEIGHT), "{name}");
        println!("{name}, {} bytes: {took} MB to decode", file.len());
        assert!(took <= *most, "{name}: {took} MB");
        let Some(most) = most_to_fit else { continue };
        let (fitted, took) = peak(|| fit(file, kind, 1568, 3_500_000));
        let fitted = fitted.expect("a picture").expect("a new file");
        assert_eq!(dimensions(&fitted.bytes), Ok((1568, 980)), "{name}");
        println!("{name}: {took} MB to fit");
        assert!(took <= *most, "{name}: {took} MB to fit");
    }
    let scans = decode(&progressive(1, 100), "image/jpeg").expect_err("too many scans");
    assert_eq!(scans, DecodeError::Damaged);
    // The frame of a GIF may be larger than its canvas.
    let mut beyond = partial((20, 20), (20, 20));
    let frame = beyond.windows(5).position(|bytes| bytes == [0x2c, 0, 0, 0, 0]).expect("a frame");
    beyond[frame + 5..frame + 9].fill(0xff);
    let (refused, took) = peak(|| decode(&beyond, "image/gif"));
    assert_eq!(refused.err(), Some(DecodeError::TooCostly));
    assert!(took <= 1, "{took} MB");
}
