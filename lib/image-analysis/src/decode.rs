//! Decodes a picture into a small copy, within bounds.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbaImage};

use crate::decode_error::{DecodeError, reason};
use crate::header::{LARGEST_AREA, LONGEST_SIDE, MOST_METADATA, format_as_said, scratch};
use crate::reduce::reduce;

/// Most memory for decoding a picture: the pixels and the decoder's own. Files within the other
/// bounds take less, unless they are crafted to take more.
pub(crate) const MOST_MEMORY: u64 = 480 << 20;
/// Longest side of the copy that is measured.
const COPY_SIDE: u32 = 256;

/// Spends steps for so many bytes of pixels. Their number is bounded, so that this is only to notice when nobody waits:
/// even the largest picture, which may be a small file, takes less than 20 million steps.
pub(crate) fn spend(pixels: usize) {
    budget::spend(pixels / 64);
}

/// A picture, reduced to what statistics need.
#[derive(Clone, Debug)]
pub struct Picture {
    width: u32,
    height: u32,
    copy: RgbaImage,
}

impl Picture {
    /// Width in pixels, after the rotation in the metadata.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels, after the rotation in the metadata.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The copy; no side is longer than 256 pixels.
    pub(crate) fn copy(&self) -> &RgbaImage {
        &self.copy
    }
}

/// Decodes a picture; of an animation, the first frame. The header is checked before any pixel.
///
/// # Errors
///
/// [`DecodeError`] if the picture is over [`LONGEST_SIDE`] or [`LARGEST_AREA`], takes over 480 MB
/// of memory by an estimate from the header, is not of `media_type`, or is damaged.
pub fn decode(bytes: &[u8], media_type: &str) -> Result<Picture, DecodeError> {
    let (full, orientation) = pixels(bytes, format_as_said(bytes, media_type)?)?;
    let (mut width, mut height) = (full.width(), full.height());
    let mut copy = if width.max(height) > COPY_SIDE {
        // The short side of a thin strip must not become zero.
        let side = |length: u32| {
            let longest = u64::from(width.max(height));
            let scaled = u64::from(length) * u64::from(COPY_SIDE) / longest;
            u32::try_from(scaled).unwrap_or(COPY_SIDE).max(1)
        };
        DynamicImage::ImageRgba8(reduce(&full, side(width), side(height)))
    } else {
        full
    };
    copy.apply_orientation(orientation);
    if matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    ) {
        (width, height) = (height, width);
    }
    Ok(Picture { width, height, copy: copy.into_rgba8() })
}

/// All pixels, and the rotation to apply.
pub(crate) fn pixels(
    bytes: &[u8],
    format: ImageFormat,
) -> Result<(DynamicImage, Orientation), DecodeError> {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(if format == ImageFormat::Png { MOST_METADATA } else { MOST_MEMORY });
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(reason)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(DecodeError::Damaged);
    }
    if width.max(height) > LONGEST_SIDE || u64::from(width) * u64::from(height) > LARGEST_AREA {
        return Err(DecodeError::TooLarge);
    }
    let memory = decoder.total_bytes() + scratch(bytes, format, width, height);
    if memory > MOST_MEMORY {
        return Err(DecodeError::TooCostly);
    }
    budget::spend(bytes.len());
    spend(memory as usize);
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let image = DynamicImage::from_decoder(decoder).map_err(reason)?;
    Ok((image, orientation))
}
