//! The texts of a PNG file (PNG specification, third edition, sections 11.3.3 and 11.3.2.3).

use flate2::read::ZlibDecoder;

use super::field::{Fields, latin, text};
use super::{exif, xmp};

/// The keyword of XMP.
const XMP: &str = "XML:com.adobe.xmp";

/// All texts, from the chunks before and after the pixels.
pub fn fields(bytes: &[u8]) -> Fields {
    let mut fields = Fields::default();
    let mut rest = bytes.get(8..).unwrap_or_default();
    while let Some((kind, content, next)) = chunk(rest) {
        budget::spend(1);
        read(kind, content, &mut fields);
        rest = next;
    }
    fields
}

/// Kind and content of the first chunk, and the bytes after it.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (kind, rest) = rest.split_at_checked(4)?;
    let (content, rest) =
        rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
    Some((kind, content, rest.get(4..)?))
}

fn read(kind: &[u8], content: &[u8], fields: &mut Fields) -> Option<()> {
    match kind {
        b"tEXt" => {
            let (name, content) = until_zero(content)?;
            // The standard says Latin-1, programs write UTF-8.
            fields.add("tEXt", &latin(name), text(content));
        }
        b"zTXt" => {
            let (name, content) = until_zero(content)?;
            let content = content.get(1..)?;
            let content = fields.inflate(|| ZlibDecoder::new(content))?;
            fields.add("zTXt", &latin(name), text(&content));
        }
        b"iTXt" => {
            let (name, content) = until_zero(content)?;
            let (flags, content) = content.split_at_checked(2)?;
            let (_, content) = until_zero(content)?;
            let (_, content) = until_zero(content)?;
            let content = if flags[0] == 1 {
                fields.inflate(|| ZlibDecoder::new(content))?
            } else {
                content.to_vec()
            };
            let content = String::from_utf8(content).ok()?;
            match latin(name).as_str() {
                XMP => xmp::read(&content, fields),
                name => fields.add("iTXt", name, content),
            }
        }
        b"eXIf" => exif::read(content, fields),
        _ => {}
    }
    Some(())
}

fn until_zero(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}
