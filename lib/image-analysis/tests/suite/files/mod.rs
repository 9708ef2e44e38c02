//! Files of every format with texts at every place where programs put them.

#![allow(dead_code)]

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};

/// A small picture in a format.
pub fn plain(format: ImageFormat) -> Vec<u8> {
    let picture =
        RgbImage::from_fn(48, 32, |x, y| image::Rgb([(x * 5) as u8, (y * 7) as u8, (x + y) as u8]));
    encode(&DynamicImage::ImageRgb8(picture), format)
}

pub fn encode(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_to(&mut Cursor::new(&mut bytes), format).expect("an encoded picture");
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The PNG with a chunk after its header.
pub fn with_chunk(png: &[u8], kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut chunk = (content.len() as u32).to_be_bytes().to_vec();
    let body = [kind.as_slice(), content].concat();
    chunk.extend(&body);
    chunk.extend(crc(&body).to_be_bytes());
    [&png[..33], &chunk, &png[33..]].concat()
}

pub fn text_chunk(png: &[u8], name: &str, text: &str) -> Vec<u8> {
    with_chunk(png, b"tEXt", &[name.as_bytes(), b"\0", text.as_bytes()].concat())
}

/// Latin-1, as in the standard.
pub fn latin_chunk(png: &[u8], name: &str, text: &str) -> Vec<u8> {
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(c).expect("Latin-1")).collect();
    with_chunk(png, b"tEXt", &[name.as_bytes(), b"\0", &latin].concat())
}

pub fn zlib(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("in memory");
    encoder.finish().expect("in memory")
}

pub fn ztxt_chunk(png: &[u8], name: &str, text: &str) -> Vec<u8> {
    with_chunk(png, b"zTXt", &[name.as_bytes(), b"\0\0", &zlib(text.as_bytes())].concat())
}

pub fn itxt_chunk(png: &[u8], name: &str, text: &str, compressed: bool) -> Vec<u8> {
    let content = if compressed { zlib(text.as_bytes()) } else { text.as_bytes().to_vec() };
    let flags: &[u8] = if compressed { b"\0\x01\0\0\0" } else { b"\0\0\0\0\0" };
    with_chunk(png, b"iTXt", &[name.as_bytes(), flags, &content].concat())
}

/// Character code and byte order of a user comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Ascii,
    /// UTF-16, independent of the block's byte order.
    Little,
    Big,
    /// UTF-8 without a character code.
    None,
    Jis,
}

pub fn user_comment(text: &str, code: Code) -> Vec<u8> {
    let units =
        |order: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(order).collect() };
    match code {
        Code::Ascii => [b"ASCII\0\0\0".as_slice(), text.as_bytes()].concat(),
        Code::Little => [b"UNICODE\0".as_slice(), &units(u16::to_le_bytes)].concat(),
        Code::Big => [b"UNICODE\0".as_slice(), &units(u16::to_be_bytes)].concat(),
        Code::None => text.as_bytes().to_vec(),
        Code::Jis => [b"JIS\0\0\0\0\0".as_slice(), text.as_bytes()].concat(),
    }
}

pub const DESCRIPTION: u16 = 0x010e;
pub const MAKE: u16 = 0x010f;
pub const MODEL: u16 = 0x0110;
pub const SOFTWARE: u16 = 0x0131;
pub const COPYRIGHT: u16 = 0x8298;
pub const MAKER_NOTE: u16 = 0x927c;
pub const USER_COMMENT: u16 = 0x9286;

/// Number and content.
type Tag<'a> = (u16, &'a [u8]);

/// An Exif block with text tags; tags of 0x9000 and above go to the Exif directory.
pub fn exif(tags: &[(u16, &[u8])], little: bool) -> Vec<u8> {
    let two = |value: u16| if little { value.to_le_bytes() } else { value.to_be_bytes() };
    let four = |value: u32| if little { value.to_le_bytes() } else { value.to_be_bytes() };
    let (mut first, mut second): (Vec<Tag<'_>>, Vec<Tag<'_>>) =
        tags.iter().copied().partition(|(tag, _)| *tag < 0x9000);
    first.sort_by_key(|(tag, _)| *tag);
    second.sort_by_key(|(tag, _)| *tag);
    let pointers = usize::from(!second.is_empty());
    let length = |count: usize| 2 + 12 * count + 4;
    let second_at = 8 + length(first.len() + pointers);
    let mut data_at = second_at + if second.is_empty() { 0 } else { length(second.len()) };
    let mut data: Vec<u8> = Vec::new();
    let mut block: Vec<u8> = if little { b"II\x2a\0".to_vec() } else { b"MM\0\x2a".to_vec() };
    block.extend(four(8));
    for (list, pointer) in [(&first, pointers == 1), (&second, false)] {
        if list.is_empty() && !pointer {
            if std::ptr::eq(list, &first) {
                block.extend(two(0));
                block.extend(four(0));
            }
            continue;
        }
        block.extend(two((list.len() + usize::from(pointer)) as u16));
        for (tag, content) in list {
            let undefined = *tag >= 0x9000;
            let mut content = content.to_vec();
            if !undefined {
                content.push(0);
            }
            block.extend(two(*tag));
            block.extend(two(if undefined { 7 } else { 2 }));
            block.extend(four(content.len() as u32));
            if content.len() <= 4 {
                content.resize(4, 0);
                block.extend(content);
            } else {
                block.extend(four(data_at as u32));
                data_at += content.len();
                data.extend(content);
            }
        }
        if pointer {
            block.extend(two(0x8769));
            block.extend(two(4));
            block.extend(four(1));
            block.extend(four(second_at as u32));
        }
        block.extend(four(0));
    }
    block.extend(data);
    block
}

/// An Exif block with so many pointers to directories that overlap.
pub fn overlapping_directories(pointers: u16) -> Vec<u8> {
    let mut block = b"MM\0\x2a\0\0\0\x08".to_vec();
    block.extend(pointers.to_be_bytes());
    let region = 8 + 2 + 12 * u32::from(pointers) + 4;
    for at in 0..u32::from(pointers) {
        block.extend([0x87, 0x69, 0, 4, 0, 0, 0, 1]);
        block.extend((region + at).to_be_bytes());
    }
    block.extend([0; 4]);
    // Whatever byte it begins with, a directory has as many entries as there are pointers.
    block.resize(block.len() + 14 * usize::from(pointers), pointers.to_be_bytes()[0]);
    block
}

/// An Exif block with so many values that are all of it.
pub fn overlapping_values(count: u16) -> Vec<u8> {
    let mut block = b"MM\0\x2a\0\0\0\x08".to_vec();
    block.extend(count.to_be_bytes());
    for _ in 0..count {
        block.extend([0x01, 0x0f, 0, 2]);
        block.extend((12 * u32::from(count)).to_be_bytes());
        block.extend([0; 4]);
    }
    block.extend([0; 4]);
    block
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).expect("a segment's length");
    [&[0xff, marker], length.to_be_bytes().as_slice(), content].concat()
}

pub fn jpeg_with(marker: u8, content: &[u8]) -> Vec<u8> {
    let jpeg = plain(ImageFormat::Jpeg);
    [&jpeg[..2], &segment(marker, content), &jpeg[2..]].concat()
}

pub fn jpeg_exif(block: &[u8]) -> Vec<u8> {
    jpeg_with(0xe1, &[b"Exif\0\0", block].concat())
}

pub fn jpeg_xmp(packet: &str) -> Vec<u8> {
    jpeg_with(0xe1, &[b"http://ns.adobe.com/xap/1.0/\0".as_slice(), packet.as_bytes()].concat())
}

/// An extended WebP with a chunk after the pixels.
pub fn webp_with(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let plain = plain(ImageFormat::WebP);
    let flag: u8 = if kind == b"EXIF" { 0x08 } else { 0x04 };
    let mut body = b"WEBPVP8X\x0a\0\0\0".to_vec();
    body.extend([flag, 0, 0, 0, 47, 0, 0, 31, 0, 0]);
    body.extend(&plain[12..]);
    body.extend(kind);
    body.extend((content.len() as u32).to_le_bytes());
    body.extend(content);
    body.resize(body.len() + content.len() % 2, 0);
    [b"RIFF".as_slice(), &(body.len() as u32).to_le_bytes(), &body].concat()
}

pub fn gif_comment(text: &str) -> Vec<u8> {
    let gif = plain(ImageFormat::Gif);
    let table = if gif[10] & 0x80 == 0 { 0 } else { 3 << ((gif[10] & 7) + 1) };
    let mut block = vec![0x21, 0xfe];
    for part in text.as_bytes().chunks(255) {
        block.push(part.len() as u8);
        block.extend(part);
    }
    block.push(0);
    [&gif[..13 + table], &block, &gif[13 + table..]].concat()
}

pub fn xmp(properties: &str) -> String {
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\" photoshop:City=\"Lisbon\">\
         {properties}</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"w\"?>"
    )
}

pub fn xmp_description(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    xmp(&format!(
        "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">{text}</rdf:li></rdf:Alt></dc:description>"
    ))
}

/// A picture with a text in its lowest bits: of alpha, or of red, green and blue.
pub fn stealth(text: &str, compressed: bool, alpha: bool) -> DynamicImage {
    let content = if compressed {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).expect("in memory");
        encoder.finish().expect("in memory")
    } else {
        text.as_bytes().to_vec()
    };
    let signature = match (compressed, alpha) {
        (false, true) => "stealth_pnginfo",
        (true, true) => "stealth_pngcomp",
        (false, false) => "stealth_rgbinfo",
        (true, false) => "stealth_rgbcomp",
    };
    let mut bytes = signature.as_bytes().to_vec();
    bytes.extend((content.len() as u32 * 8).to_be_bytes());
    bytes.extend(content);
    let bits: Vec<u8> =
        bytes.iter().flat_map(|byte| (0..8).rev().map(move |shift| byte >> shift & 1)).collect();
    let (width, height) = (96_usize, 100_usize);
    let mut picture = RgbaImage::from_fn(width as u32, height as u32, |x, y| {
        image::Rgba([x as u8 & 0xfe, y as u8 & 0xfe, 90, 254])
    });
    let channels: &[usize] = if alpha { &[3] } else { &[0, 1, 2] };
    for (number, bit) in bits.iter().enumerate() {
        let pixel = number / channels.len();
        let (x, y) = (pixel / height, pixel % height);
        picture.get_pixel_mut(x as u32, y as u32).0[channels[number % channels.len()]] |= bit;
    }
    if alpha {
        DynamicImage::ImageRgba8(picture)
    } else {
        DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(picture).into_rgb8())
    }
}
