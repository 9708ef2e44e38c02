//! The memory that pictures take. One test at a time, alone in their process, since memory is measured for the whole
//! process.

#[path = "suite/files/mod.rs"]
mod files;

use std::io::Cursor;
use std::sync::{Mutex, PoisonError};

use files::*;
use image::{DynamicImage, ImageBuffer, ImageFormat, RgbaImage};
use image_analysis::{DecodeError, decode, dimensions, fit, recover};
use peak_alloc::PeakAlloc;
use serde_json::{Map, Value, json};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const WIDTH: u32 = 8000;
const HEIGHT: u32 = 5000;

static ALONE: Mutex<()> = Mutex::new(());

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
fn the_largest_pictures_of_every_kind_are_decoded_in_bounded_memory_and_work() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
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
        let ((picture, steps), took) = peak(|| budget::measured(|| decode(file, kind)));
        assert!(steps < 20_000_000 + file.len() as u64, "{name}: {steps} steps");
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

/// A graph that ran, whose text is `text` and whose other nodes are these.
fn graph(text: &Value, nodes: Value) -> String {
    let mut graph = json!({
        "sampler": {"class_type": "KSampler", "inputs": {"seed": ["text", 0], "positive": ["text", 0]}},
        "text": {"class_type": "CLIPTextEncode", "inputs": {"text": text, "value": text}},
    });
    let all = graph.as_object_mut().expect("an object");
    all.extend(nodes.as_object().cloned().unwrap_or_default());
    graph.to_string()
}

/// A text between 255 others.
fn joined() -> String {
    let mut inputs: Map<String, Value> =
        (0..255).map(|at| (format!("text{at}"), json!("a"))).collect();
    inputs.insert("delimiter".to_owned(), json!("d".repeat(3 << 20)));
    graph(&json!(["join", 0]), json!({"join": {"class_type": "Join", "inputs": inputs}}))
}

/// A setting of a hundred samplers.
fn shared() -> String {
    let sampler = |at: usize| {
        let inputs = json!({"seed": ["long", 0], "positive": ["text", 0]});
        (at.to_string(), json!({"class_type": "KSampler", "inputs": inputs}))
    };
    let mut nodes: Map<String, Value> = (0..100).map(sampler).collect();
    let long = json!({"class_type": "Long", "inputs": {"value": "v".repeat(3 << 20)}});
    nodes.insert("long".to_owned(), long);
    graph(&json!("a lion"), Value::Object(nodes))
}

/// A strength of ten thousand conditions.
fn weighed() -> String {
    let links: Map<String, Value> =
        (0..10_000).map(|at| (format!("conditioning_{at}"), json!(["encoded", 0]))).collect();
    let set = json!({"conditioning": ["all", 0], "strength": "s".repeat(3 << 20)});
    let nodes = json!({
        "all": {"class_type": "ConditioningCombine", "inputs": links},
        "text": {"class_type": "ConditioningSetArea", "inputs": set},
        "encoded": {"class_type": "CLIPTextEncode", "inputs": {"text": "a lion"}},
    });
    graph(&Value::Null, nodes)
}

#[test]
fn hostile_metadata_take_bounded_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let png = plain(ImageFormat::Png);
    let text = |text: &str| itxt_chunk(&png, "prompt", text, true);
    let nested = format!("{{\"a\": [{}0]}}", "[[[[[[[[]]]]]]]],".repeat(230_000));
    let namespaces: String = (0..9_000).map(|at| format!(" xmlns:a{at}=\"{at}\"")).collect();
    let packet = format!("<a{namespaces}>{}</a>", "<b xmlns:b=\"\"/>".repeat(9_000));
    let profile = [b"profile\0\0".as_slice(), &zlib(&vec![0; 400 << 20])].concat();
    for (name, file, most) in [
        ("a delimiter", text(&joined()), 40),
        ("a setting of many samplers", text(&shared()), 60),
        ("a strength of many conditions", text(&weighed()), 60),
        ("arrays in arrays", text(&nested), 40),
        ("arrays in arrays, half a million", text(&nested[..900_000]), 200),
        ("namespaces", itxt_chunk(&png, "XML:com.adobe.xmp", &packet, true), 20),
        ("directories", with_chunk(&png, b"eXIf", &overlapping_directories(8_000)), 20),
        ("values", with_chunk(&png, b"eXIf", &overlapping_values(8_000)), 20),
        ("a colour profile", with_chunk(&png, b"iCCP", &profile), 40),
    ] {
        let (_, took) = peak(|| (recover(&file), dimensions(&file), decode(&file, "image/png")));
        println!("{name}, {} bytes: {took} MB", file.len());
        assert!(took <= most, "{name}: {took} MB");
    }
}
