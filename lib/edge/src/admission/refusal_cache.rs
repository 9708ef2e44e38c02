//! A flood of requests that will be refused, answered without asking the account item for each.
//!
//! What a gate refused for, it will refuse for again in the next moment: an exceeded rate stays
//! exceeded until its window ends, a key that is not live does not come alive. Remembering it for a
//! few seconds in each instance takes nothing from the count's correctness; a better plan shows
//! after these seconds.

use std::{collections::HashMap, sync::Mutex, time::Duration};

use domain::{AccountId, Timestamp};
use store::admission::Rate;

/// How long a refusal is repeated without asking again.
const TTL: Duration = Duration::from_secs(5);
/// Presenters remembered at most. Past that, further ones are asked for at the account item.
const CAPACITY: usize = 10_000;

/// Whom a refusal concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RefusalKey {
    /// Whoever presents the key with this fingerprint.
    Key([u8; 32]),
    /// Whoever presents a token for this account.
    Subject(AccountId),
}

/// Why a request was not admitted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// The rate is exceeded.
    Rate(Rate),
    /// There is no such live key.
    UnknownKey,
}

#[derive(Debug, Default)]
pub(crate) struct RefusalCache(Mutex<HashMap<RefusalKey, (Refusal, Timestamp)>>);

impl RefusalCache {
    /// What the account item has just said.
    pub fn get(&self, refusal_key: RefusalKey, now: Timestamp) -> Option<Refusal> {
        let known = self.0.lock().ok()?;
        let (refusal, until) = known.get(&refusal_key)?;
        (*until > now).then_some(*refusal)
    }

    /// Remembers what the account item said.
    pub fn insert(&self, refusal_key: RefusalKey, refusal: Refusal, now: Timestamp) {
        let Ok(mut known) = self.0.lock() else { return };
        if known.len() >= CAPACITY {
            known.retain(|_, (_, until)| *until > now);
        }
        let until = match refusal {
            Refusal::Rate(rate) => rate.ends_at.min(now + TTL),
            Refusal::UnknownKey => now + TTL,
        };
        if known.len() < CAPACITY {
            known.insert(refusal_key, (refusal, until));
        }
    }
}
