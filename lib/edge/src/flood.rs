//! A flood of requests that will be refused, answered without asking the gate for each.
//!
//! What a gate refused for, it will refuse for again in the next moment: an exceeded rate stays
//! exceeded until its window ends, a key that is not live does not come alive. Remembering it for a
//! few seconds in each instance takes nothing from the count's correctness; a better plan shows
//! after these seconds.

use std::{collections::HashMap, sync::Mutex, time::Duration};

use domain::{AccountId, Timestamp};
use store::gate::Rate;

/// How long a refusal is repeated without asking again.
const MEMORY: Duration = Duration::from_secs(5);
/// Presenters remembered at most. Past that, further ones are asked for at the gate.
const CAPACITY: usize = 10_000;

/// Whom a refusal concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Presenter {
    /// Whoever presents the key with this fingerprint.
    Key([u8; 32]),
    /// Whoever presents a token for this account.
    Subject(AccountId),
}

/// Why the gate stayed shut.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// The rate is exceeded.
    Rate(Rate),
    /// There is no such live key.
    UnknownKey,
}

#[derive(Debug, Default)]
pub(crate) struct Flood(Mutex<HashMap<Presenter, (Refusal, Timestamp)>>);

impl Flood {
    /// What the gate has just said.
    pub fn refusal(&self, presenter: Presenter, now: Timestamp) -> Option<Refusal> {
        let known = self.0.lock().ok()?;
        let (refusal, until) = known.get(&presenter)?;
        (*until > now).then_some(*refusal)
    }

    /// Remembers what the gate said.
    pub fn remember(&self, presenter: Presenter, refusal: Refusal, now: Timestamp) {
        let Ok(mut known) = self.0.lock() else { return };
        if known.len() >= CAPACITY {
            known.retain(|_, (_, until)| *until > now);
        }
        let until = match refusal {
            Refusal::Rate(rate) => rate.ends_at.min(now + MEMORY),
            Refusal::UnknownKey => now + MEMORY,
        };
        if known.len() < CAPACITY {
            known.insert(presenter, (refusal, until));
        }
    }
}
