//! The texts of an Exif block (CIPA DC-008, TIFF 6.0): comments, descriptions and misused fields.

use super::field::{Fields, text};

/// Fields that generators write to, with the names of the standard: in the directories of pictures,
const TAGS: [(u16, &str); 7] = [
    (0x010e, "ImageDescription"),
    (0x010f, "Make"),
    (0x0110, "Model"),
    (0x0131, "Software"),
    (0x013b, "Artist"),
    // Windows shows these as title and comment.
    (0x9c9b, "XPTitle"),
    (0x9c9c, "XPComment"),
];
/// and in the directory of Exif's own fields.
const EXIF_TAGS: [(u16, &str); 2] = [(0x9286, "UserComment"), (0x927c, "MakerNote")];
/// The field that tells where that directory is.
const POINTER: u16 = 0x8769;
/// Types of values.
const BYTE: u16 = 1;
const ASCII: u16 = 2;
const LONG: u16 = 4;
const UNDEFINED: u16 = 7;
/// Most directories of pictures: there is one of the picture, and one of its thumbnail.
const MOST_PICTURES: usize = 8;
/// Most entries of all directories together. Cameras write up to 100. Directories may overlap in a hostile block, and
/// the work would grow with the square of its size.
const MOST_ENTRIES: usize = 1_000;

/// Adds the texts of the block, as far as it can be read.
pub fn read(bytes: &[u8], fields: &mut Fields) {
    let little_endian = match bytes {
        [b'I', b'I', 42, 0, ..] => true,
        [b'M', b'M', 0, 42, ..] => false,
        _ => return,
    };
    let mut block = Block { bytes, little_endian, entries: MOST_ENTRIES, values: bytes.len() };
    let mut next = block.four(4);
    for _ in 0..MOST_PICTURES {
        let Some(at) = next.filter(|at| *at != 0) else { break };
        next = block.directory(at, &TAGS, fields);
    }
}

struct Block<'a> {
    bytes: &'a [u8],
    little_endian: bool,
    /// Entries that may still be read.
    entries: usize,
    /// Bytes of values that may still be read: in a sound block values do not overlap.
    values: usize,
}

impl Block<'_> {
    /// Adds the texts of a directory. Returns where the next one is, or 0.
    fn directory(&mut self, at: usize, tags: &[(u16, &str)], fields: &mut Fields) -> Option<usize> {
        let count = self.two(at)?;
        let mut entry = at.checked_add(2)?;
        for _ in 0..count {
            self.entries = self.entries.checked_sub(1)?;
            budget::spend(tags.len());
            let (tag, kind, length) =
                (self.two(entry)?, self.two(entry + 2)?, self.four(entry + 4)?);
            if (tag, kind, length) == (POINTER, LONG, 1) && tags != EXIF_TAGS {
                let inner = self.four(entry + 8)?;
                self.directory(inner, &EXIF_TAGS, fields);
            }
            if let Some((_, name)) = tags.iter().find(|(known, _)| *known == tag)
                && let Some(value) = self.value(kind, length, entry + 8)
                && let Some(text) = self.text(name, &value)
            {
                fields.add("EXIF", name, text);
            }
            entry += 12;
        }
        self.four(entry)
    }

    /// A value of so many bytes, if it is of a type for texts. It stands at `at`, or where that says.
    fn value(&mut self, kind: u16, length: usize, at: usize) -> Option<Vec<u8>> {
        let at = if length <= 4 { at } else { self.four(at)? };
        let value = self.bytes.get(at..at.checked_add(length)?)?;
        if !matches!(kind, BYTE | ASCII | UNDEFINED) {
            return None;
        }
        self.values = self.values.checked_sub(length)?;
        budget::spend(length);
        if kind != ASCII {
            return Some(value.to_vec());
        }
        // Several texts, each with a zero at its end.
        let texts = value.strip_suffix(&[0]).unwrap_or(value);
        Some(texts.iter().map(|byte| if *byte == 0 { b' ' } else { *byte }).collect())
    }

    fn text(&self, name: &str, value: &[u8]) -> Option<String> {
        match name {
            "UserComment" => comment(value, self.little_endian),
            "XPTitle" | "XPComment" => utf16(value, true),
            _ => Some(text(value)),
        }
    }

    fn two(&self, at: usize) -> Option<u16> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.little_endian { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    fn four(&self, at: usize) -> Option<usize> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        let value =
            if self.little_endian { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
        usize::try_from(value).ok()
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
