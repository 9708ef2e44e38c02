//! WebP.

use super::Sample;
use super::pictures::{EXIF, XMP, painting};
use base64::{Engine, prelude::BASE64_STANDARD};
use image::{DynamicImage, codecs::webp::WebPEncoder};
use media::MediaType;

/// One black pixel, lossy.
const LOSSY: &str = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";
/// One pixel, lossy, with its transparency.
const TRANSPARENT: &str = "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==";
/// One pixel, in one frame of an animation.
const ANIMATED: &str = "UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAA\
    AC8AAAAQBxAREYiI/gcA";

fn decode(text: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(text).unwrap()
}

pub fn lossy() -> Vec<u8> {
    decode(LOSSY)
}

pub fn webp(picture: &DynamicImage) -> Vec<u8> {
    let mut file = Vec::new();
    picture.write_with_encoder(WebPEncoder::new_lossless(&mut file)).unwrap();
    file
}

pub fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let padding = vec![0; content.len() % 2];
    [&kind[..], &(content.len() as u32).to_le_bytes(), content, &padding].concat()
}

pub fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
    let content = [&b"WEBP"[..], &chunks.concat()].concat();
    [&b"RIFF"[..], &(content.len() as u32).to_le_bytes(), &content].concat()
}

pub fn header(flags: u8, width: u32, height: u32) -> Vec<u8> {
    let sides = [width - 1, height - 1].map(|side| side.to_le_bytes()[..3].to_vec()).concat();
    chunk(b"VP8X", &[&[flags, 0, 0, 0][..], &sides].concat())
}

/// A frame of an animation that holds a picture chunk.
pub fn frame(x: u32, y: u32, width: u32, height: u32, picture: &[u8]) -> Vec<u8> {
    let place = [x / 2, y / 2, width - 1, height - 1, 80]
        .map(|field| field.to_le_bytes()[..3].to_vec())
        .concat();
    chunk(b"ANMF", &[&place[..], &[0], picture].concat())
}

/// The picture of a simple file, as a chunk.
pub fn picture(file: &[u8]) -> Vec<u8> {
    file[12..].to_vec()
}

pub fn webps() -> Vec<Sample> {
    let sample = |name: &str, size: (u32, u32), file: Vec<u8>| {
        Sample::new(name, MediaType::Webp, size, file)
    };
    let plain = webp(&painting(40, 30));
    let still = picture(&plain);
    let profile = chunk(b"ICCP", &[0x40; 301]);
    let exif = chunk(b"EXIF", &EXIF[6..]);
    let xmp = chunk(b"XMP ", &XMP[29..]);
    let animation = chunk(b"ANIM", &[0; 6]);
    let small = picture(&webp(&painting(10, 8)));
    vec![
        sample("webp", (40, 30), plain.clone()),
        sample("webp of one pixel", (1, 1), webp(&painting(1, 1))),
        sample("webp, opaque", (41, 31), webp(&painting(41, 31).to_rgb8().into())),
        sample("webp, grey", (64, 20), webp(&painting(64, 20).to_luma8().into())),
        sample("webp, large", (400, 300), webp(&painting(400, 300))),
        sample("webp, as wide as allowed", (8192, 1), webp(&painting(8192, 1))),
        sample("webp, lossy", (1, 1), lossy()),
        sample("webp, lossy with transparency", (1, 1), decode(TRANSPARENT)),
        sample("webp, animated", (1, 1), decode(ANIMATED)),
        sample("webp, extended", (40, 30), file(&[header(0x10, 40, 30), still.clone()])),
        sample("webp, lossy and extended", (1, 1), file(&[header(0, 1, 1), picture(&lossy())])),
        sample(
            "webp with a profile",
            (40, 30),
            file(&[header(0x30, 40, 30), profile.clone(), still.clone()]),
        ),
        sample(
            "webp with EXIF",
            (40, 30),
            file(&[header(0x18, 40, 30), still.clone(), exif.clone()]),
        ),
        sample(
            "webp with EXIF first",
            (40, 30),
            file(&[header(0x18, 40, 30), exif.clone(), still.clone()]),
        ),
        sample(
            "webp with XMP",
            (40, 30),
            file(&[header(0x14, 40, 30), still.clone(), xmp.clone()]),
        ),
        sample(
            "webp with everything",
            (40, 30),
            file(&[header(0x3c, 40, 30), profile, still, exif, xmp]),
        ),
        sample(
            "webp, two frames",
            (40, 30),
            file(&[
                header(0x12, 40, 30),
                animation,
                frame(0, 0, 40, 30, &picture(&plain)),
                frame(30, 22, 10, 8, &small),
            ]),
        )
        .frames(2),
    ]
}
