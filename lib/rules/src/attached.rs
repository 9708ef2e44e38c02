//! Pictures that go with a request: they are not recognised, and only give a new picture or clip its format.

use super::wording::Voice;
use engine::{EngineError, Image};

/// Formats that generators of pictures take.
const OF_PICTURES: &str = "1:1 5:4 4:5 4:3 3:4 3:2 2:3 16:9 9:16 2:1 1:2 21:9 9:21";
/// Formats that generators of clips take.
const OF_CLIPS: &str = "16:9 9:16 1:1 4:3 3:4 21:9";

/// The pictures of a request: width and height of each in pixels.
#[derive(Debug, Default)]
pub struct Attached {
    sizes: Vec<(u32, u32)>,
}

/// Checks that pictures are not too much work together, before any is decoded.
///
/// # Errors
///
/// [`EngineError::Rejected`] for more than 120 megapixels.
pub fn within_total(images: &[Image]) -> Result<(), EngineError> {
    image_analysis::within_total(images.iter().map(|image| image.bytes.as_slice()))
        .map_err(|error| EngineError::Rejected { reason: error.to_string() })
}

impl Attached {
    /// Measures the pictures.
    ///
    /// # Errors
    ///
    /// [`EngineError::Rejected`] for a picture that cannot be decoded, and for too many pixels together.
    pub fn read(images: &[Image]) -> Result<Self, EngineError> {
        within_total(images)?;
        let size = |(at, image): (usize, &Image)| {
            image_analysis::decode(&image.bytes, &image.media_type)
                .map(|picture| (picture.width(), picture.height()))
                .map_err(|error| EngineError::Rejected {
                    reason: format!("attached picture {} cannot be read: {error}", at + 1),
                })
        };
        Ok(Self { sizes: images.iter().enumerate().map(size).collect::<Result<_, _>>()? })
    }

    /// That pictures were not recognised, in the language of `tag` where there are texts in it.
    pub fn note(&self, tag: &str) -> Option<String> {
        let says =
            "What attached pictures show was not recognised: describe in words what matters.";
        (!self.sizes.is_empty()).then(|| Voice::of(tag).say(says, &[]))
    }

    /// The format that the first picture suggests for a new picture, or a clip if it is `moving`: of those
    /// that generators take, the one that is nearest to its own. With it comes a remark about that.
    pub fn frame(&self, moving: bool, tag: &str) -> Option<(String, String)> {
        let (width, height) = *self.sizes.first()?;
        let own = f64::from(width) / f64::from(height);
        let distance = |format: &&str| {
            let (wide, high) = format.split_once(':').unwrap_or(("1", "1"));
            let ratio = wide.parse().unwrap_or(1.0) / high.parse().unwrap_or(1.0);
            (own / ratio).ln().abs()
        };
        let formats = if moving { OF_CLIPS } else { OF_PICTURES }.split(' ');
        let frame = formats.min_by(|one, other| distance(one).total_cmp(&distance(other)))?;
        let note = Voice::of(tag).say(
            "No format was given, so {} is used, the one nearest to that of the attached picture.",
            &[frame],
        );
        Some((frame.to_owned(), note))
    }
}
