//! The texts of an Exif block (CIPA DC-008): comments, descriptions and misused fields.

use exif::{Context, Tag, Value};

use super::field::{Fields, text};

/// Fields that generators write to, with the names of the standard.
const TAGS: [(Tag, &str); 9] = [
    (Tag::UserComment, "UserComment"),
    (Tag::ImageDescription, "ImageDescription"),
    (Tag::Make, "Make"),
    (Tag::Model, "Model"),
    (Tag::Software, "Software"),
    (Tag::Artist, "Artist"),
    (Tag::MakerNote, "MakerNote"),
    // Windows shows these as title and comment.
    (Tag(Context::Tiff, 0x9c9b), "XPTitle"),
    (Tag(Context::Tiff, 0x9c9c), "XPComment"),
];

/// Adds the texts of the block, as far as it can be read.
pub fn read(block: &[u8], fields: &mut Fields) {
    let mut reader = exif::Reader::new();
    reader.continue_on_error(true);
    let read =
        reader.read_raw(block.to_vec()).or_else(|error| error.distill_partial_result(|_errors| {}));
    let Ok(read) = read else { return };
    for field in read.fields() {
        let Some((_, name)) = TAGS.iter().find(|(tag, _)| *tag == field.tag) else { continue };
        let bytes = match &field.value {
            Value::Ascii(parts) => parts.join(&b' '),
            Value::Byte(bytes) | Value::Undefined(bytes, _) => bytes.clone(),
            _ => continue,
        };
        let text = match *name {
            "UserComment" => comment(&bytes, read.little_endian()),
            "XPTitle" | "XPComment" => utf16(&bytes, true),
            _ => Some(text(&bytes)),
        };
        if let Some(text) = text {
            fields.add("EXIF", name, text);
        }
    }
}

/// A comment with its character code of eight bytes; programs that leave the code out write UTF-8.
fn comment(bytes: &[u8], little_endian: bool) -> Option<String> {
    match bytes.split_first_chunk::<8>() {
        Some((b"UNICODE\0", rest)) => unicode(rest, little_endian),
        Some((b"ASCII\0\0\0" | b"\0\0\0\0\0\0\0\0", rest)) => Some(text(rest)),
        // JIS X 0208 is not supported; programs that declare it write ASCII.
        Some((b"JIS\0\0\0\0\0", rest)) => rest.is_ascii().then(|| text(rest)),
        _ => Some(text(bytes)),
    }
}

/// UTF-16. Its byte order should be the block's, but programs write big-endian into little-endian
/// blocks: a byte order mark decides, otherwise the order in which more characters are ASCII.
fn unicode(bytes: &[u8], little_endian: bool) -> Option<String> {
    if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        return utf16(rest, true);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        return utf16(rest, false);
    }
    let ascii = |high: usize| {
        bytes.chunks_exact(2).filter(|pair| pair[high] == 0 && pair[1 - high] != 0).count()
    };
    let (little, big) = (ascii(1), ascii(0));
    if little == 0 && big == 0 && bytes.is_ascii() {
        // UTF-8 despite the character code.
        return Some(text(bytes));
    }
    let first = if little == big { little_endian } else { little > big };
    utf16(bytes, first).or_else(|| utf16(bytes, !first))
}

fn utf16(bytes: &[u8], little_endian: bool) -> Option<String> {
    let units = bytes.chunks_exact(2).map(|pair| {
        let pair = [pair[0], pair[1]];
        if little_endian { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    });
    char::decode_utf16(units).collect::<Result<String, _>>().ok()
}
