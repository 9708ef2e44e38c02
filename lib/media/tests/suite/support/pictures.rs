//! JPEG and GIF.

use super::Sample;
use image::codecs::{gif::GifEncoder, jpeg::JpegEncoder};
use image::{DynamicImage, Frame, Rgba, RgbaImage};
use media::MediaType;

/// A picture in which no two neighbours are alike.
pub fn painting(width: u32, height: u32) -> DynamicImage {
    let paint =
        |x: u32, y: u32| Rgba([(x * 7) as u8, (y * 5) as u8, (x ^ y) as u8, 255 - (x + y) as u8]);
    RgbaImage::from_fn(width, height, paint).into()
}

pub fn jpeg(picture: &DynamicImage, quality: u8) -> Vec<u8> {
    let mut file = Vec::new();
    JpegEncoder::new_with_quality(&mut file, quality).encode_image(picture).unwrap();
    file
}

pub fn rgb(width: u32, height: u32) -> DynamicImage {
    painting(width, height).to_rgb8().into()
}

pub fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let mut segment = vec![0xff, marker];
    segment.extend((content.len() as u16 + 2).to_be_bytes());
    segment.extend(content);
    segment
}

/// The file with a segment right after the start.
pub fn with_segment(file: &[u8], marker: u8, content: &[u8]) -> Vec<u8> {
    [&file[..2], &segment(marker, content), &file[2..]].concat()
}

/// An 8 × 8 grey picture whose coefficients are all zero, in two progressive scans.
pub fn progressive(width: u16, height: u16) -> Vec<u8> {
    let mut frame = vec![8];
    frame.extend(height.to_be_bytes());
    frame.extend(width.to_be_bytes());
    frame.extend([1, 1, 0x11, 0]);
    let table = |kind: u8| [&[kind, 1][..], &[0; 15], &[0]].concat();
    let blocks = usize::from(width.div_ceil(8)) * usize::from(height.div_ceil(8));
    // One zero bit for each block, padded with ones.
    let bits: Vec<u8> = (0..blocks.div_ceil(8))
        .map(|byte| if blocks - byte * 8 >= 8 { 0 } else { 0xff >> (blocks - byte * 8) })
        .collect();
    [
        vec![0xff, 0xd8],
        segment(0xdb, &[&[0][..], &[1; 64]].concat()),
        segment(0xc2, &frame),
        segment(0xc4, &table(0x00)),
        segment(0xda, &[1, 1, 0, 0, 0, 0]),
        bits.clone(),
        segment(0xc4, &table(0x10)),
        segment(0xda, &[1, 1, 0, 1, 63, 0]),
        bits,
        vec![0xff, 0xd9],
    ]
    .concat()
}

/// A photograph with further pictures after it, and an index that lists `announced` of them.
pub fn multi_picture(main: &[u8], further: &[Vec<u8>], announced: usize) -> Vec<u8> {
    let length = 4 + 8 + 2 + 12 + 4 + 16 * (announced + 1);
    // The index begins after the start, the segment's header and its name.
    let origin = 2 + 4 + 4;
    let mut index = b"MM\0*\0\0\0\x08".to_vec();
    index.extend([0, 1, 0xb0, 0x02, 0, 7]);
    index.extend((16 * (announced as u32 + 1)).to_be_bytes());
    index.extend(26_u32.to_be_bytes());
    index.extend([0; 4]);
    let mut entry = |size: usize, offset: usize| {
        index.extend([0; 4]);
        index.extend((size as u32).to_be_bytes());
        index.extend((offset as u32).to_be_bytes());
        index.extend([0; 4]);
    };
    let mut end = main.len() + length + 4;
    entry(end, 0);
    for picture in &further[..announced] {
        entry(picture.len(), end - origin);
        end += picture.len();
    }
    let main = with_segment(main, 0xe2, &[b"MPF\0", &index[..]].concat());
    [vec![main], further.to_vec()].concat().concat()
}

pub const EXIF: &[u8] = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x01\0\0\0\0\0\0\0";
pub const XMP: &[u8] =
    b"http://ns.adobe.com/xap/1.0/\0<?xpacket begin='\xef\xbb\xbf' id='W5M0MpCehiHzreSzNTczkc9d'?>\
    <x:xmpmeta xmlns:x='adobe:ns:meta/'/><?xpacket end='w'?>";

pub fn jpegs() -> Vec<Sample> {
    let sample = |name: &str, size: (u32, u32), file: Vec<u8>| {
        Sample::new(name, MediaType::Jpeg, size, file)
    };
    let plain = jpeg(&rgb(40, 30), 80);
    let gain_map = jpeg(&rgb(20, 15).to_luma8().into(), 60);
    let profile = [b"ICC_PROFILE\0\x01\x01", &[0x40; 300][..]].concat();
    let thumbnail = [b"JFIF\0\x01\x02\0\0\x01\0\x01\x02\x02", &[0x80; 12][..]].concat();
    let comment = |text: &[u8]| with_segment(&plain, 0xfe, text);
    let mut samples = vec![
        sample("jpeg", (40, 30), plain.clone()),
        sample("jpeg of one pixel", (1, 1), jpeg(&rgb(1, 1), 90)),
        sample("jpeg, narrow", (1, 300), jpeg(&rgb(1, 300), 75)),
        sample("jpeg, wide", (700, 3), jpeg(&rgb(700, 3), 75)),
        sample("jpeg, grey", (33, 17), jpeg(&rgb(33, 17).to_luma8().into(), 75)),
        sample("jpeg, coarse", (120, 90), jpeg(&rgb(120, 90), 5)),
        sample("jpeg, fine", (64, 64), jpeg(&rgb(64, 64), 100)),
        sample("jpeg, progressive", (8, 8), progressive(8, 8)),
        sample("jpeg, progressive and wide", (200, 24), progressive(200, 24)),
        sample("jpeg, progressive and as high as allowed", (16, 8192), progressive(16, 8192)),
        sample("jpeg, 40 megapixels", (8000, 5000), progressive(8000, 5000)),
        sample("jpeg with EXIF", (40, 30), with_segment(&plain, 0xe1, EXIF)),
        sample("jpeg with XMP", (40, 30), with_segment(&plain, 0xe1, XMP)),
        sample("jpeg with a profile", (40, 30), with_segment(&plain, 0xe2, &profile)),
        sample(
            "jpeg with a comment",
            (40, 30),
            comment(b"a comment, with <angle> brackets and PK in it"),
        ),
        sample("jpeg with an empty comment", (40, 30), comment(b"")),
        sample("jpeg with the longest comment", (40, 30), comment(&[b'x'; 65_533])),
        sample(
            "jpeg with Photoshop's data",
            (40, 30),
            with_segment(&plain, 0xed, b"Photoshop 3.0\x008BIM\x04\x04\0\0"),
        ),
        sample(
            "jpeg with filling before a marker",
            (40, 30),
            [&plain[..2], &[0xff; 9], &plain[2..]].concat(),
        ),
        sample("jpeg with zeros behind", (40, 30), [&plain[..], &[0; 500]].concat()).open_ended(),
        sample(
            "jpeg with a gain map",
            (40, 30),
            multi_picture(&plain, std::slice::from_ref(&gain_map), 1),
        ),
        sample(
            "jpeg with two pictures more",
            (40, 30),
            multi_picture(&plain, &[gain_map.clone(), plain.clone()], 2),
        ),
    ];
    // The encoder's own APP0 of 18 bytes follows the start.
    samples.push(sample(
        "jpeg with a thumbnail",
        (40, 30),
        [&plain[..2], &segment(0xe0, &thumbnail), &plain[20..]].concat(),
    ));
    let stripped = multi_picture(&plain, std::slice::from_ref(&gain_map), 1);
    let stripped = stripped[..stripped.len() - gain_map.len()].to_vec();
    samples.push(sample("jpeg whose gain map was dropped", (40, 30), stripped));
    samples
}

pub fn gif(width: u32, height: u32, frames: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = GifEncoder::new(&mut file);
    encoder
        .encode_frames((0..frames).map(|_| Frame::new(painting(width, height).to_rgba8())))
        .unwrap();
    drop(encoder);
    file
}

/// The file with a block right before the trailer.
pub fn with_block(file: &[u8], block: &[u8]) -> Vec<u8> {
    [&file[..file.len() - 1], block, &file[file.len() - 1..]].concat()
}

/// Content in sub-blocks.
pub fn sub_blocks(content: &[u8]) -> Vec<u8> {
    let mut blocks = Vec::new();
    for block in content.chunks(255) {
        blocks.push(block.len() as u8);
        blocks.extend(block);
    }
    blocks.push(0);
    blocks
}

pub fn comment(text: &[u8]) -> Vec<u8> {
    [&[0x21, 0xfe][..], &sub_blocks(text)].concat()
}

/// A GIF of one pixel, of the first version.
pub const GIF_87: &[u8] =
    b"GIF87a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0;";

pub fn gifs() -> Vec<Sample> {
    let sample =
        |name: &str, size: (u32, u32), file: Vec<u8>| Sample::new(name, MediaType::Gif, size, file);
    let plain = gif(30, 20, 1);
    // XMP has no sub-blocks; 256 falling bytes lead any reader of sub-blocks to the end.
    let magic: Vec<u8> = [1].into_iter().chain((0..=255).rev()).chain([0]).collect();
    let xmp = [
        b"\x21\xff\x0bXMP DataXMP<?xpacket begin=''?><x:xmpmeta xmlns:x='adobe:ns:meta/'/>",
        &magic[..],
    ]
    .concat();
    let looped = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0";
    vec![
        sample("gif", (30, 20), plain.clone()),
        sample("gif of one pixel", (1, 1), gif(1, 1, 1)),
        sample("gif, large", (300, 200), gif(300, 200, 1)),
        sample("gif of 1987", (1, 1), GIF_87.to_vec()),
        sample("gif, animated", (16, 16), gif(16, 16, 3)).frames(3),
        sample("gif, long", (4, 4), gif(4, 4, 60)).frames(60),
        sample(
            "gif with a comment",
            (30, 20),
            with_block(&plain, &comment(b"a comment <b>in bold</b>")),
        ),
        sample("gif with a long comment", (30, 20), with_block(&plain, &comment(&[b'x'; 3000]))),
        sample("gif with a loop", (30, 20), with_block(&plain, looped)),
        sample("gif with XMP", (30, 20), with_block(&plain, &xmp)),
    ]
}
