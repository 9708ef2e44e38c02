//! How long a service takes to answer, as RFC 6298 estimates it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// The estimate of a service's response time, shared by all calls of a client.
///
/// Each try is timed by itself, so the estimate needs no answer to a call that was tried once only (Karn's algorithm).
#[derive(Clone, Debug)]
pub struct ResponseTime(Arc<Mutex<Estimate>>);

/// `SRTT`, `RTTVAR` and `RTO` of RFC 6298, section 2.
#[derive(Debug)]
struct Estimate {
    /// Smoothed time and its variation, once something was measured.
    measured: Option<(Duration, Duration)>,
    timeout: Duration,
    min: Duration,
    max: Duration,
}

impl ResponseTime {
    /// An estimate whose timeout is at least `min`, which it is at first, and at most `max`.
    pub fn new(min: Duration, max: Duration) -> Self {
        Self(Arc::new(Mutex::new(Estimate { measured: None, timeout: min, min, max })))
    }

    /// How long to wait for an answer.
    pub fn timeout(&self) -> Duration {
        self.estimate().timeout
    }

    /// Whether an answer takes half of the longest time on average: work that needs several would end too late.
    pub fn is_overloaded(&self) -> bool {
        let estimate = self.estimate();
        estimate.measured.is_some_and(|(smoothed, _)| smoothed >= estimate.max / 2)
    }

    /// Takes the time of an answer.
    pub fn answered_after(&self, time: Duration) {
        self.estimate().measure(time);
    }

    /// (5.5): the timeout is twice as long. The answer would have taken at least as long as was waited for it.
    pub fn timed_out(&self) {
        let mut estimate = self.estimate();
        let waited = estimate.timeout;
        estimate.measure(waited);
        estimate.timeout = estimate.timeout.max(waited * 2).min(estimate.max);
    }

    fn estimate(&self) -> MutexGuard<'_, Estimate> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Estimate {
    /// (2.2) to (2.4), with K = 4, alpha = 1/8 and beta = 1/4. No answer is waited for longer than the longest timeout,
    /// so a longer time is one of a process that was frozen, or of a clock that was set.
    fn measure(&mut self, time: Duration) {
        let time = time.min(self.max);
        let (smoothed, variation) = match self.measured {
            None => (time, time / 2),
            Some((smoothed, variation)) => {
                ((smoothed * 7 + time) / 8, (variation * 3 + smoothed.abs_diff(time)) / 4)
            }
        };
        self.measured = Some((smoothed, variation));
        self.timeout = (smoothed + variation * 4).clamp(self.min, self.max);
    }
}
