//! The texts of a JPEG file: Exif, XMP and comments.

use super::field::{Fields, text};
use super::{exif, xmp};

/// All texts in the segments before the pixels.
pub fn fields(bytes: &[u8]) -> Fields {
    let mut fields = Fields::default();
    let mut rest = bytes.get(2..).unwrap_or_default();
    while let Some((marker, content, next)) = segment(rest) {
        budget::spend(1);
        match marker {
            0xe1 => {
                if let Some(content) = content.strip_prefix(b"Exif\0\0") {
                    exif::read(content, &mut fields);
                } else if let Some(content) =
                    content.strip_prefix(b"http://ns.adobe.com/xap/1.0/\0")
                {
                    xmp::read(&text(content), &mut fields);
                }
            }
            0xfe => fields.add("JPEG comment", "", text(content)),
            // Pixels follow.
            0xda => break,
            _ => {}
        }
        rest = next;
    }
    fields
}

/// Marker and content of the first segment, and the bytes after it.
pub(crate) fn segment(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let bytes = bytes.strip_prefix(&[0xff])?;
    // A marker may be padded with any number of 0xff.
    let padding = bytes.iter().take_while(|byte| **byte == 0xff).count();
    let (marker, rest) = bytes[padding..].split_first()?;
    let (length, _) = rest.split_first_chunk::<2>()?;
    let (segment, next) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
    Some((*marker, segment.get(2..)?, next))
}
