//! The texts of a file beside its pixels.

/// Most fields that are read.
const MOST_FIELDS: usize = 128;
/// Most compressed texts that are read.
const MOST_COMPRESSED: usize = 24;
/// Most text of all fields together, in bytes.
const MOST_TEXT: usize = 16 << 20;

/// A text and its place in the file.
#[derive(Clone, Debug)]
pub struct Field {
    /// The kind of place, such as `tEXt`, `EXIF` or `XMP`.
    pub place: &'static str,
    /// Its name there; empty if the place has only one text.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Field {
    /// The text at a place.
    pub fn new(place: &'static str, name: &str, text: String) -> Self {
        Self { place, name: name.to_owned(), text }
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
    compressed: usize,
}

impl Fields {
    /// Adds a text unless it is blank or the bounds are reached.
    pub fn add(&mut self, place: &'static str, name: &str, text: String) {
        let text = text.trim_end_matches('\0');
        if !text.trim().is_empty()
            && self.list.len() < MOST_FIELDS
            && self.bytes + text.len() <= MOST_TEXT
        {
            self.bytes += text.len();
            self.list.push(Field::new(place, name, text.to_owned()));
        }
    }

    /// Counts a compressed text; `None` once there are too many to inflate.
    pub fn compressed(&mut self) -> Option<()> {
        self.compressed += 1;
        (self.compressed <= MOST_COMPRESSED).then_some(())
    }

    /// The fields in the file's order.
    pub fn into_list(self) -> Vec<Field> {
        self.list
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
        if length == 0 {
            return Some((content, at + 1));
        }
        content.extend_from_slice(bytes.get(at + 1..at + 1 + length)?);
        at += 1 + length;
    }
}
