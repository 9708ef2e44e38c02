//! Frames of a video as data URLs (RFC 2397).

use base64::{Engine as _, prelude::BASE64_STANDARD};
use engine::Image;
use media::MediaType;

/// Decodes the image in a data URL and verifies it like an upload.
///
/// # Errors
///
/// What is wrong with it, worded for the caller.
pub fn decode(url: &str) -> Result<Image, String> {
    let (head, data) = url.split_once(',').ok_or("has no comma after its media type")?;
    let media_type = head
        .strip_prefix("data:")
        .and_then(|head| head.strip_suffix(";base64"))
        .ok_or("is not of the form data:image/…;base64,…")?;
    let declared = MediaType::of(media_type)
        .filter(|declared| declared.is_image())
        .ok_or("is not of the type image/jpeg, image/png, image/webp or image/gif")?;
    let bytes = BASE64_STANDARD.decode(data).map_err(|_| "is not valid base64")?;
    media::verify_bytes(declared, &bytes).map_err(|refusal| refusal.to_string())?;
    Ok(Image { media_type: media_type.to_owned(), bytes })
}
