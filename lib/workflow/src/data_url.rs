//! Frames of a video as data URLs (RFC 2397).

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use engine::Image;
use percent_encoding::percent_decode_str;

/// Base64 as browsers read it in data URLs: its padding is optional.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes the picture in a data URL and verifies it like an upload. Its type is that of its bytes: labels such as
/// `image/jpg` are common.
///
/// # Errors
///
/// What is wrong with it, worded for the caller.
pub fn decode(url: &str) -> Result<Image, String> {
    let (head, data) = url.split_once(',').ok_or("has no comma after its media type")?;
    let encoding = head.rsplit_once(';').map(|(_, encoding)| encoding.trim_start());
    if !encoding.is_some_and(|encoding| encoding.eq_ignore_ascii_case("base64")) {
        return Err("must have ;base64 before its comma".to_owned());
    }
    let data: Vec<u8> =
        percent_decode_str(data).filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = BASE64.decode(data).map_err(|_| "is not valid base64")?;
    let media_type = media::sniffed(&bytes)
        .filter(|found| found.is_image())
        .ok_or("is not a JPEG, PNG, WebP or GIF picture")?;
    media::verify_bytes(media_type, &bytes).map_err(|refusal| refusal.to_string())?;
    Ok(Image { media_type: media_type.content_type().to_owned(), bytes })
}
