//! The texts of a WebP file (WebP container specification): Exif and XMP.

use super::field::{Fields, text};
use super::{exif, xmp};

/// All texts in the chunks of the file.
pub fn fields(bytes: &[u8]) -> Fields {
    let mut fields = Fields::default();
    let mut rest = bytes.get(12..).unwrap_or_default();
    while let Some((kind, content, next)) = chunk(rest) {
        budget::spend(1);
        match kind {
            b"EXIF" => {
                // Some programs write the prefix of JPEG segments.
                exif::read(content.strip_prefix(b"Exif\0\0").unwrap_or(content), &mut fields);
            }
            b"XMP " => xmp::read(&text(content), &mut fields),
            _ => {}
        }
        rest = next;
    }
    fields
}

/// Kind and content of the first chunk, and the bytes after it.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (kind, rest) = bytes.split_at_checked(4)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (content, rest) = rest.split_at_checked(length)?;
    // Chunks are padded to an even length; the last one's padding may be missing.
    Some((kind, content, rest.get(length % 2..).unwrap_or_default()))
}
