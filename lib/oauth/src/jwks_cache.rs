//! Cache of an issuer's keys.
//!
//! Process memory that only saves requests: a new instance and one that has run for days accept the
//! same tokens, except for the seconds until a new key is seen.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::{Clock, Timestamp};
use futures::{
    FutureExt,
    future::{BoxFuture, Shared},
};

use crate::{DiscoveryError, Fetch, JwkSet, discovery};

/// Longest time for one request to an issuer, all of its documents together.
pub const REFRESH_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest wait for newer keys of a caller whose key is known, if the keys are not much older than
/// [`MAX_AGE`].
pub const REFRESH_WAIT: Duration = Duration::from_secs(1);
/// Shortest time between two requests to an issuer, from the end of one to the start of the next,
/// however many unknown keys are named.
pub const COOLDOWN: Duration = Duration::from_secs(30);
/// The same while there are no keys.
pub const INITIAL_COOLDOWN: Duration = Duration::from_secs(5);
/// Age at which keys are fetched again, so that withdrawn keys disappear. At twice this age, they
/// are not used before the issuer has had its full time to answer: a process that is frozen between
/// two requests never receives the answer to a background refresh.
pub const MAX_AGE: Duration = Duration::from_secs(600);
/// Age from which keys are not used, even if the issuer provides no newer ones.
pub const MAX_STALE: Duration = Duration::from_secs(24 * 3600);

/// The issuer cannot be reached and no key of it is cached, so that no token can be verified.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the issuer's keys cannot be fetched")]
pub struct Unavailable {
    /// The cause.
    #[source]
    pub source: DiscoveryError,
    /// Time after which a retry makes sense.
    pub retry_after: Duration,
}

/// A running refresh. All waiting callers share its result.
#[derive(Clone, Debug)]
struct Refresh {
    began: Timestamp,
    ended: Shared<BoxFuture<'static, ()>>,
}

impl Refresh {
    /// Whether it may still succeed. Past its deadline, it was frozen with the process.
    fn is_under_way(&self, now: Timestamp) -> bool {
        self.ended.peek().is_none() && now < self.began + REFRESH_TIMEOUT
    }
}

#[derive(Debug, Default)]
struct CacheState {
    keys: Arc<JwkSet>,
    /// When the refresh that fetched the keys began.
    fetched: Option<Timestamp>,
    /// When the last refresh ended; its deadline, if the end was noticed only later.
    tried: Option<Timestamp>,
    /// The error of the last refresh, if it failed.
    failure: Option<DiscoveryError>,
    refresh: Option<Refresh>,
}

impl CacheState {
    fn is_younger(&self, age: Duration, now: Timestamp) -> bool {
        self.fetched.is_some_and(|fetched| fetched + age > now)
    }

    /// Time until the issuer may be asked again.
    fn cooldown(&self, now: Timestamp) -> Duration {
        let cooldown = if self.is_younger(MAX_STALE, now) { COOLDOWN } else { INITIAL_COOLDOWN };
        self.tried.map_or(Duration::ZERO, |tried| (tried + cooldown).since(now))
    }

    /// Ends the refresh that began then, unless another one has replaced it.
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

/// Caches the keys of one issuer, for up to a day if the issuer is unreachable.
#[derive(Debug)]
pub struct JwksCache {
    issuer: String,
    fetch: Arc<dyn Fetch>,
    clock: Arc<dyn Clock>,
    known: Mutex<CacheState>,
}

impl JwksCache {
    /// An empty cache.
    pub fn new(issuer: String, fetch: Arc<dyn Fetch>, clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self { issuer, fetch, clock, known: Mutex::default() })
    }

    /// The issuer's keys. Fetches them if the `wanted` key is unknown or the keys are old: waits at
    /// most [`REFRESH_TIMEOUT`], only [`REFRESH_WAIT`] if the key is known and the keys are not
    /// very old.
    ///
    /// The wanted key is missing from the result if the issuer did not list it when it was asked
    /// last: now, or during the cooldown, or before it became unreachable.
    ///
    /// # Errors
    ///
    /// [`Unavailable`] if no key is known and the last refresh failed.
    pub async fn keys(
        self: &Arc<Self>,
        wanted: impl Fn(&JwkSet) -> bool,
    ) -> Result<Arc<JwkSet>, Unavailable> {
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
            Some(source) if !known.is_younger(MAX_STALE, now) => {
                Err(Unavailable { source: source.clone(), retry_after: known.cooldown(now) })
            }
            _ => Ok(known.keys.clone()),
        }
    }

    fn known(&self) -> MutexGuard<'_, CacheState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The running refresh, or a new one; `None` during the cooldown.
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
        // A separate task: a caller that disconnects must not cancel it for all.
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
