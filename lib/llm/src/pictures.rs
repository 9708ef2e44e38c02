//! Fits pictures to the strictest of the providers' documented bounds.

use std::{borrow::Cow, sync::LazyLock};

use engine::{EngineError, Image};
use regex::Regex;

/// Types of pictures that every provider accepts.
const TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];
/// Most pictures of one request.
const MOST: usize = 20;
/// Longest side, in pixels. A larger picture shows a model no more: the provider would reduce it,
/// or refuse it from 8000 pixels on.
const LONGEST_SIDE: u32 = 1568;
/// Largest file, in bytes: providers accept 3.75 MB.
const MOST_BYTES: usize = 3_500_000;
/// Most bytes of all files: a third larger in base64, they stay below the 25 MB of a request.
const MOST_BYTES_TOGETHER: usize = 18_000_000;

/// Indices of the pictures that are sent: all, or as many as a request may have, evenly spaced from
/// the first on.
pub(crate) fn chosen(count: usize) -> impl Iterator<Item = usize> {
    let sent = count.min(MOST);
    (0..sent).map(move |number| number * count / sent)
}

/// The chosen pictures, each unchanged or re-encoded within the bounds.
///
/// # Errors
///
/// [`EngineError::Rejected`] if a file is not a picture or cannot be read, or the pictures are too
/// large together; [`EngineError::Timeout`] if `is_over` before one of them.
pub(crate) fn fitted(
    images: &[Image],
    is_over: impl Fn() -> bool,
) -> Result<Vec<Cow<'_, Image>>, EngineError> {
    let rejected = |reason: String| EngineError::Rejected { reason };
    let chosen: Vec<(usize, &Image)> = chosen(images.len()).map(|at| (at, &images[at])).collect();
    if chosen.iter().any(|(_, image)| !TYPES.contains(&image.media_type.as_str())) {
        let reason = "a file that is attached is no PNG, JPEG, WebP or GIF picture".to_owned();
        return Err(rejected(reason));
    }
    image_analysis::within_total(chosen.iter().map(|(_, image)| image.bytes.as_slice()))
        .map_err(|error| rejected(error.to_string()))?;
    let together: usize = chosen.iter().map(|(_, image)| image.bytes.len()).sum();
    let most_bytes = match together {
        0..=MOST_BYTES_TOGETHER => MOST_BYTES,
        _ => MOST_BYTES.min(MOST_BYTES_TOGETHER / chosen.len()),
    };
    let fit = |(at, image): (usize, &'_ Image)| {
        if is_over() {
            return Err(EngineError::Timeout);
        }
        image_analysis::fit(&image.bytes, &image.media_type, LONGEST_SIDE, most_bytes)
            .map(|fitted| {
                fitted
                    .map(|file| Image { media_type: file.media_type.to_owned(), bytes: file.bytes })
            })
            .map_err(|error| {
                rejected(format!("attached picture {} cannot be read: {error}", at + 1))
            })
    };
    chosen
        .into_iter()
        .map(|(at, image)| Ok(fit((at, image))?.map_or_else(|| Cow::Borrowed(image), Cow::Owned)))
        .collect()
}

/// Whether a provider's error message is about the pictures. The names of our schemas contain the
/// word, but do not begin with it.
pub(crate) fn is_about(message: &str) -> bool {
    static WORDS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?i)\b(?:invalid_|unsupported_)?images?(?:\b|_)").ok());
    WORDS.as_ref().is_some_and(|words| words.is_match(message))
}
