//! Snapshots of damaged and hostile bytes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::random;

use bytes::Bytes;
use random::World;
use search_index::{DeltaIndex, Document, FormatError, Query, Snapshot, Sort};

/// The bytes of a small snapshot with lists, bitmaps, runs and all columns.
fn written(world: &mut World) -> Vec<u8> {
    Snapshot::build(world.entries(300, 20))
}

/// Runs queries of all kinds.
fn ask(snapshot: &Snapshot, world: &mut World, queries: usize) {
    let mut delta = DeltaIndex::new();
    delta.put(world.entry(1, 10));
    delta.remove(2);
    delta.set_votes(3, world.below(9) as u32);
    for _ in 0..queries {
        let query = world.query(300);
        let page = snapshot.search(&query, &delta);
        assert!(page.ids.len() <= query.page_size as usize);
    }
    for sort in [Sort::Recent, Sort::Top] {
        snapshot.search(&Query { sort, page_size: 1_000, ..Query::default() }, &delta);
        snapshot
            .search(&Query { sort, words: "生成图片画像提示".into(), ..Query::default() }, &delta);
    }
}

#[test]
fn the_same_items_in_any_order_give_the_same_bytes() {
    let mut entries = World::new(5, 300).entries(500, 20);
    let bytes = Snapshot::build(entries.clone());
    entries.reverse();
    entries.rotate_left(123);
    assert!(Snapshot::build(entries.clone()) == bytes);
    // Of two with one identifier the last counts.
    entries.insert(0, Document { title: "stale".into(), ..entries[77].clone() });
    assert!(Snapshot::build(entries) == bytes);
}

#[test]
fn an_empty_snapshot_answers() {
    let snapshot = Snapshot::open(Bytes::from(Snapshot::build(Vec::new()))).unwrap();
    assert!(snapshot.is_empty() && snapshot.verify().is_ok());
    ask(&snapshot, &mut World::new(6, 300), 200);
    assert_eq!(snapshot.search(&Query::default(), &DeltaIndex::new()).total, 0);
}

#[test]
fn bytes_that_are_something_else_are_refused() {
    let bytes = written(&mut World::new(7, 300));
    let open = |bytes: Vec<u8>| Snapshot::open(Bytes::from(bytes)).map(|snapshot| snapshot.len());
    assert_eq!(open(bytes.clone()), Ok(300));
    assert_eq!(open(Vec::new()), Err(FormatError::NotASnapshot));
    assert_eq!(
        open(b"PK\x03\x04 something else altogether".to_vec()),
        Err(FormatError::NotASnapshot)
    );
    let mut later = bytes.clone();
    later[8] = 9;
    assert_eq!(open(later), Err(FormatError::Version(9)));
    for length in (0..bytes.len()).step_by(37).chain(0..300) {
        assert!(open(bytes[..length].to_vec()).is_err(), "{length} bytes of {}", bytes.len());
    }
    assert_eq!(open([&bytes[..], b"\n"].concat()), Err(FormatError::Length));
    for at in 0..136 {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(open(damaged).is_err(), "a header damaged at {at}");
    }
}

#[test]
fn damage_anywhere_is_found_and_never_panics() {
    let mut world = World::new(8, 300);
    let bytes = written(&mut world);
    let mut rng = fastrand::Rng::with_seed(9);
    for round in 0..3_000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + round % 40 {
            let at = rng.usize(136..damaged.len());
            damaged[at] = match rng.u8(..4) {
                0 => 0,
                1 => 0xff,
                2 => damaged[at] ^ 1 << rng.u8(..8),
                _ => rng.u8(..),
            };
        }
        let is_same = damaged == bytes;
        let snapshot = Snapshot::open(Bytes::from(damaged)).unwrap();
        assert_eq!(snapshot.verify().is_ok(), is_same);
        assert_eq!(snapshot.merge(&DeltaIndex::new()).is_ok(), is_same);
        ask(&snapshot, &mut world, 4);
    }
}

#[test]
fn a_header_that_lies_under_a_right_checksum_is_refused_or_harmless() {
    let mut world = World::new(10, 300);
    let bytes = written(&mut world);
    let mut rng = fastrand::Rng::with_seed(11);
    let mut opened = 0;
    for _ in 0..3_000 {
        let mut forged = bytes.clone();
        // The number of items, or where sections begin: those that have no fixed length more often.
        let at = match rng.u8(..8) {
            0 => 12,
            1 => 32 + 8 * rng.usize(..12),
            _ => 32 + 8 * [7, 8, 10][rng.usize(..3)],
        };
        let value = match rng.u8(..3) {
            0 => rng.u64(..),
            1 => rng.u64(..bytes.len() as u64),
            _ => u64::from(forged[at]).wrapping_add(rng.u64(..3)),
        };
        let width = if at == 12 { 4 } else { 8 };
        forged[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
        let checksum = u64::from(crc32fast::hash(&forged[..128]));
        forged[128..136].copy_from_slice(&checksum.to_le_bytes());
        if let Ok(snapshot) = Snapshot::open(Bytes::from(forged)) {
            opened += 1;
            ask(&snapshot, &mut world, 3);
        }
    }
    assert!(opened > 100, "{opened}");
}
