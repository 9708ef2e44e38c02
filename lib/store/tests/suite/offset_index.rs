//! An offset index against a plain list that knows everything.

use std::collections::BTreeSet;

use store::list::offset_index::{CAPACITY, OffsetIndex, ScanStart};

/// Numbers that look random and are the same in every run (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// The list itself, beside its offset index.
#[derive(Default)]
struct Oracle {
    keys: BTreeSet<u64>,
    offset_index: OffsetIndex,
}

impl Oracle {
    fn add(&mut self, key: u64) {
        if !self.keys.insert(key) {
            return;
        }
        self.offset_index.add(key);
        self.split();
    }

    fn split(&mut self) {
        if let Some((from, next)) = self.offset_index.overfull() {
            let held: Vec<_> = match next {
                Some(next) => self.keys.range(from..next).copied().collect(),
                None => self.keys.range(from..).copied().collect(),
            };
            self.offset_index.split(from, held);
        }
    }

    fn remove(&mut self, key: u64) {
        if self.keys.remove(&key) {
            self.offset_index.remove(key);
            self.split();
        }
    }

    /// A page, newest first, found as a query would find it, and what is read beside it.
    fn found(&self, offset: u64, wanted: u64) -> (Vec<u64>, u64) {
        let Some(location) = self.offset_index.locate(offset, wanted) else {
            return (Vec::new(), 0);
        };
        let (skip, count) = (location.skip as usize, location.count as usize);
        let page = match location.begin {
            ScanStart::Newest => self.keys.iter().rev().skip(skip).take(count).copied().collect(),
            ScanStart::Below(key) => {
                self.keys.range(..key).rev().skip(skip).take(count).copied().collect()
            }
            ScanStart::From(key) => {
                let oldest_first = self.keys.range(key..).skip(skip).take(count);
                let mut page: Vec<_> = oldest_first.copied().collect();
                page.reverse();
                page
            }
        };
        (page, location.skip)
    }

    fn page(&self, offset: u64, wanted: u64) -> Vec<u64> {
        let newest_first = self.keys.iter().rev();
        newest_first.skip(offset as usize).take(wanted as usize).copied().collect()
    }

    fn check(&self, numbers: &mut Numbers, what: &str) {
        let length = self.keys.len() as u64;
        assert_eq!(self.offset_index.total(), length, "{what}");
        assert!(self.offset_index.ranges() <= 400, "{what}: {} ranges", self.offset_index.ranges());
        let picked: Vec<_> = (0..20).map(|_| numbers.below(length.max(1))).collect();
        for offset in picked.into_iter().chain([0, length.saturating_sub(1), length, length + 7]) {
            let wanted = 1 + numbers.below(120);
            let (found, skip) = self.found(offset, wanted);
            let expected = self.page(offset, wanted);
            assert_eq!(found, expected, "{what}: {wanted} at {offset} of {length}");
            let most = 2 * CAPACITY.max(length.div_ceil(200)) + 2;
            assert!(skip <= most, "{what}: {skip} skipped for offset {offset} of {length}");
        }
    }
}

#[test]
fn an_offset_is_found_wherever_entries_are_added_and_removed() {
    for (seed, share_removed) in [(1, 0), (2, 30), (3, 48), (4, 52), (5, 10)] {
        let mut numbers = Numbers(seed);
        let mut oracle = Oracle::default();
        for step in 0..4_000 {
            if numbers.below(100) < share_removed && !oracle.keys.is_empty() {
                let nth = numbers.below(oracle.keys.len() as u64) as usize;
                let key = oracle.keys.iter().nth(nth).copied().expect("a key");
                oracle.remove(key);
            } else {
                // Anywhere, in a narrow place, at the very beginning and end.
                let key = match numbers.below(4) {
                    0 => numbers.next(),
                    1 => (1 << 40) + numbers.below(5_000),
                    2 => numbers.below(100),
                    _ => u64::MAX - numbers.below(100),
                };
                oracle.add(key);
            }
            if step % 37 == 0 {
                oracle.check(&mut numbers, &format!("seed {seed}, step {step}"));
            }
        }
        while let Some(key) = oracle.keys.first().copied() {
            oracle.remove(key);
        }
        assert_eq!(oracle.offset_index.total(), 0);
        assert_eq!(oracle.offset_index.ranges(), 0);
    }
}

#[test]
fn entries_that_come_in_order_are_found_beside_few_others() {
    let mut numbers = Numbers(9);
    let mut oracle = Oracle::default();
    for time in 0..30_000_u64 {
        oracle.add((time << 16) | numbers.below(1 << 16));
        if time % 3_001 == 0 {
            oracle.check(&mut numbers, &format!("{time} entries"));
        }
    }
    for offset in (0..10_000).step_by(7) {
        let (found, skip) = oracle.found(offset, 26);
        assert_eq!(found, oracle.page(offset, 26));
        assert!(skip < 150, "{skip} skipped among 30,000");
    }
}

#[test]
fn a_list_of_10_000_is_divided_into_few_ranges_of_at_most_50() {
    let mut oracle = Oracle::default();
    for time in 0..10_000_u64 {
        oracle.add(time << 16);
    }
    assert_eq!(oracle.offset_index.ranges(), 200);
    // From the nearer end: of 101 entries half a range at most, of 26 three quarters.
    let most = |limit: u64| (0..10_000).map(|offset| oracle.found(offset, limit + 1).1).max();
    assert_eq!(most(100), Some(24));
    assert_eq!(most(25), Some(37));
}

#[test]
fn what_is_left_of_a_long_list_is_divided_like_a_short_one() {
    let mut numbers = Numbers(11);
    for newest_go in [true, false] {
        let mut oracle = Oracle::default();
        for time in 0..30_000_u64 {
            oracle.add(time << 16);
        }
        let left = if newest_go { 0..1_000 } else { 29_000..30_000 };
        for time in (0..30_000_u64).rev().filter(|time| !left.contains(time)) {
            oracle.remove(time << 16);
            if time % 997 == 0 {
                oracle.check(&mut numbers, &format!("down to {time}"));
            }
        }
        for offset in 0..1_000 {
            let (found, skip) = oracle.found(offset, 26);
            assert_eq!(found, oracle.page(offset, 26));
            assert!(skip < 2 * CAPACITY, "{skip} skipped among the 1,000 left");
        }
        assert_eq!(oracle.offset_index.overfull(), None);
    }
}
