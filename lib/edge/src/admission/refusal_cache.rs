//! Repeated requests that will be refused, answered without the account item.
//!
//! A refusal stays true for a moment: an exceeded rate stays exceeded until its window ends, a key
//! that is not live does not become live. Caching it for a few seconds per instance does not make
//! the count wrong; a better plan takes effect after these seconds.

use std::{collections::HashMap, sync::Mutex, time::Duration};

use domain::{AccountId, Timestamp};
use store::admission::Rate;

/// How long a refusal is repeated without asking again.
const TTL: Duration = Duration::from_secs(5);
/// Most cached refusals. Past that, the account item is asked.
const CAPACITY: usize = 10_000;

/// The subject of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RefusalKey {
    /// Requests with the key of this fingerprint.
    Key([u8; 32]),
    /// Requests with a token for this account.
    Subject(AccountId),
}

/// Why a request was not admitted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// The rate is exceeded.
    Rate(Rate),
    /// There is no such live key.
    UnknownKey,
    /// The token's subject has no account. It gets one with a request that its token allows.
    UnknownAccount,
}

#[derive(Debug, Default)]
pub(crate) struct RefusalCache(Mutex<HashMap<RefusalKey, (Refusal, Timestamp)>>);

impl RefusalCache {
    /// The cached refusal.
    pub fn get(&self, refusal_key: RefusalKey, now: Timestamp) -> Option<Refusal> {
        let known = self.0.lock().ok()?;
        let (refusal, until) = known.get(&refusal_key)?;
        (*until > now).then_some(*refusal)
    }

    /// Caches a refusal.
    pub fn insert(&self, refusal_key: RefusalKey, refusal: Refusal, now: Timestamp) {
        let Ok(mut known) = self.0.lock() else { return };
        if known.len() >= CAPACITY {
            known.retain(|_, (_, until)| *until > now);
        }
        let until = match refusal {
            Refusal::Rate(rate) => rate.ends_at.min(now + TTL),
            Refusal::UnknownKey | Refusal::UnknownAccount => now + TTL,
        };
        if known.len() < CAPACITY {
            known.insert(refusal_key, (refusal, until));
        }
    }
}
