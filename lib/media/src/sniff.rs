//! Guesses a file's type from its first bytes.
//!
//! This only chooses the format to check, and names the real type of a refused file.

use crate::{MediaType, isobmff, polyglot};

/// Result of sniffing.
pub(crate) enum Found {
    Media(MediaType),
    /// Another known type, with its article.
    Other(&'static str),
    Nothing,
}

/// Types that are not accepted, by a signature at an offset.
const OTHERS: [(usize, &[u8], &str); 27] = [
    (0, b"\x1a\x45\xdf\xa3", "a Matroska file, or another than WebM"),
    (0, b"BM", "a BMP picture"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (0, b"8BPS", "a Photoshop document"),
    (0, b"\0\0\x01\0", "an icon"),
    (0, b"\xff\x0a", "a JPEG XL picture"),
    (4, b"JXL ", "a JPEG XL picture"),
    (4, b"jP  ", "a JPEG 2000 picture"),
    (0, b"qoif", "a QOI picture"),
    (0, b"DDS ", "a texture"),
    (8, b"WAVE", "a WAV sound"),
    (8, b"AVI ", "an AVI video"),
    (0, b"RIFF", "a RIFF file, but not a WebP"),
    (0, b"ID3", "an MP3 sound"),
    (0, b"\xff\xfb", "an MP3 sound"),
    (0, b"\xff\xf3", "an MP3 sound"),
    (0, b"\xff\xf2", "an MP3 sound"),
    (0, b"\xff\xf1", "an AAC sound"),
    (0, b"\xff\xf9", "an AAC sound"),
    (0, b"fLaC", "a FLAC sound"),
    (0, b"OggS", "an Ogg file"),
    (0, b"FLV\x01", "a Flash video"),
    (0, b"\0\0\x01\xba", "an MPEG video"),
    (0, b"\0\0\x01\xb3", "an MPEG video"),
    (0, b"\x30\x26\xb2\x75", "a Windows Media file"),
    (0, b"GIF8", "a GIF of an unknown version"),
];

pub(crate) fn sniff(head: &[u8]) -> Found {
    let at = |offset: usize, signature: &[u8]| {
        head.get(offset..).is_some_and(|rest| rest.starts_with(signature))
    };
    if at(0, b"\xff\xd8\xff") {
        return Found::Media(MediaType::Jpeg);
    }
    if at(0, b"\x89PNG\r\n\x1a\n") {
        return Found::Media(MediaType::Png);
    }
    if at(0, b"GIF87a") || at(0, b"GIF89a") {
        return Found::Media(MediaType::Gif);
    }
    if at(0, b"RIFF") && at(8, b"WEBP") {
        return Found::Media(MediaType::Webp);
    }
    if at(0, b"\x1a\x45\xdf\xa3")
        && memchr::memmem::find(&head[..head.len().min(64)], b"webm").is_some()
    {
        return Found::Media(MediaType::Webm);
    }
    if let Some(found) = isobmff::sniff(head) {
        return found;
    }
    if let Some(found) = polyglot::payload(head) {
        return Found::Other(found);
    }
    if let Some((.., found)) = OTHERS.iter().find(|(offset, signature, _)| at(*offset, signature)) {
        return Found::Other(found);
    }
    if is_text(head) { Found::Other("plain text") } else { Found::Nothing }
}

/// Whether this is UTF-8 without control characters; the last character may be cut.
fn is_text(head: &[u8]) -> bool {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            match std::str::from_utf8(&head[..error.valid_up_to()]) {
                Ok(text) => text,
                Err(_) => return false,
            }
        }
        Err(_) => return false,
    };
    !text.is_empty()
        && text.chars().all(|character| !character.is_control() || character.is_whitespace())
}
