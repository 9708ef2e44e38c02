//! How many scans a JPEG may have.
#![allow(clippy::unwrap_used)]

use crate::support;

use bytes::Bytes;
use media::{MediaError, MediaType};
use support::pictures::{progressive, segment};
use support::verdict;

/// A progressive picture of 8 × 8 pixels.
fn with_scans(scans: usize) -> Bytes {
    let file = progressive(8, 8);
    let end = file.len() - 2;
    let more = [segment(0xda, &[1, 1, 0, 1, 63, 0]), vec![0x7f]].concat().repeat(scans - 2);
    [&file[..end], &more, &file[end..]].concat().into()
}

/// Decoders have the same limit, so that a verified picture can be decoded.
#[test]
fn a_hundred_scans_are_allowed_and_no_more() {
    assert!(verdict(MediaType::Jpeg, &with_scans(100)).unwrap().is_ok());
    assert_eq!(verdict(MediaType::Jpeg, &with_scans(101)).unwrap(), Err(MediaError::TooComplex));
}
