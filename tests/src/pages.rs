//! Pages of a long list, against an oracle: the identifiers that the list must have, oldest first.

use std::fmt::Display;

use serde_json::Value;

use crate::World;

/// The identifiers of a page's items, in order.
pub fn ids(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("a list");
    items.iter().map(|item| item["id"].as_str().expect("an id").to_owned()).collect()
}

/// The part of the oracle that a page shows, newest first.
pub fn expected(oracle: &[impl Display], offset: usize, limit: usize) -> Vec<String> {
    oracle.iter().rev().skip(offset).take(limit).map(ToString::to_string).collect()
}

/// What a page cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Calls that read.
    pub calls: usize,
    /// Read units.
    pub units: f64,
}

impl World {
    /// Asserts that the page is the right one, and that the calls since `faults` was reset have read it
    /// by 2 calls and 10 units at most. Returns what it cost.
    pub fn assert_cheap_page(
        &self,
        page: &Value,
        oracle: &[impl Display],
        offset: usize,
        limit: usize,
    ) -> Cost {
        assert_eq!(ids(page), expected(oracle, offset, limit), "offset {offset}");
        assert_eq!(page["hasMore"], offset + limit < oracle.len());
        let reads: Vec<_> = self
            .faults
            .calls()
            .into_iter()
            .filter(|call| !call.operation.ends_with("UpdateItem"))
            .collect();
        assert!(reads.len() <= 2, "{reads:?}");
        let units: f64 = reads.iter().map(|call| call.units).sum();
        assert!(units <= 10.0, "{units} units for {limit} at {offset}");
        Cost { calls: reads.len(), units }
    }
}
