//! The texts of a file beside its pixels.

use std::{cell::OnceCell, io::Read};

use serde_json::{Map, Value};

use super::json;

/// Most fields that are read.
const MOST_FIELDS: usize = 128;
/// Most compressed texts that are read.
const MOST_COMPRESSED: usize = 24;
/// Most text of all fields together, in bytes. Each field becomes at most one tree of JSON, and JSON in one of its texts
/// another one: of at most 8 MB together.
pub const MOST_TEXT: usize = 4 << 20;
/// Most values of all these trees together. One takes up to 450 bytes of memory. The largest graphs have 200,000.
const MOST_VALUES: usize = 500_000;
/// Most bytes that are inflated and parsed as XML, of all texts together.
const MOST_COUNTED: usize = 8 << 20;

/// A text and its place in the file.
#[derive(Debug)]
pub struct Field {
    /// The kind of place, such as `tEXt`, `EXIF` or `XMP`.
    pub place: &'static str,
    /// Its name there; empty if the place has only one text.
    pub name: String,
    /// The text.
    pub text: String,
    object: OnceCell<Option<Map<String, Value>>>,
}

impl Field {
    /// The object that the text is in JSON. It is parsed only once.
    pub fn object(&self) -> Option<&Map<String, Value>> {
        self.object.get_or_init(|| json::object(&self.text)).as_ref()
    }

    /// Place and name, for display.
    pub fn label(&self) -> String {
        format!("{} {}", self.place, self.name).trim_end().to_owned()
    }
}

/// Collects fields as long as there are not too many.
#[derive(Debug, Default)]
pub struct Fields {
    list: Vec<Field>,
    bytes: usize,
    values: usize,
    compressed: usize,
    counted: usize,
}

impl Fields {
    /// Adds a text unless it is blank or the bounds are reached.
    pub fn add(&mut self, place: &'static str, name: &str, mut text: String) {
        budget::spend(text.len());
        text.truncate(text.trim_end_matches('\0').len());
        // Each value of a tree but its root follows one of these.
        let values = text.bytes().filter(|byte| b",[{".contains(byte)).count();
        if self.list.len() < MOST_FIELDS
            && text.len() <= MOST_TEXT - self.bytes
            && values <= MOST_VALUES - self.values
            && !text.trim().is_empty()
        {
            self.bytes += text.len();
            self.values += values;
            self.list.push(Field { place, name: name.to_owned(), text, object: OnceCell::new() });
        }
    }

    /// Inflates a text; `None` if it is broken, or if there is too much to inflate.
    pub fn inflate<R: Read>(&mut self, reader: impl FnOnce() -> R) -> Option<Vec<u8>> {
        self.compressed += 1;
        let left = MOST_COUNTED - self.counted;
        if self.compressed > MOST_COMPRESSED || left == 0 {
            return None;
        }
        let mut content = Vec::new();
        let whole = reader().take(left as u64).read_to_end(&mut content);
        self.count(content.len())?;
        (whole.is_ok() && content.len() < left).then_some(content)
    }

    /// Counts bytes that cost more than to be read once; `None` if there are too many.
    pub fn count(&mut self, bytes: usize) -> Option<()> {
        budget::spend(bytes);
        self.counted =
            self.counted.checked_add(bytes).filter(|counted| *counted <= MOST_COUNTED)?;
        Some(())
    }

    /// The fields in the file's order.
    pub fn list(&self) -> &[Field] {
        &self.list
    }

    /// Frees the fields; what was read still counts.
    pub fn clear(&mut self) {
        self.list.clear();
    }
}

/// The text in UTF-8 if that is valid, otherwise in Latin-1.
pub fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => latin(bytes),
    }
}

/// The text in Latin-1, where every byte is the code point.
pub fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// The comments of a GIF file (GIF89a specification, section 24).
pub fn of_gif(bytes: &[u8]) -> Fields {
    let mut fields = Fields::default();
    walk_gif(bytes, &mut fields);
    fields
}

fn walk_gif(bytes: &[u8], fields: &mut Fields) -> Option<()> {
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut at = 13 + table(*bytes.get(10)?);
    loop {
        match *bytes.get(at)? {
            0x21 => {
                let comment = *bytes.get(at + 1)? == 0xfe;
                let (content, next) = blocks(bytes, at + 2)?;
                if comment {
                    fields.add("GIF comment", "", text(&content));
                }
                at = next;
            }
            0x2c => at = blocks(bytes, at + 11 + table(*bytes.get(at + 9)?))?.1,
            _ => return None,
        }
    }
}

/// A chain of sub-blocks from `at`, and where the chain ends.
fn blocks(bytes: &[u8], mut at: usize) -> Option<(Vec<u8>, usize)> {
    let mut content = Vec::new();
    loop {
        let length = usize::from(*bytes.get(at)?);
        budget::spend(1 + length);
        if length == 0 {
            return Some((content, at + 1));
        }
        content.extend_from_slice(bytes.get(at + 1..at + 1 + length)?);
        at += 1 + length;
    }
}
