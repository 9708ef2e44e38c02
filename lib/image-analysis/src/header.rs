//! Reads from a file's header its format, its size and the memory that decoding it takes.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};

use crate::DecodeError;
use crate::decode_error::reason;
use crate::recover::jpeg;

/// Longest side, in pixels.
pub const LONGEST_SIDE: u32 = 8192;
/// Largest area, in pixels.
pub const LARGEST_AREA: u64 = 40_000_000;
/// Largest total area of the pictures of one request, in pixels.
pub const LARGEST_TOTAL: u64 = 120_000_000;

/// Most memory for the metadata of a PNG file. Its colour profile is inflated with its header.
pub const MOST_METADATA: u64 = 16 << 20;

/// The format by the file's first bytes.
pub fn format(bytes: &[u8]) -> Option<ImageFormat> {
    image::guess_format(bytes).ok().filter(|format| {
        matches!(
            format,
            ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP | ImageFormat::Gif
        )
    })
}

/// The format by the file's first bytes, if it is `media_type`.
pub fn format_as_said(bytes: &[u8], media_type: &str) -> Result<ImageFormat, DecodeError> {
    let said = media_type.split(';').next().unwrap_or_default().trim();
    format(bytes)
        .filter(|format| said.eq_ignore_ascii_case(format.to_mime_type()))
        .ok_or(DecodeError::Format)
}

/// Width and height in pixels by a file's header. No pixel is decoded, and a rotation in the
/// metadata is not applied.
///
/// # Errors
///
/// [`DecodeError::Format`] and [`DecodeError::Damaged`]; a size over the bounds is no error.
pub fn dimensions(bytes: &[u8]) -> Result<(u32, u32), DecodeError> {
    let format = format(bytes).ok_or(DecodeError::Format)?;
    budget::spend(bytes.len());
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MOST_METADATA);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    reader.into_dimensions().map_err(reason)
}

/// Checks that the pictures of one request have at most [`LARGEST_TOTAL`] pixels together. Reads
/// only their headers. A file whose header cannot be read counts as zero: decoding it fails at
/// once, with the reason.
///
/// # Errors
///
/// [`DecodeError::TooLargeTogether`].
pub fn within_total<'a>(files: impl IntoIterator<Item = &'a [u8]>) -> Result<(), DecodeError> {
    let mut total = 0;
    for file in files {
        let (width, height) = dimensions(file).unwrap_or_default();
        total += u64::from(width) * u64::from(height);
        if total > LARGEST_TOTAL {
            return Err(DecodeError::TooLargeTogether);
        }
    }
    Ok(())
}

/// Most bytes that a decoder of such a picture holds at once beside its input and its output.
pub fn scratch(bytes: &[u8], format: ImageFormat, width: u32, height: u32) -> u64 {
    let area = u64::from(width) * u64::from(height);
    match format {
        // A copy of the file, and all coefficients until the last scan has been read.
        ImageFormat::Jpeg => bytes.len() as u64 + 2 * coefficients(bytes),
        // A frame of an animation and its canvas, both with alpha; less otherwise.
        ImageFormat::WebP => 8 * area,
        // The first frame, which may have another size than the canvas: colour indices, and colours
        // with alpha.
        ImageFormat::Gif => 5 * first_frame(bytes),
        // Rows.
        _ => 0,
    }
}

/// Number of coefficients in the frame of a JPEG file: whole blocks of 8 × 8 samples, for each
/// component by its sampling factors.
fn coefficients(bytes: &[u8]) -> u64 {
    let mut rest = bytes.get(2..).unwrap_or_default();
    while let Some((marker, content, next)) = jpeg::segment(rest) {
        match marker {
            // Frames of all kinds; the excluded markers are tables.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => return of_frame(content),
            0xda => break,
            _ => rest = next,
        }
    }
    0
}

fn of_frame(frame: &[u8]) -> u64 {
    let Some(([_, a, b, c, d, _], components)) = frame.split_first_chunk::<6>() else { return 0 };
    let (height, width) = (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
    let samplings = components.as_chunks::<3>().0.iter();
    let samplings: Vec<(u64, u64)> = samplings
        .map(|[_, sampling, _]| (u64::from(sampling >> 4), u64::from(sampling & 15)))
        .collect();
    let most = |of: fn(&(u64, u64)) -> u64| samplings.iter().map(of).max().unwrap_or(1).max(1);
    let across = u64::from(width).div_ceil(8 * most(|sampling| sampling.0));
    let down = u64::from(height).div_ceil(8 * most(|sampling| sampling.1));
    let blocks: u64 = samplings.iter().map(|sampling| sampling.0 * sampling.1).sum();
    64 * across * down * blocks
}

/// Number of pixels in the first frame of a GIF file.
fn first_frame(bytes: &[u8]) -> u64 {
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut at = 13 + bytes.get(10).copied().map_or(0, table);
    // Extensions come before the frame: a kind, and blocks up to an empty one.
    while bytes.get(at) == Some(&0x21) {
        at += 2;
        while let Some(length) = bytes.get(at) {
            at += 1 + usize::from(*length);
            if *length == 0 {
                break;
            }
        }
    }
    match bytes.get(at..) {
        Some([0x2c, _, _, _, _, a, b, c, d, ..]) => {
            u64::from(u16::from_le_bytes([*a, *b])) * u64::from(u16::from_le_bytes([*c, *d]))
        }
        _ => 0,
    }
}
