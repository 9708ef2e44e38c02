//! The bytes of a snapshot: a header with the offsets of the sections, and the sections.

use std::ops::Range;

/// The first bytes of every snapshot.
const MAGIC: [u8; 8] = *b"CATALOG\n";

/// The version of everything after the header, and of the tokenizer.
const VERSION: u32 = 1;

/// The sections, in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Identifiers, 16 bytes each.
    Ids,
    /// Times of publishing, 8 bytes each.
    Published,
    /// Numbers of votes, 4 bytes each.
    Votes,
    /// The items by [`Sort::Top`](crate::Sort::Top), 4 bytes each.
    ByTop,
    /// Each item's index in `ByTop`, 4 bytes each.
    TopOrdinals,
    /// The items by identifier, 4 bytes each.
    ById,
    /// Offsets of the dictionary's blocks, 8 bytes each.
    Blocks,
    /// The keys of the dictionary.
    Keys,
    /// The postings of the keys.
    Postings,
    /// Offsets of each item's runs, and the end of the last, 8 bytes each.
    RunOffsets,
    /// The runs of each item, each followed by a line feed.
    Runs,
}

const SECTIONS: usize = Section::Runs as usize + 1;

/// Length of the header: magic, version, items, checksum of the body, a zero, the length of all
/// bytes, the sections' offsets and the end of the last, and the checksum of all this.
const HEADER: usize = 8 + 4 * 4 + 8 + 8 * (SECTIONS + 1) + 8;

/// Why bytes cannot be opened as a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The bytes are something else.
    #[error("not a search index snapshot")]
    NotASnapshot,
    /// The bytes were written by another version of this crate.
    #[error("a search index snapshot of the unsupported version {0}")]
    Version(u32),
    /// There are fewer or more bytes than were written.
    #[error("a search index snapshot of the wrong length")]
    Length,
    /// The bytes are not those that were written.
    #[error("a damaged search index snapshot")]
    Damaged,
}

/// A snapshot's header.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// The number of items.
    pub(crate) items: u32,
    /// The checksum of everything after the header.
    pub(crate) checksum: u32,
    bounds: [usize; SECTIONS + 1],
}

impl Header {
    /// The bytes of a section.
    pub(crate) fn range(&self, section: Section) -> Range<usize> {
        self.bounds[section as usize]..self.bounds[section as usize + 1]
    }

    /// The bytes after the header.
    pub(crate) fn body(&self) -> Range<usize> {
        HEADER..self.bounds[SECTIONS]
    }

    /// Reads and checks a header, in time that doesn't depend on the number of items.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FormatError> {
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(FormatError::NotASnapshot);
        }
        let version = word(bytes, 8).ok_or(FormatError::Length)?;
        if version != VERSION {
            return Err(FormatError::Version(version));
        }
        let header = bytes.get(..HEADER).ok_or(FormatError::Length)?;
        let (content, checksum) = header.split_at(HEADER - 8);
        if long(checksum, 0) != Some(crc32fast::hash(content).into()) {
            return Err(FormatError::Damaged);
        }
        if long(header, 24) != Some(bytes.len() as u64) {
            return Err(FormatError::Length);
        }
        let mut bounds = [0; SECTIONS + 1];
        for (index, bound) in bounds.iter_mut().enumerate() {
            let value = long(header, 32 + index * 8).and_then(|value| usize::try_from(value).ok());
            *bound = value.ok_or(FormatError::Damaged)?;
        }
        let (Some(items), Some(checksum)) = (word(bytes, 12), word(bytes, 16)) else {
            return Err(FormatError::Damaged);
        };
        let header = Self { items, checksum, bounds };
        if header.is_consistent(bytes.len()) { Ok(header) } else { Err(FormatError::Damaged) }
    }

    /// Whether the sections follow each other and the columns have a value for each item.
    fn is_consistent(&self, length: usize) -> bool {
        let items = self.items as usize;
        let columns = [
            (Section::Ids, items.checked_mul(16)),
            (Section::Published, items.checked_mul(8)),
            (Section::Votes, items.checked_mul(4)),
            (Section::ByTop, items.checked_mul(4)),
            (Section::TopOrdinals, items.checked_mul(4)),
            (Section::ById, items.checked_mul(4)),
            (Section::RunOffsets, (items + 1).checked_mul(8)),
        ];
        self.bounds.is_sorted()
            && self.bounds[0] == HEADER
            && self.bounds[SECTIONS] == length
            && columns
                .into_iter()
                .all(|(section, length)| Some(self.range(section).len()) == length)
    }
}

/// Puts the sections, given in their order, behind a header.
pub(crate) fn assemble(items: u32, sections: [Vec<u8>; SECTIONS]) -> Vec<u8> {
    let mut bytes = vec![0; HEADER];
    bytes.reserve_exact(sections.iter().map(Vec::len).sum());
    let mut bounds = vec![HEADER as u64];
    for section in sections {
        bytes.extend(section);
        bounds.push(bytes.len() as u64);
    }
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    for word in [VERSION, items, crc32fast::hash(&bytes[HEADER..]), 0] {
        header.extend(word.to_le_bytes());
    }
    header.extend((bytes.len() as u64).to_le_bytes());
    header.extend(bounds.iter().flat_map(|bound| bound.to_le_bytes()));
    header.extend(u64::from(crc32fast::hash(&header)).to_le_bytes());
    bytes[..HEADER].copy_from_slice(&header);
    bytes
}

/// The number of 4 bytes at `at`.
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// The number of 8 bytes at `at`.
pub(crate) fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

/// A key of the dictionary; its first byte is its kind.
#[derive(Clone, Copy)]
pub(crate) enum Key<'a> {
    /// A word, or an n-gram of a run.
    Term(&'a str),
    /// A prefix of many words.
    Prefix(&'a str),
    /// A category.
    Category(&'a str),
    /// A model's number.
    Model(u8),
}

impl<'a> Key<'a> {
    /// The key with these bytes.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        Some(match kind {
            0 => Key::Term(str::from_utf8(rest).ok()?),
            1 => Key::Prefix(str::from_utf8(rest).ok()?),
            2 => Key::Category(str::from_utf8(rest).ok()?),
            3 => Key::Model(*rest.first()?),
            _ => return None,
        })
    }

    /// The key's bytes. Keys of one kind sort like their texts.
    pub(crate) fn bytes(self) -> Vec<u8> {
        let (kind, text) = match self {
            Key::Term(text) => (0, text.as_bytes()),
            Key::Prefix(text) => (1, text.as_bytes()),
            Key::Category(text) => (2, text.as_bytes()),
            Key::Model(model) => (3, &[model][..]),
        };
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.push(kind);
        bytes.extend(text);
        bytes
    }
}
