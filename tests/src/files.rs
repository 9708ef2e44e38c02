//! Files that tests upload.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

/// A picture of 32 × 24 whose colours follow from `seed`, in the format of a content type.
pub fn picture(content_type: &str, seed: u8) -> Vec<u8> {
    let picture = RgbImage::from_fn(32, 24, |x, y| {
        let (x, y) = (x as u8, y as u8);
        Rgb([x.wrapping_mul(7) ^ seed, y.wrapping_mul(9), seed.wrapping_add(x)])
    });
    let format = ImageFormat::from_mime_type(content_type).expect("a format of pictures");
    let mut file = Cursor::new(Vec::new());
    DynamicImage::from(picture).write_to(&mut file, format).expect("an encoded picture");
    file.into_inner()
}

/// A PNG.
pub fn png(seed: u8) -> Vec<u8> {
    picture("image/png", seed)
}

/// A PNG that says in a text chunk what it was generated with.
pub fn generated_png(parameters: &str) -> Vec<u8> {
    let plain = png(9);
    let mut chunk = b"tEXtparameters\0".to_vec();
    chunk.extend_from_slice(parameters.as_bytes());
    // Behind the signature and the header, whose lengths are fixed.
    let (head, rest) = plain.split_at(8 + 25);
    let length = u32::try_from(chunk.len() - 4).expect("a short text").to_be_bytes();
    let sum = crc32fast::hash(&chunk).to_be_bytes();
    [head, &length, &chunk, &sum, rest].concat()
}
