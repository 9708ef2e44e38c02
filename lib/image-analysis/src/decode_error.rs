//! Failures of decoding.

use image::error::LimitErrorKind;

/// Why a picture cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The file has no supported format, or not the declared one.
    #[error("the file is not a PNG, JPEG, WebP or GIF picture of the type that it is said to be")]
    Format,
    /// A side or the area is over the limits.
    #[error("the picture is larger than 8192 pixels a side or 40 megapixels")]
    TooLarge,
    /// Decoding would take too much memory.
    #[error("decoding the picture would take more than 480 MB of memory")]
    TooCostly,
    /// The total area of the request's pictures is over the limit.
    #[error("the pictures have more than 120 megapixels together")]
    TooLargeTogether,
    /// The file is damaged.
    #[error("the picture is damaged")]
    Damaged,
}

/// What a failure of the decoder means.
pub(crate) fn reason(error: image::ImageError) -> DecodeError {
    match error {
        image::ImageError::Limits(limit) => match limit.kind() {
            LimitErrorKind::DimensionError => DecodeError::TooLarge,
            _ => DecodeError::TooCostly,
        },
        image::ImageError::Unsupported(_) => DecodeError::Format,
        _ => DecodeError::Damaged,
    }
}
