//! A snapshot, read in place from its bytes.

use bytes::Bytes;

use crate::dictionary::Dictionary;
use crate::format::{FormatError, Header, Key, Section, long, word};
use crate::posting::Posting;

/// All items as they were at one moment, ready to be searched. Cloning it copies no bytes.
///
/// Items are numbered from 0 in the order of [`Sort::Recent`](crate::Sort::Recent).
#[derive(Clone, Debug)]
pub struct Snapshot {
    bytes: Bytes,
    header: Header,
}

impl Snapshot {
    /// Opens a snapshot. Reads and checks only the header, so this takes microseconds for any
    /// number of items.
    ///
    /// # Errors
    /// [`FormatError`] if the bytes are something else, of another version, or of another length
    /// than was written. Damage after the header is found by [`verify`](Self::verify) only.
    pub fn open(bytes: Bytes) -> Result<Self, FormatError> {
        let header = Header::read(&bytes)?;
        Ok(Self { bytes, header })
    }

    /// Reads all bytes and compares their checksum. A search in a damaged snapshot gives wrong
    /// answers, but ends and doesn't panic.
    ///
    /// # Errors
    /// [`FormatError::Damaged`] if the bytes are not those that were written.
    pub fn verify(&self) -> Result<(), FormatError> {
        let body = self.bytes.get(self.header.body()).unwrap_or_default();
        if crc32fast::hash(body) == self.header.checksum {
            Ok(())
        } else {
            Err(FormatError::Damaged)
        }
    }

    /// The number of items.
    pub fn len(&self) -> u32 {
        self.header.items
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.header.items == 0
    }

    /// Tells snapshots apart, but for one collision in 2^32.
    pub(crate) fn fingerprint(&self) -> (u32, u32, usize) {
        (self.header.checksum, self.header.items, self.bytes.len())
    }

    fn section(&self, section: Section) -> &[u8] {
        self.bytes.get(self.header.range(section)).unwrap_or_default()
    }

    pub(crate) fn id(&self, doc: u32) -> Option<u128> {
        let at = doc as usize * 16;
        Some(u128::from_le_bytes(self.section(Section::Ids).get(at..at + 16)?.try_into().ok()?))
    }

    pub(crate) fn published(&self, doc: u32) -> Option<u64> {
        long(self.section(Section::Published), doc as usize * 8)
    }

    pub(crate) fn votes(&self, doc: u32) -> Option<u32> {
        word(self.section(Section::Votes), doc as usize * 4)
    }

    /// The item at an ordinal in the order of [`Sort::Top`](crate::Sort::Top).
    pub(crate) fn nth_by_votes(&self, place: u32) -> Option<u32> {
        word(self.section(Section::ByTop), place as usize * 4)
    }

    /// The ordinals of items in the order of [`Sort::Top`](crate::Sort::Top).
    pub(crate) fn top_ordinals(&self) -> impl Fn(u32) -> Option<u32> {
        let places = self.section(Section::TopOrdinals);
        move |doc| word(places, doc as usize * 4)
    }

    /// The number of the item with this identifier.
    pub(crate) fn find(&self, id: u128) -> Option<u32> {
        let by_id = self.section(Section::ById);
        let (mut low, mut high) = (0, self.header.items as usize);
        while low < high {
            let middle = low + (high - low) / 2;
            let doc = word(by_id, middle * 4)?;
            match self.id(doc)?.cmp(&id) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(doc),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn dictionary(&self) -> Dictionary<'_> {
        Dictionary { blocks: self.section(Section::Blocks), keys: self.section(Section::Keys) }
    }

    /// The posting of a key.
    pub(crate) fn posting(&self, key: Key<'_>) -> Option<Posting<'_>> {
        self.dictionary().find(&key.bytes()).map(|found| self.stored(found.count, found.offset))
    }

    /// Calls `each` with the posting of every word that begins with `prefix`.
    pub(crate) fn words_beginning(&self, prefix: &str, mut each: impl FnMut(Posting<'_>)) {
        let key = Key::Term(prefix).bytes();
        self.dictionary().beginning(&key, |_, found| each(self.stored(found.count, found.offset)));
    }

    /// Calls `each` with all keys and their postings.
    pub(crate) fn all_keys(&self, mut each: impl FnMut(Key<'_>, Posting<'_>)) {
        self.dictionary().beginning(&[], |bytes, found| {
            if let Some(key) = Key::read(bytes) {
                each(key, self.stored(found.count, found.offset));
            }
        });
    }

    fn stored(&self, count: u32, offset: u64) -> Posting<'_> {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = self.section(Section::Postings).get(offset..).unwrap_or_default();
        Posting::new(count, self.header.items, bytes)
    }

    /// The runs of an item, each followed by a line feed.
    pub(crate) fn runs(&self, doc: u32) -> &[u8] {
        let places = self.section(Section::RunOffsets);
        let place =
            |doc: usize| long(places, doc * 8).and_then(|place| usize::try_from(place).ok());
        match (place(doc as usize), place(doc as usize + 1)) {
            (Some(start), Some(end)) => {
                self.section(Section::Runs).get(start..end).unwrap_or_default()
            }
            _ => &[],
        }
    }
}
