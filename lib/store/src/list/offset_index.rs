//! The position of offsets in a long list: one small item per account and list, so that a page at a high
//! offset takes one read and one query. [`super::change`] says which lists are long.
//!
//! The keys of a list are divided into ranges. The offset index has the first key and the count of
//! each range. It is written in the transaction that adds an item to the list or removes one, under
//! an optimistic version, so its counts are exact. New keys are nearly always the greatest; a full
//! range at that end is followed by a new one. A range with more than twice the capacity is split
//! by the keys that the table has, one range per change. An offset index never has more than 400
//! ranges (4.8 KB): the capacity grows with the list.
//!
//! A key is the upper half of an identifier: its instant and its first random bits.

use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::{AccountId, HistoryType, PresetId};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, bytes, number, text},
    keys::{self, LIST_PK, SK},
};

/// Entries of a full range in a short list. Beside its own entries, a page reads fewer than this
/// from full ranges, and fewer than twice as many from any others.
pub const CAPACITY: u64 = 50;
/// Ranges of a long list if all of them were full.
const RANGES: u64 = 200;
/// Bytes of a range in the item.
const RANGE_BYTES: usize = 12;

/// A list of an account that has an offset index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// Whose list.
    pub account: AccountId,
    /// Code of the list in keys.
    pub(crate) code: &'static str,
}

impl List {
    /// The presets of an account.
    pub const fn presets(account: AccountId) -> Self {
        Self { account, code: keys::PRESET_LIST }
    }

    /// The history items of one kind of an account.
    pub const fn history(account: AccountId, kind: HistoryType) -> Self {
        Self { account, code: keys::history_list(kind) }
    }
}

/// An entry that a list gains or loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The identifier with these bits is added.
    Add(u128),
    /// The identifier with these bits is removed.
    Remove(u128),
}

/// Where, and in which direction, reading a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanStart {
    /// At the newest entry, to older ones.
    Newest,
    /// At the newest entry with a smaller key, to older ones.
    Below(u64),
    /// At the oldest entry with this key or a greater one, to newer ones.
    From(u64),
}

/// The position of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagePosition {
    /// Where reading begins.
    pub begin: ScanStart,
    /// Entries to skip before the page.
    pub skip: u64,
    /// Entries of the page.
    pub count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    from: u64,
    count: u64,
}

/// The ranges of a list, as they were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetIndex {
    version: i64,
    /// The greatest key so far.
    last: u64,
    /// Oldest first; the first one begins at 0.
    ranges: Vec<Range>,
}

/// The half of an identifier that orders an offset index.
pub const fn key_of(bits: u128) -> u64 {
    (bits >> 64) as u64
}

impl OffsetIndex {
    /// The offset index of a list that has these keys.
    fn of(keys: Vec<u64>, version: i64) -> Self {
        let last = keys.iter().copied().max().unwrap_or_default();
        let mut index = Self { version, last, ranges: vec![Range { from: 0, count: 0 }] };
        index.split(0, keys);
        index
    }

    /// Number of entries of the list.
    pub fn total(&self) -> u64 {
        self.ranges.iter().map(|range| range.count).sum()
    }

    /// Number of ranges of the list.
    pub fn ranges(&self) -> usize {
        self.ranges.len()
    }

    fn capacity(&self) -> u64 {
        CAPACITY.max(self.total().div_ceil(RANGES))
    }

    fn position(&self, key: u64) -> usize {
        self.ranges.partition_point(|range| range.from <= key).saturating_sub(1)
    }

    /// Counts an added entry.
    pub fn add(&mut self, key: u64) {
        let capacity = self.capacity();
        let position = self.position(key);
        match self.ranges.get_mut(position) {
            None => self.ranges.push(Range { from: 0, count: 1 }),
            // The newest range is full, and the entry is newer than all of it.
            Some(range) if key > self.last && range.count >= capacity => {
                self.ranges.push(Range { from: key, count: 1 });
            }
            Some(range) => range.count += 1,
        }
        self.last = self.last.max(key);
        self.merge();
    }

    /// Counts a removed entry.
    pub fn remove(&mut self, key: u64) {
        let position = self.position(key);
        if let Some(range) = self.ranges.get_mut(position) {
            range.count = range.count.saturating_sub(1);
        }
        self.ranges.retain(|range| range.count > 0);
        if let Some(first) = self.ranges.first_mut() {
            first.from = 0;
        }
        self.merge();
    }

    /// Merges neighbours that fit into one range.
    fn merge(&mut self) {
        let capacity = self.capacity();
        self.ranges.dedup_by(|next, range| {
            let fits = range.count + next.count <= capacity;
            if fits {
                range.count += next.count;
            }
            fits
        });
    }

    /// The bounds of the fullest range if it has more than twice the capacity: its first key, and
    /// the first key behind it. Each change splits one such range; a longer list that has shrunk
    /// may leave several.
    pub fn overfull(&self) -> Option<(u64, Option<u64>)> {
        let ranges = self.ranges.iter().enumerate();
        let (position, range) = ranges.max_by_key(|(_, range)| range.count)?;
        let next = self.ranges.get(position + 1).map(|next| next.from);
        (range.count > self.capacity() * 2).then_some((range.from, next))
    }

    /// Splits the range that begins at `from` and has exactly `keys`.
    pub fn split(&mut self, from: u64, mut keys: Vec<u64>) {
        keys.sort_unstable();
        let capacity = self.capacity();
        let mut parts = vec![Range { from, count: 0 }];
        for (index, key) in keys.iter().enumerate() {
            let is_new = index == 0 || keys[index - 1] < *key;
            match parts.last_mut() {
                // Equal keys cannot be in different ranges.
                Some(part) if part.count < capacity || !is_new => part.count += 1,
                _ => parts.push(Range { from: *key, count: 1 }),
            }
        }
        let position = self.position(from);
        if self.ranges.get(position).is_some_and(|range| range.from == from) {
            self.ranges
                .splice(position..=position, parts.into_iter().filter(|part| part.count > 0));
        }
        self.merge();
    }

    /// The position of the page of at most `wanted` entries from `offset`, newest first, read from
    /// the end with fewer entries to skip; `None` if the list ends before it.
    pub fn locate(&self, offset: u64, wanted: u64) -> Option<PagePosition> {
        let end = self.total().min(offset.saturating_add(wanted));
        let count = end.checked_sub(offset).filter(|count| *count > 0)?;
        let (mut begin, mut before) = (ScanStart::Newest, 0);
        let mut newest_first = None;
        for range in self.ranges.iter().rev() {
            let after = before + range.count;
            if newest_first.is_none() && after > offset {
                newest_first = Some(PagePosition { begin, skip: offset - before, count });
            }
            if after >= end {
                let oldest_first =
                    PagePosition { begin: ScanStart::From(range.from), skip: after - end, count };
                return newest_first.map(|location| match oldest_first.skip < location.skip {
                    true => oldest_first,
                    false => location,
                });
            }
            (begin, before) = (ScanStart::Below(range.from), after);
        }
        None
    }

    /// Reads the item of an offset index.
    pub(super) fn read(item: &Attributes) -> Result<Self, StoreError> {
        let reader = ItemReader(item);
        let corrupt = || StoreError::corrupt("r");
        let (last, packed) = reader.bytes("r")?.split_first_chunk::<8>().ok_or_else(corrupt)?;
        if !packed.len().is_multiple_of(RANGE_BYTES) {
            return Err(corrupt());
        }
        let ranges = packed.chunks_exact(RANGE_BYTES).map(|range| {
            let (from, count) = range.split_first_chunk::<8>()?;
            let count = u32::from_be_bytes(count.try_into().ok()?);
            Some(Range { from: u64::from_be_bytes(*from), count: count.into() })
        });
        Ok(Self {
            version: reader.number("v")?,
            last: u64::from_be_bytes(*last),
            ranges: ranges.collect::<Option<_>>().ok_or_else(corrupt)?,
        })
    }

    /// The item of the offset index.
    pub fn write(&self, list: List) -> Attributes {
        let mut packed = self.last.to_be_bytes().to_vec();
        for range in &self.ranges {
            packed.extend(range.from.to_be_bytes());
            packed.extend(u32::try_from(range.count).unwrap_or(u32::MAX).to_be_bytes());
        }
        let mut item = keys::offset_index(list.account, list.code);
        item.insert("r".to_owned(), bytes(packed));
        item.insert("v".to_owned(), number(self.version));
        item
    }
}

impl Store {
    /// The offset index of a list, with a consistent read; `None` if it has none yet.
    pub async fn offset_index(&self, list: List) -> Result<Option<OffsetIndex>, StoreError> {
        let item = self.get_item(keys::offset_index(list.account, list.code)).await?;
        item.as_ref().map(OffsetIndex::read).transpose()
    }

    /// The write of a list's offset index after `change`. If `offset_index` is out of date, its
    /// condition fails and returns the stored item.
    pub(super) async fn write_change(
        &self,
        list: List,
        change: Change,
        mut offset_index: OffsetIndex,
    ) -> Result<TransactWriteItem, StoreError> {
        let version = offset_index.version;
        match change {
            Change::Add(bits) => offset_index.add(key_of(bits)),
            Change::Remove(bits) => offset_index.remove(key_of(bits)),
        }
        self.split_overfull(list, change, &mut offset_index).await?;
        offset_index.version += 1;
        Ok(self.put_if_version(offset_index.write(list), version))
    }

    /// The offset index of a list as the table has it, to be written in the place of `stray`.
    pub(super) async fn build_offset_index(
        &self,
        list: List,
        stray: Option<OffsetIndex>,
    ) -> Result<OffsetIndex, StoreError> {
        let keys = self.keys_between(list, 0, None).await?;
        Ok(OffsetIndex::of(keys, stray.map_or(0, |stray| stray.version)))
    }

    /// Splits a range that is too long, by the keys of the table and the one that `change` adds or
    /// removes.
    async fn split_overfull(
        &self,
        list: List,
        change: Change,
        offset_index: &mut OffsetIndex,
    ) -> Result<(), StoreError> {
        let Some((from, next)) = offset_index.overfull() else { return Ok(()) };
        let mut held = self.keys_between(list, from, next).await?;
        match change {
            Change::Add(bits) => {
                let key = key_of(bits);
                if key >= from && next.is_none_or(|next| key < next) {
                    held.push(key);
                }
            }
            Change::Remove(bits) => {
                if let Some(position) = held.iter().position(|key| *key == key_of(bits)) {
                    held.swap_remove(position);
                }
            }
        }
        offset_index.split(from, held);
        Ok(())
    }

    /// The keys of a list from one key up to another, with consistent reads.
    async fn keys_between(
        &self,
        list: List,
        from: u64,
        next: Option<u64>,
    ) -> Result<Vec<u64>, StoreError> {
        let end = next.map_or(u128::MAX, |next| lowest(next) - 1);
        let mut found = Vec::new();
        let mut begin = None;
        loop {
            let answer = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.names.table)
                .consistent_read(true)
                .key_condition_expression("pk = :pk AND sk BETWEEN :from AND :end")
                .filter_expression("attribute_exists(#listed)")
                .projection_expression("sk")
                .expression_attribute_names("#listed", LIST_PK)
                .expression_attribute_values(":pk", text(list.account.unique()))
                .expression_attribute_values(":from", text(sort_key(list, lowest(from))))
                .expression_attribute_values(":end", text(sort_key(list, end)))
                .set_exclusive_start_key(begin)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            for item in answer.items.unwrap_or_default() {
                let unique = ItemReader(&item).text(SK)?.rsplit('#').next().unwrap_or_default();
                let id = PresetId::from_unique(unique).map_err(|_| StoreError::corrupt(SK))?;
                found.push(key_of(id.bits()));
            }
            begin = answer.last_evaluated_key;
            if begin.is_none() {
                return Ok(found);
            }
        }
    }
}

/// The smallest identifier with the given key.
const fn lowest(key: u64) -> u128 {
    (key as u128) << 64
}

/// The unique part of the smallest identifier with the given key; the same for every type of
/// identifier.
pub(crate) fn lowest_unique(key: u64) -> String {
    PresetId::from_bits(lowest(key)).unique()
}

fn sort_key(list: List, bits: u128) -> String {
    keys::list_item_sk(list.code, &PresetId::from_bits(bits).unique())
}
