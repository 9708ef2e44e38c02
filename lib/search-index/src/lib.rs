//! A search index of library items: an immutable snapshot that is searched in place.
//!
//! [`Snapshot::build`] writes a snapshot, [`Snapshot::open`] opens its bytes without a copy, and
//! [`Snapshot::search`] answers any page of any [`Query`] with an exact total. A [`DeltaIndex`]
//! holds the changes since; with it, answers are those of a rebuilt snapshot, and
//! [`Snapshot::merge`] writes that one without the texts of unchanged items. [`tokenize`] turns
//! texts into words. The crate only reads and writes bytes: no clock, no files, no network.
//!
//! # The format
//!
//! All numbers are little-endian. A header of 136 bytes: the magic `CATALOG\n`; the version, the
//! number of items, the CRC-32 of everything after the header and a zero, 4 bytes each; the length
//! of all bytes, the offset of each of the eleven sections, the end of the last, and the CRC-32 of
//! all this, 8 bytes each. Then the sections, without gaps:
//!
//! | Section | Content |
//! |---|---|
//! | identifiers, times, votes | columns of 16, 8 and 4 bytes an item |
//! | by top, top ordinals | the items by votes and the inverse permutation, 4 bytes each |
//! | by identifier | the items by identifier, 4 bytes each |
//! | blocks, keys | the dictionary: sorted keys with the size and the offset of their postings |
//! | postings | the items of each key |
//! | run offsets, runs | the runs of each item, to find long phrases in |
//!
//! Items are numbered from 0, newest first, so a posting in ascending order is sorted by
//! [`Sort::Recent`].
//!
//! A key is a byte for its kind and a text: a word or an n-gram of a run (0), a prefix of many
//! words (1), a category (2), or a model's number (3). In the dictionary it is written as the
//! length that it shares with the previous key, the length of the rest, the rest, and the size and
//! offset of its posting; numbers take seven bits a byte (LEB128). The first of every sixteen keys
//! is whole, and the blocks have its offset.
//!
//! A posting of at least 64 items and at least a thirty-second of all items is a bitmap, in words
//! of 64 bits; any other is a list of gaps, seven bits a byte.
//!
//! # What bounds a search
//!
//! - The longest list has a thirty-second of the items, and bitmaps are intersected 64 items at a
//!   time.
//! - The posting of a prefix is stored if its union would cost more than half a million steps.
//! - An n-gram of a run is a key as long as its parts are common, so that a phrase is either
//!   a key, or has a rare part, or is longer than twelve characters; then the runs of the items
//!   that have its rarest parts are read. Only a longer phrase that very many items share costs
//!   more.
//! - A page by votes is found in a bitmap of the result's ordinals, so a late page costs as much as
//!   the first.

mod build;
mod delta;
mod dictionary;
mod document;
mod format;
mod inverted_index;
mod ngrams;
mod paging;
mod posting;
mod search;
mod snapshot;
mod text;
mod varint;

pub use delta::DeltaIndex;
pub use document::{Document, Page, Query, Sort, SortKey};
pub use format::FormatError;
pub use snapshot::Snapshot;
pub use text::{LONGEST_WORD, Terms, Token, tokenize};
