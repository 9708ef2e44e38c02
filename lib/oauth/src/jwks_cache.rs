//! The keys of an issuer, remembered.
//!
//! Memory of one process, and only to save requests: an instance that has just begun and one that has
//! run for days accept the same tokens, but for the seconds that it takes to see a new key.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::{Clock, Timestamp};
use futures::{
    FutureExt,
    future::{BoxFuture, Shared},
};

use crate::{DiscoveryError, Fetch, JwkSet, VerifyError, discovery};

/// Longest time that asking an issuer may take, all of its documents together.
pub const REFRESH_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest wait for newer keys of a caller whose key is known, and is of keys not much older than
/// [`MAX_AGE`].
pub const REFRESH_WAIT: Duration = Duration::from_secs(1);
/// Shortest time between two attempts to ask an issuer, however many unknown keys are named: from the
/// end of one to the beginning of the next.
pub const COOLDOWN: Duration = Duration::from_secs(30);
/// The same while there are no keys to go on with.
pub const INITIAL_COOLDOWN: Duration = Duration::from_secs(5);
/// Age at which keys are asked for again, so that withdrawn ones go. At twice this age, nobody goes on with
/// them before the issuer was given its whole time to answer: a process that is frozen between two callers
/// never hears what it asked for beside one of them.
pub const MAX_AGE: Duration = Duration::from_secs(600);
/// Age from which keys are not believed, though the issuer gives no newer ones.
pub const MAX_STALE: Duration = Duration::from_secs(24 * 3600);

/// The issuer cannot be asked and there are no keys of it, so that nothing can be said about any token.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the issuer's keys cannot be had")]
pub struct Unavailable {
    /// Why not.
    #[source]
    pub source: DiscoveryError,
    /// When it makes sense to try again.
    pub retry_after: Duration,
}

/// An attempt to ask. Whoever waits for it shares its outcome.
#[derive(Clone, Debug)]
struct Refresh {
    began: Timestamp,
    ended: Shared<BoxFuture<'static, ()>>,
}

impl Refresh {
    /// Whether it may still come to something. One that is past its deadline was frozen with the process.
    fn is_under_way(&self, now: Timestamp) -> bool {
        self.ended.peek().is_none() && now < self.began + REFRESH_TIMEOUT
    }
}

#[derive(Debug, Default)]
struct CacheState {
    keys: Arc<JwkSet>,
    /// When the attempt that brought them began.
    fetched: Option<Timestamp>,
    /// When the last attempt ended; at its deadline, if that was noticed only later.
    tried: Option<Timestamp>,
    /// What came of it, unless it was keys.
    failure: Option<DiscoveryError>,
    refresh: Option<Refresh>,
}

impl CacheState {
    fn is_younger(&self, age: Duration, now: Timestamp) -> bool {
        self.fetched.is_some_and(|fetched| fetched + age > now)
    }

    /// How long the issuer must be left alone.
    fn cooldown(&self, now: Timestamp) -> Duration {
        let cooldown = if self.is_younger(MAX_STALE, now) { COOLDOWN } else { INITIAL_COOLDOWN };
        self.tried.map_or(Duration::ZERO, |tried| (tried + cooldown).since(now))
    }

    /// Ends the attempt that began then, unless another one was begun in its stead.
    fn complete(
        &mut self,
        found: Result<JwkSet, DiscoveryError>,
        began: Timestamp,
        now: Timestamp,
    ) {
        if self.refresh.as_ref().is_none_or(|refresh| refresh.began != began) {
            return;
        }
        self.tried = Some(now.min(began + REFRESH_TIMEOUT));
        self.refresh = None;
        self.failure = match found {
            Ok(keys) => {
                (self.keys, self.fetched) = (Arc::new(keys), Some(began));
                None
            }
            Err(error) => Some(error),
        };
    }
}

/// Remembers the keys of one issuer. Keys that it has are kept for a day when the issuer is away.
#[derive(Debug)]
pub struct JwksCache {
    issuer: String,
    fetch: Arc<dyn Fetch>,
    clock: Arc<dyn Clock>,
    known: Mutex<CacheState>,
}

impl JwksCache {
    /// A keyring without keys.
    pub fn new(issuer: String, fetch: Arc<dyn Fetch>, clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self { issuer, fetch, clock, known: Mutex::default() })
    }

    /// The issuer's keys; asks for them if the one that is `wanted` is not among those known, or if these
    /// are old. That takes at most [`REFRESH_TIMEOUT`]; only [`REFRESH_WAIT`] if it is, and these are not very old.
    ///
    /// The wanted key is missing from the answer only if the issuer has just been asked and did not name it.
    ///
    /// # Errors
    ///
    /// [`VerifyError::Unavailable`] if no key is known and the last attempt to ask failed;
    /// [`VerifyError::KeyPending`] if only others are known and the issuer could not be asked for this one.
    pub async fn keys(
        self: &Arc<Self>,
        wanted: impl Fn(&JwkSet) -> bool,
    ) -> Result<Arc<JwkSet>, VerifyError> {
        let began = self.clock.now();
        let has = |known: &CacheState, now| known.is_younger(MAX_STALE, now) && wanted(&known.keys);
        let can_wait = {
            let known = self.known();
            let has = has(&known, began);
            if has && known.is_younger(MAX_AGE, began) {
                return Ok(known.keys.clone());
            }
            !(has && known.is_younger(MAX_AGE * 2, began))
        };
        let refresh = self.refresh(began);
        let asked = refresh.is_some();
        match refresh {
            None => {}
            Some(refresh) if can_wait => refresh.ended.await,
            Some(refresh) => tokio::select! {
                biased;
                () = refresh.ended => {}
                () = self.clock.sleep_until(began + REFRESH_WAIT) => {}
            },
        }
        let (known, now) = (self.known(), self.clock.now());
        if has(&known, now) {
            return Ok(known.keys.clone());
        }
        match &known.failure {
            None if asked => Ok(known.keys.clone()),
            Some(source) if !known.is_younger(MAX_STALE, now) => {
                Err(Unavailable { source: source.clone(), retry_after: known.cooldown(now) }.into())
            }
            _ => Err(VerifyError::KeyPending { retry_after: known.cooldown(now) }),
        }
    }

    fn known(&self) -> MutexGuard<'_, CacheState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The attempt that is under way, or a new one; none if the last one ended a moment ago.
    fn refresh(self: &Arc<Self>, now: Timestamp) -> Option<Refresh> {
        let mut known = self.known();
        if let Some(refresh) = known.refresh.as_ref().filter(|refresh| refresh.is_under_way(now)) {
            return Some(refresh.clone());
        }
        if known.cooldown(now) > Duration::ZERO {
            return None;
        }
        known.tried = Some(now);
        known.failure = Some(DiscoveryError::Interrupted);
        let jwks_cache = self.clone();
        // A task of its own: a caller who hangs up would end the attempt for all.
        let attempt = tokio::spawn(async move {
            let found = tokio::select! {
                biased;
                found = discovery::fetch_keys(&jwks_cache.issuer, &*jwks_cache.fetch) => found,
                () = jwks_cache.clock.sleep_until(now + REFRESH_TIMEOUT) => Err(DiscoveryError::Late),
            };
            let ended = jwks_cache.clock.now();
            jwks_cache.known().complete(found, now, ended);
        });
        let refresh = Refresh { began: now, ended: attempt.map(drop).boxed().shared() };
        known.refresh = Some(refresh.clone());
        Some(refresh)
    }
}
