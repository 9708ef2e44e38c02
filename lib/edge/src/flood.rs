//! A flood of requests that will be refused, answered without asking the gate for each.
//!
//! What a gate refused for, it will refuse for again in the next moment: an exceeded rate stays
//! exceeded until its window ends, a key that is not live does not come alive. Remembering it for a
//! few seconds in each instance takes nothing from the count's correctness; a better plan shows
//! after these seconds.

use std::{collections::HashMap, sync::Mutex, time::Duration};

use domain::Timestamp;
use store::gate::Rate;

/// How long a refusal is repeated without asking again.
const MEMORY: Duration = Duration::from_secs(5);
/// Credentials remembered at most. Past that, further ones are asked for at the gate.
const CAPACITY: usize = 10_000;

/// Why the gate stayed shut.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// The rate is exceeded.
    Rate(Rate),
    /// There is no such live key.
    UnknownKey,
}

#[derive(Debug, Default)]
pub(crate) struct Flood(Mutex<HashMap<[u8; 32], (Refusal, Timestamp)>>);

impl Flood {
    /// What the gate has just said to a credential.
    pub fn refusal(&self, fingerprint: &[u8; 32], now: Timestamp) -> Option<Refusal> {
        let known = self.0.lock().ok()?;
        let (refusal, until) = known.get(fingerprint)?;
        (*until > now).then_some(*refusal)
    }

    /// Remembers what the gate said to a credential.
    pub fn remember(&self, fingerprint: [u8; 32], refusal: Refusal, now: Timestamp) {
        let Ok(mut known) = self.0.lock() else { return };
        if known.len() >= CAPACITY {
            known.retain(|_, (_, until)| *until > now);
        }
        let until = match refusal {
            Refusal::Rate(rate) => rate.ends_at.min(now + MEMORY),
            Refusal::UnknownKey => now + MEMORY,
        };
        if known.len() < CAPACITY {
            known.insert(fingerprint, (refusal, until));
        }
    }
}
