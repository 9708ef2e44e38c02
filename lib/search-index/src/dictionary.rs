//! The sorted keys of a snapshot, each with its posting.
//!
//! A key is written as the length that it shares with the previous one, the rest, and the size and
//! offset of its posting. Every sixteenth key is whole and its offset is in a table, so that a key
//! is found by bisection and a range of keys is read in one go.

use crate::varint;

/// Keys from one whole key to the next.
const BLOCK: usize = 16;

/// The posting of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TermInfo {
    /// Items in the posting.
    pub(crate) count: u32,
    /// Offset of the posting in its section.
    pub(crate) offset: u64,
}

/// Writes a dictionary.
#[derive(Default)]
pub(crate) struct Writer {
    /// Offset of each block, little-endian, 8 bytes each.
    pub(crate) blocks: Vec<u8>,
    /// The keys.
    pub(crate) keys: Vec<u8>,
    last: Vec<u8>,
    count: usize,
}

impl Writer {
    /// Appends a key, which must sort after all previous ones.
    pub(crate) fn push(&mut self, key: &[u8], found: TermInfo) {
        let mut shared = self.last.iter().zip(key).take_while(|(one, other)| one == other).count();
        if self.count.is_multiple_of(BLOCK) {
            self.blocks.extend((self.keys.len() as u64).to_le_bytes());
            shared = 0;
        }
        self.count += 1;
        varint::push(&mut self.keys, shared as u64);
        varint::push(&mut self.keys, (key.len() - shared) as u64);
        self.keys.extend(&key[shared..]);
        varint::push(&mut self.keys, found.count.into());
        varint::push(&mut self.keys, found.offset);
        self.last.clear();
        self.last.extend(key);
    }
}

/// A dictionary, read in place. Reading ends and doesn't panic for any bytes.
#[derive(Clone, Copy)]
pub(crate) struct Dictionary<'a> {
    pub(crate) blocks: &'a [u8],
    pub(crate) keys: &'a [u8],
}

impl<'a> Dictionary<'a> {
    /// The posting of a key.
    pub(crate) fn find(&self, key: &[u8]) -> Option<TermInfo> {
        let mut result = None;
        self.from(key, |candidate, found| {
            if candidate == key {
                result = Some(found);
            }
            false
        });
        result
    }

    /// Calls `each` with every key that begins with `prefix`.
    pub(crate) fn beginning(&self, prefix: &[u8], mut each: impl FnMut(&[u8], TermInfo)) {
        self.from(prefix, |key, found| {
            let begins = key.starts_with(prefix);
            if begins {
                each(key, found);
            }
            begins
        });
    }

    /// Calls `each` with the keys from `start` on, until it returns false.
    fn from(&self, start: &[u8], mut each: impl FnMut(&[u8], TermInfo) -> bool) {
        let Some(mut bytes) = self.keys.get(self.block_of(start)..) else { return };
        let mut key = Vec::with_capacity(256);
        let mut reached = false;
        while let Some(found) = next(&mut bytes, &mut key) {
            reached = reached || key.as_slice() >= start;
            if reached && !each(&key, found) {
                return;
            }
        }
    }

    /// The offset of the last block whose first key is not after `key`.
    fn block_of(&self, key: &[u8]) -> usize {
        let (mut low, mut high) = (0, self.blocks.len() / 8);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.first_key(middle).is_some_and(|first| first <= key) {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.place(low).unwrap_or(usize::MAX)
    }

    fn place(&self, block: usize) -> Option<usize> {
        let bytes = self.blocks.get(block * 8..block * 8 + 8)?;
        usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
    }

    fn first_key(&self, block: usize) -> Option<&'a [u8]> {
        let mut bytes = self.keys.get(self.place(block)?..)?;
        varint::take(&mut bytes)?;
        let length = usize::try_from(varint::take(&mut bytes)?).ok()?;
        bytes.get(..length)
    }
}

/// Reads the next key, given the previous one.
fn next(bytes: &mut &[u8], key: &mut Vec<u8>) -> Option<TermInfo> {
    let shared = usize::try_from(varint::take(bytes)?).ok()?;
    let length = usize::try_from(varint::take(bytes)?).ok()?;
    if shared > key.len() || length > bytes.len() {
        return None;
    }
    let (rest, after) = bytes.split_at(length);
    key.truncate(shared);
    key.extend(rest);
    *bytes = after;
    let count = u32::try_from(varint::take(bytes)?).ok()?;
    Some(TermInfo { count, offset: varint::take(bytes)? })
}
