//! Facts about a verified file.

use crate::MediaError;
use std::time::Duration;

/// Largest width and height, in pixels.
pub const MAX_SIDE: u32 = 8192;
/// Largest number of pixels of a picture.
pub const MAX_PIXELS: u64 = 40_000_000;

/// Facts about a verified file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediaInfo {
    /// Width in pixels, 1 to [`MAX_SIDE`]. A rotation in the metadata is not applied.
    pub width: u32,
    /// Height in pixels, 1 to [`MAX_SIDE`].
    pub height: u32,
    /// Frames of an image (1 if it is not animated); `None` for a video.
    pub frames: Option<u32>,
    /// Duration in a video's header; `None` for an image, and for a live recording.
    pub duration: Option<Duration>,
}

impl MediaInfo {
    /// The facts about an image, if its size is allowed.
    pub(crate) fn image(width: u32, height: u32, frames: u32) -> Result<Self, MediaError> {
        sides(width, height)?;
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(MediaError::Pixels { width, height });
        }
        Ok(Self { width, height, frames: Some(frames), duration: None })
    }

    /// The facts about a video, if its size is allowed.
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
