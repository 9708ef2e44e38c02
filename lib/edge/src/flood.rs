//! A flood of requests beyond the limit, answered without asking the gate again.
//!
//! Within a window a count only rises, so "exceeded" stays true until the window ends; remembering
//! it in each instance takes nothing from the count's correctness.

use std::{collections::HashMap, sync::Mutex};

use domain::Timestamp;
use store::gate::Rate;

/// Credentials remembered at most; past that, the oldest windows are dropped first.
const CAPACITY: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct Flood(Mutex<HashMap<[u8; 32], Rate>>);

impl Flood {
    /// The exceeded rate of a credential, while its window lasts.
    pub fn exceeded(&self, fingerprint: &[u8; 32], now: Timestamp) -> Option<Rate> {
        let rates = self.0.lock().ok()?;
        rates.get(fingerprint).copied().filter(|rate| rate.ends_at > now)
    }

    /// Remembers that a credential has exceeded its rate.
    pub fn remember(&self, fingerprint: [u8; 32], rate: Rate, now: Timestamp) {
        let Ok(mut rates) = self.0.lock() else { return };
        if rates.len() >= CAPACITY {
            rates.retain(|_, rate| rate.ends_at > now);
        }
        if rates.len() < CAPACITY {
            rates.insert(fingerprint, rate);
        }
    }
}
