//! The community's items as an immutable snapshot that is searched where its bytes lie.
//!
//! [`Snapshot::build`] writes a snapshot, [`Snapshot::open`] takes its bytes as they are, and
//! [`Snapshot::search`] answers any page of any [`Query`] with an exact total. An [`DeltaIndex`] holds what has
//! changed since; with it, answers are those of a snapshot written anew, and [`Snapshot::merge`] writes that
//! one without the texts of what has not changed. How texts become words is told at
//! [`tokenize`]. The crate reads and writes bytes and does nothing else: no clock, no files, no network.
//!
//! # The format
//!
//! All numbers are little-endian. A header of 136 bytes: the magic `CATALOG\n`; the version, the number of
//! items, the CRC-32 of everything behind the header and a zero, 4 bytes each; the length of all bytes; where
//! each of the eleven sections begins and where the last one ends; and the CRC-32 of all this, 8 bytes each.
//! Then the sections, without gaps:
//!
//! | Section | Content |
//! |---|---|
//! | identifiers, times, votes | columns of 16, 8 and 4 bytes an item |
//! | by top, places in it | the items by votes and the inverse permutation, 4 bytes each |
//! | by identifier | the items by identifier, 4 bytes each |
//! | blocks, keys | the dictionary: sorted keys with the size and the place of their sets |
//! | postings | the sets |
//! | run places, runs | the Han and Kana of each item, to find long phrases in |
//!
//! Items are numbered from 0, newest first, so that a set in ascending order is a list in order.
//!
//! A key is a byte for its kind and a text: a word or a sequence of Han or Kana (0), what many words begin
//! with (1), a category (2), or a model's number (3). In the dictionary it is written as the length that it
//! shares with the key before, the length of the rest, the rest, the size of its set and the set's place;
//! numbers take seven bits a byte. The first of every sixteen keys is whole, and the blocks say where it is.
//!
//! A set of at least 64 items and at least every thirty-second item is a field of bits, in words of 64;
//! any other is a list of gaps, seven bits a byte.
//!
//! # What bounds a search
//!
//! - The longest list has a thirty-second of the items, and fields of bits are intersected 64 items at a time.
//! - The set of a prefix is stored if it would cost half a million steps or more to put together.
//! - A sequence of Han or Kana is a key as long as its parts are common, so that a phrase is either a key, or
//!   has a part that is rare, or is longer than twelve characters; the runs of the items that have its rarest
//!   parts are read. Only a longer phrase that very many items share costs more.
//! - A page by votes is found by marking the set's places in that order, so a late page costs what the first does.

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
