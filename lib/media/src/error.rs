//! Why a file is refused.

use crate::MediaType;
use crate::{MAX_PIXELS, MAX_SIDE};

/// Why a file is refused. The text is for the caller who uploaded it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MediaError {
    /// The file has no bytes.
    #[error("The file is empty.")]
    Empty,
    /// The file has another known type.
    #[error("The file is {found}, not the declared {declared}.")]
    OtherType {
        /// The real type with its article, such as "a PNG".
        found: &'static str,
        /// The declared type.
        declared: MediaType,
    },
    /// The beginning of the file is not known.
    #[error("The file does not begin like the declared {0}.")]
    Unrecognised(MediaType),
    /// The file ends inside its content.
    #[error("The file is cut off: it ends before its content does.")]
    Truncated,
    /// The file has bytes after the end of its content.
    #[error("The file goes on after the end of the {0}.")]
    Trailing(&'static str),
    /// Free text or foreign data begin like a program, an archive, a document or a page.
    #[error("The file has {0} hidden in it.")]
    Hidden(&'static str),
    /// A rule of the format is broken.
    #[error("The file is not a sound {format}: {fault}.")]
    Damaged {
        /// The format's name, such as "PNG".
        format: &'static str,
        /// The broken rule in plain words.
        fault: &'static str,
    },
    /// A side of the picture has no pixels, or more than [`MAX_SIDE`].
    #[error("The picture is {width} × {height} pixels; each side must be 1 to {MAX_SIDE} pixels.")]
    Sides {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The picture has more than [`MAX_PIXELS`] pixels.
    #[error("The picture is {width} × {height} pixels; at most {} megapixels are taken.", MAX_PIXELS / 1_000_000)]
    Pixels {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The picture has more than [`MAX_IMAGE_BYTES`](crate::MAX_IMAGE_BYTES) bytes.
    #[error("The picture is {0} bytes; at most {max} are taken.", max = crate::MAX_IMAGE_BYTES)]
    TooLarge(u64),
    /// A container without a moving picture.
    #[error("The file has no video in it.")]
    NoVideo,
    /// The file has so many parts that it cannot be checked within the limits.
    #[error("The file is made of too many parts to be checked.")]
    TooComplex,
}
