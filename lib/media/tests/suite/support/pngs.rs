//! PNG.

use super::Sample;
use super::pictures::painting;
use image::{DynamicImage, ImageFormat};
use media::MediaType;
use std::io::Cursor;

pub const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

pub fn png(picture: &DynamicImage) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

pub fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let checked = [kind, content].concat();
    [&(content.len() as u32).to_be_bytes()[..], &checked, &crc32fast::hash(&checked).to_be_bytes()]
        .concat()
}

pub fn header(width: u32, height: u32, depth: u8, colour: u8, interlace: u8) -> Vec<u8> {
    let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(b"IHDR", &[&size[..], &[depth, colour, 0, 0, interlace]].concat())
}

/// A zlib stream of one block that is not compressed.
pub fn stored(data: &[u8]) -> Vec<u8> {
    let length = data.len() as u16;
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    let sum = (b << 16 | a).to_be_bytes();
    [&[0x78, 0x01, 0x01][..], &length.to_le_bytes(), &(!length).to_le_bytes(), data, &sum].concat()
}

pub fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
    [SIGNATURE.to_vec(), chunks.concat(), chunk(b"IEND", b"")].concat()
}

/// The file with a chunk right after the header.
pub fn with_chunk(file: &[u8], kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&file[..33], &chunk(kind, content), &file[33..]].concat()
}

pub fn frame(sequence: u32, width: u32, height: u32, x: u32, y: u32) -> Vec<u8> {
    let fields = [sequence, width, height, x, y].map(u32::to_be_bytes).concat();
    chunk(b"fcTL", &[&fields[..], &[0, 10, 0, 100, 0, 0]].concat())
}

/// Grey rows, each with its filter byte.
pub fn rows(width: usize, height: usize) -> Vec<u8> {
    stored(
        &(0..height)
            .flat_map(|_| std::iter::once(0).chain((0..width).map(|x| x as u8)))
            .collect::<Vec<_>>(),
    )
}

pub fn animated() -> Vec<u8> {
    let data = |sequence: u32| chunk(b"fdAT", &[&sequence.to_be_bytes()[..], &rows(2, 3)].concat());
    file(&[
        header(4, 3, 8, 0, 0),
        chunk(b"acTL", &[0, 0, 0, 3, 0, 0, 0, 0]),
        frame(0, 4, 3, 0, 0),
        chunk(b"IDAT", &rows(4, 3)),
        frame(1, 2, 3, 1, 0),
        data(2),
        frame(3, 2, 3, 2, 0),
        data(4),
    ])
}

pub fn pngs() -> Vec<Sample> {
    let sample =
        |name: &str, size: (u32, u32), file: Vec<u8>| Sample::new(name, MediaType::Png, size, file);
    let picture = painting(40, 30);
    let plain = png(&picture);
    let palette = |colours: usize| chunk(b"PLTE", &vec![0x55; colours * 3]);
    let split = {
        let data = rows(9, 9);
        let (first, last) = data.split_at(1);
        file(&[
            header(9, 9, 8, 0, 0),
            chunk(b"IDAT", first),
            chunk(b"IDAT", b""),
            chunk(b"IDAT", last),
        ])
    };
    let text = |content: &[u8]| with_chunk(&plain, b"tEXt", content);
    let workflow = b"workflow\0{\"nodes\": [{\"id\": 1, \"type\": \"KSampler\"}]}";
    let mut xmp = b"XML:com.adobe.xmp\0\0\0\0\0".to_vec();
    xmp.extend(&super::pictures::XMP[29..]);
    vec![
        sample("png", (40, 30), plain.clone()),
        sample("png of one pixel", (1, 1), png(&painting(1, 1))),
        sample("png, opaque", (40, 30), png(&picture.to_rgb8().into())),
        sample("png, grey", (40, 30), png(&picture.to_luma8().into())),
        sample("png, grey with transparency", (40, 30), png(&picture.to_luma_alpha8().into())),
        sample("png, 16 bits of grey", (40, 30), png(&picture.to_luma16().into())),
        sample(
            "png, 16 bits of grey with transparency",
            (40, 30),
            png(&picture.to_luma_alpha16().into()),
        ),
        sample("png, 16 bits of colour", (40, 30), png(&picture.to_rgb16().into())),
        sample("png, 16 bits of everything", (40, 30), png(&picture.to_rgba16().into())),
        sample("png, large", (500, 400), png(&painting(500, 400))),
        sample("png, as wide as allowed", (8192, 2), png(&painting(8192, 2))),
        sample(
            "png, palette",
            (3, 1),
            file(&[header(3, 1, 8, 3, 0), palette(64), chunk(b"IDAT", &rows(3, 1))]),
        ),
        sample(
            "png, palette of two",
            (5, 1),
            file(&[
                header(5, 1, 1, 3, 0),
                palette(2),
                chunk(b"tRNS", &[0, 255]),
                chunk(b"IDAT", &stored(&[0, 0b1010_1000])),
            ]),
        ),
        sample(
            "png, interlaced",
            (1, 1),
            file(&[header(1, 1, 8, 0, 1), chunk(b"IDAT", &stored(&[0, 7]))]),
        ),
        sample("png in pieces", (9, 9), split),
        sample("png, animated", (4, 3), animated()).frames(3),
        sample(
            "png with parameters",
            (40, 30),
            text(b"parameters\0<lora:x:1> a cat, Steps: 20, Sampler: Euler"),
        ),
        sample("png with a workflow", (40, 30), text(workflow)),
        sample("png with XMP", (40, 30), with_chunk(&plain, b"iTXt", &xmp)),
        sample("png with EXIF", (40, 30), with_chunk(&plain, b"eXIf", &super::pictures::EXIF[6..])),
        sample("png with a time", (40, 30), with_chunk(&plain, b"tIME", &[7, 0xe8, 1, 2, 3, 4, 5])),
        sample(
            "png with a private part",
            (40, 30),
            with_chunk(&plain, b"prVt", b"something of its maker"),
        ),
    ]
}
