//! Reduces a picture to the bounds of a provider.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::{FilterType, resize};
use image::{DynamicImage, Rgb, RgbImage, RgbaImage};

use crate::DecodeError;
use crate::decode::{pixels, spend};
use crate::header::{dimensions, format_as_said};
use crate::reduce::reduce;

/// Qualities of JPEG, tried from the best.
const QUALITIES: [u8; 4] = [90, 80, 65, 50];

/// A picture that was re-encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// `image/jpeg`, or `image/png` for a picture with transparency.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The picture with no side longer than `longest_side` pixels in a file of at most `most_bytes`;
/// `None` if it already fits. The rotation in its metadata is applied and the metadata are dropped;
/// of an animation, the first frame is kept. Transparency is kept if a PNG is small enough, else
/// the background becomes white. A file that is still too large is written with less quality, then
/// with fewer pixels.
///
/// # Errors
///
/// As [`crate::decode`]; of a picture that already fits, only the header is checked.
pub fn fit(
    bytes: &[u8],
    media_type: &str,
    longest_side: u32,
    most_bytes: usize,
) -> Result<Option<Fitted>, DecodeError> {
    let format = format_as_said(bytes, media_type)?;
    let (width, height) = dimensions(bytes)?;
    if width.max(height) <= longest_side && bytes.len() <= most_bytes {
        return Ok(None);
    }
    let (full, orientation) = pixels(bytes, format)?;
    let mut copy = DynamicImage::ImageRgba8(shrink(full, longest_side.max(1)));
    copy.apply_orientation(orientation);
    let mut copy = copy.into_rgba8();
    loop {
        let smallest = copy.width().max(copy.height()) == 1;
        if let Some(fitted) = written(&copy, if smallest { usize::MAX } else { most_bytes }) {
            return Ok(Some(fitted));
        }
        let side = copy.width().max(copy.height()) / 2;
        copy = shrink(DynamicImage::ImageRgba8(copy), side);
    }
}

/// The picture with no side longer than `longest`.
fn shrink(full: DynamicImage, longest: u32) -> RgbaImage {
    // Box means to twice the size first, which is fast and needs no memory, then a smooth filter.
    let size = within(&full, longest);
    let (width, height) = within(&full, longest.saturating_mul(2));
    let rough = if (width, height) == (full.width(), full.height()) {
        full.into_rgba8()
    } else {
        let rough = reduce(&full, width, height);
        drop(full);
        rough
    };
    if size == rough.dimensions() {
        return rough;
    }
    resize(&rough, size.0, size.1, FilterType::Triangle)
}

/// The size of an image, reduced in proportion until no side is longer than `longest`.
fn within(image: &impl image::GenericImageView, longest: u32) -> (u32, u32) {
    let (width, height) = image.dimensions();
    let longer = u64::from(width.max(height)).max(1);
    let side = |length: u32| {
        let scaled = (u64::from(length) * u64::from(longest) + longer / 2) / longer;
        u32::try_from(scaled).map_or(length, |scaled| scaled.clamp(1, length))
    };
    if longer <= u64::from(longest) { (width, height) } else { (side(width), side(height)) }
}

/// A file of at most `most_bytes`, if one is possible.
fn written(copy: &RgbaImage, most_bytes: usize) -> Option<Fitted> {
    let transparent = copy.pixels().any(|pixel| pixel.0[3] < u8::MAX);
    if transparent {
        let mut bytes = Vec::new();
        copy.write_with_encoder(PngEncoder::new(&mut bytes)).ok()?;
        if bytes.len() <= most_bytes {
            return Some(Fitted { media_type: "image/png", bytes });
        }
    }
    let opaque = on_white(copy);
    QUALITIES.into_iter().find_map(|quality| {
        spend(copy.as_raw().len());
        let mut bytes = Vec::new();
        opaque.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, quality)).ok()?;
        (bytes.len() <= most_bytes).then_some(Fitted { media_type: "image/jpeg", bytes })
    })
}

fn on_white(copy: &RgbaImage) -> RgbImage {
    let mut opaque = RgbImage::new(copy.width(), copy.height());
    for (to, from) in opaque.pixels_mut().zip(copy.pixels()) {
        let [red, green, blue, alpha] = from.0.map(u32::from);
        let over = |value: u32| ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
        *to = Rgb([red, green, blue].map(over));
    }
    opaque
}
