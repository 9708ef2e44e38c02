//! Postings: as they are stored, and as a search computes with them.
//!
//! A small posting is a list of gaps, a large one (one item in thirty-two) a bitmap. With this
//! bound no list is so long that reading it matters, and a bitmap takes at most four times its
//! list.

use crate::varint;

/// Whether a posting of `count` out of `items` is stored as a bitmap.
pub(crate) fn is_dense(count: u32, items: u32) -> bool {
    count >= 64 && u64::from(count) * 32 >= u64::from(items)
}

/// Length of a bitmap of `items`, in words of 64 bits.
pub(crate) fn words(items: u32) -> usize {
    (items as usize).div_ceil(64)
}

/// Appends a posting; `docs` is in ascending order.
pub(crate) fn write(bytes: &mut Vec<u8>, items: u32, docs: &[u32]) {
    if is_dense(docs.len() as u32, items) {
        let mut bits = vec![0u64; words(items)];
        docs.iter().for_each(|&doc| set(&mut bits, doc));
        bytes.extend(bits.iter().flat_map(|word| word.to_le_bytes()));
        return;
    }
    let mut next = 0;
    for &doc in docs {
        varint::push(bytes, u64::from(doc - next));
        next = doc + 1;
    }
}

fn set(bits: &mut [u64], doc: u32) {
    if let Some(word) = bits.get_mut(doc as usize / 64) {
        *word |= 1 << (doc % 64);
    }
}

/// A posting as it is stored.
#[derive(Clone, Copy)]
pub(crate) struct Posting<'a> {
    /// Items in the posting.
    pub(crate) count: u32,
    items: u32,
    bytes: &'a [u8],
}

impl<'a> Posting<'a> {
    /// The posting of `count` out of `items` at the front of `bytes`.
    pub(crate) fn new(count: u32, items: u32, bytes: &'a [u8]) -> Self {
        Self { count, items, bytes }
    }

    fn bits(&self) -> Option<&'a [u8]> {
        is_dense(self.count, self.items)
            .then(|| self.bytes.get(..words(self.items) * 8).unwrap_or_default())
    }

    fn list(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (mut bytes, mut next, items) = (self.bytes, 0u64, u64::from(self.items));
        (0..self.count).map_while(move |_| {
            let doc = next.checked_add(varint::take(&mut bytes)?).filter(|doc| *doc < items)?;
            next = doc + 1;
            Some(doc as u32)
        })
    }

    /// The posting in memory.
    pub(crate) fn docs(&self) -> Docs {
        match self.bits() {
            Some(bits) => Docs::Bits(stored_words(bits).collect()),
            None => Docs::List(self.list().collect()),
        }
    }
}

fn stored_words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|chunk| chunk.try_into().map_or(0, u64::from_le_bytes))
}

/// A set of items in memory.
#[derive(Debug)]
pub(crate) enum Docs {
    /// The items in ascending order.
    List(Vec<u32>),
    /// A bit for each item; bits past the last item have no meaning.
    Bits(Vec<u64>),
}

impl Docs {
    /// Keeps the items that are also in a posting.
    pub(crate) fn keep_stored(&mut self, other: &Posting<'_>) {
        match (&mut *self, other.bits()) {
            (Docs::List(list), Some(bits)) => list.retain(|doc| {
                bits.get(*doc as usize / 8).is_some_and(|byte| byte >> (doc % 8) & 1 == 1)
            }),
            (Docs::Bits(mine), Some(bits)) => {
                mine.iter_mut().zip(stored_words(bits)).for_each(|(mine, word)| *mine &= word);
            }
            (Docs::List(list), None) => keep_common(list, other.list()),
            (Docs::Bits(_), None) => {
                let mut list = other.docs();
                list.keep(self);
                *self = list;
            }
        }
    }

    /// Keeps the items that are also in another set.
    pub(crate) fn keep(&mut self, other: &Docs) {
        match (&mut *self, other) {
            (Docs::List(list), Docs::List(other)) => keep_common(list, other.iter().copied()),
            (Docs::List(list), other) => list.retain(|doc| other.contains(*doc)),
            (Docs::Bits(mine), Docs::Bits(other)) => {
                mine.iter_mut().zip(other).for_each(|(mine, word)| *mine &= word)
            }
            (Docs::Bits(_), Docs::List(other)) => {
                let mut list = Docs::List(other.clone());
                list.keep(self);
                *self = list;
            }
        }
    }

    /// Removes items; `gone` is in ascending order.
    pub(crate) fn remove(&mut self, gone: &[u32]) {
        match self {
            Docs::List(list) => list.retain(|doc| gone.binary_search(doc).is_err()),
            Docs::Bits(bits) => gone.iter().for_each(|doc| {
                if let Some(word) = bits.get_mut(*doc as usize / 64) {
                    *word &= !(1 << (doc % 64));
                }
            }),
        }
    }

    pub(crate) fn contains(&self, doc: u32) -> bool {
        match self {
            Docs::List(list) => list.binary_search(&doc).is_ok(),
            Docs::Bits(bits) => {
                bits.get(doc as usize / 64).is_some_and(|word| word >> (doc % 64) & 1 == 1)
            }
        }
    }

    /// Calls `found` with each item, in ascending order.
    pub(crate) fn each(&self, mut found: impl FnMut(u32)) {
        match self {
            Docs::List(list) => list.iter().copied().for_each(found),
            Docs::Bits(bits) => {
                for (index, &word) in bits.iter().enumerate() {
                    let mut word = word;
                    while word != 0 {
                        found(index as u32 * 64 + word.trailing_zeros());
                        word &= word - 1;
                    }
                }
            }
        }
    }
}

/// Keeps the items that both have; both are in ascending order.
fn keep_common(list: &mut Vec<u32>, mut other: impl Iterator<Item = u32>) {
    let mut next = other.next();
    list.retain(|doc| {
        while next.is_some_and(|next| next < *doc) {
            next = other.next();
        }
        next == Some(*doc)
    });
}

/// The union of postings.
pub(crate) struct Union {
    items: u32,
    docs: Docs,
}

/// Most items of a union as a list: sorting them costs less than a bitmap for a million.
const LISTED: usize = 2_000;

impl Union {
    pub(crate) fn new(items: u32) -> Self {
        Self { items, docs: Docs::List(Vec::new()) }
    }

    pub(crate) fn add(&mut self, other: &Posting<'_>) {
        if let Docs::List(list) = &mut self.docs {
            if other.bits().is_none() && list.len() + other.count as usize <= LISTED {
                list.extend(other.list());
                return;
            }
            let mut bits = vec![0; words(self.items)];
            list.iter().for_each(|doc| set(&mut bits, *doc));
            self.docs = Docs::Bits(bits);
        }
        if let Docs::Bits(mine) = &mut self.docs {
            match other.bits() {
                Some(bits) => {
                    mine.iter_mut().zip(stored_words(bits)).for_each(|(mine, word)| *mine |= word)
                }
                None => other.list().for_each(|doc| set(mine, doc)),
            }
        }
    }

    /// Adds items in memory.
    pub(crate) fn add_list(&mut self, other: &[u32]) {
        let mut stored = Vec::new();
        write(&mut stored, self.items, other);
        self.add(&Posting::new(other.len() as u32, self.items, &stored));
    }

    pub(crate) fn finish(mut self) -> Docs {
        if let Docs::List(list) = &mut self.docs {
            list.sort_unstable();
            list.dedup();
        }
        self.docs
    }
}
