//! Metadata in the lowest bits of the pixels, as NovelAI and the "stealth PNG info" extensions
//! write it.
//!
//! Columns from left to right, each from top to bottom: a signature of 15 characters, the number of
//! bits that follow as 32 bits, and the text, compressed with gzip where the signature ends with
//! `comp`. One bit of each alpha value, or one of red, green and blue each.

use flate2::read::GzDecoder;
use image::DynamicImage;

use super::field::Fields;

/// Most bytes that are read from the pixels.
const MOST_BYTES: usize = 4 << 20;

/// Adds the text as `parameters`. Returns the encoding.
pub fn read(image: &DynamicImage, fields: &mut Fields) -> Option<&'static str> {
    let mut of = |channels: &[usize]| read_bits(image, channels, fields);
    let alpha = image.color().has_alpha().then(|| of(&[3])).flatten();
    alpha.or_else(|| of(&[0, 1, 2]))
}

fn read_bits(
    image: &DynamicImage,
    channels: &[usize],
    fields: &mut Fields,
) -> Option<&'static str> {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (pixels, stride) = match image {
        DynamicImage::ImageRgba8(pixels) => (pixels.as_raw(), 4),
        DynamicImage::ImageRgb8(pixels) => (pixels.as_raw(), 3),
        _ => return None,
    };
    let bits = width * height * channels.len();
    let bit = |number: usize| {
        let pixel = number / channels.len();
        let (x, y) = (pixel / height, pixel % height);
        pixels[(y * width + x) * stride + channels[number % channels.len()]] & 1
    };
    let bytes = |start: usize, count: usize| -> Option<Vec<u8>> {
        let end = count.checked_mul(8)?.checked_add(start)?;
        (end <= bits).then(|| {
            budget::spend(count * 8);
            (0..count)
                .map(|byte| (0..8).fold(0, |sum, next| sum << 1 | bit(start + byte * 8 + next)))
                .collect()
        })
    };
    let (kind, compressed) = match (bytes(0, 15)?.as_slice(), channels.len()) {
        (b"stealth_pnginfo", 1) => ("stealth_pnginfo", false),
        (b"stealth_pngcomp", 1) => ("stealth_pngcomp", true),
        (b"stealth_rgbinfo", 3) => ("stealth_rgbinfo", false),
        (b"stealth_rgbcomp", 3) => ("stealth_rgbcomp", true),
        _ => return None,
    };
    let length = u32::from_be_bytes(bytes(15 * 8, 4)?.try_into().ok()?);
    let count = usize::try_from(length).ok()? / 8;
    if count > MOST_BYTES {
        return None;
    }
    let content = bytes(19 * 8, count)?;
    let content = match compressed {
        true => fields.inflate(|| GzDecoder::new(content.as_slice()))?,
        false => content,
    };
    fields.add(kind, "parameters", String::from_utf8(content).ok()?);
    Some(kind)
}
