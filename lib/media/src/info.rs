//! What a verified file is known to be.

use crate::MediaError;
use std::time::Duration;

/// The greatest width and the greatest height, in pixels.
pub const MAX_SIDE: u32 = 8192;
/// The greatest number of pixels of a picture.
pub const MAX_PIXELS: u64 = 40_000_000;

/// What a verified file is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediaInfo {
    /// Pixels from left to right, 1 to [`MAX_SIDE`]. A rotation that metadata ask for is not applied.
    pub width: u32,
    /// Pixels from top to bottom, 1 to [`MAX_SIDE`].
    pub height: u32,
    /// How many frames an image has (1 if it is not animated); unknown of a video.
    pub frames: Option<u32>,
    /// How long a video says that it is; unknown of an image, and of a video that was recorded live.
    pub duration: Option<Duration>,
}

impl MediaInfo {
    /// The facts of an image of so many frames, if its size is allowed.
    pub(crate) fn image(width: u32, height: u32, frames: u32) -> Result<Self, MediaError> {
        sides(width, height)?;
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(MediaError::Pixels { width, height });
        }
        Ok(Self { width, height, frames: Some(frames), duration: None })
    }

    /// The facts of a video, if its size is allowed.
    pub(crate) fn video(
        width: u32,
        height: u32,
        duration: Option<Duration>,
    ) -> Result<Self, MediaError> {
        sides(width, height)?;
        Ok(Self { width, height, frames: None, duration })
    }
}

fn sides(width: u32, height: u32) -> Result<(), MediaError> {
    let allowed = 1..=MAX_SIDE;
    if allowed.contains(&width) && allowed.contains(&height) {
        Ok(())
    } else {
        Err(MediaError::Sides { width, height })
    }
}
