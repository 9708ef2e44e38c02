//! The types that uploads may have.

use std::fmt;

/// The types that uploads may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MediaType {
    /// `image/jpeg`
    Jpeg,
    /// `image/png`, animated or not
    Png,
    /// `image/webp`, animated or not
    Webp,
    /// `image/gif`
    Gif,
    /// `video/mp4`
    Mp4,
    /// `video/quicktime`
    Quicktime,
    /// `video/webm`
    Webm,
}

impl MediaType {
    /// Every type, images first.
    pub const ALL: [Self; 7] =
        [Self::Jpeg, Self::Png, Self::Webp, Self::Gif, Self::Mp4, Self::Quicktime, Self::Webm];

    /// The type of a content type, which must be in lower case and without parameters.
    pub fn of(content_type: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|media| media.content_type() == content_type)
    }

    /// The content type, such as `image/png`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
            Self::Mp4 => "video/mp4",
            Self::Quicktime => "video/quicktime",
            Self::Webm => "video/webm",
        }
    }

    /// Whether this is a picture rather than a video.
    pub fn is_image(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png | Self::Webp | Self::Gif)
    }

    /// The name with its article, for use in a sentence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "a JPEG",
            Self::Png => "a PNG",
            Self::Webp => "a WebP",
            Self::Gif => "a GIF",
            Self::Mp4 => "an MP4 video",
            Self::Quicktime => "a QuickTime video",
            Self::Webm => "a WebM video",
        }
    }
}

/// The content type.
impl fmt::Display for MediaType {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.content_type())
    }
}
