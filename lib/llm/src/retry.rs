//! Retries of requests to providers.

use std::{fmt, sync::Arc, time::Duration};

use domain::{Clock, Random, Timestamp, random};
use futures::future::{Either, select};

use crate::provider::ProviderError;

/// Most retries after transient errors.
const RETRIES: u32 = 2;
/// Longest pause before the first retry; doubles with each further one.
const PAUSE: Duration = Duration::from_millis(500);
/// Least time that is needed to send a request.
pub(crate) const MIN_REQUEST_TIME: Duration = Duration::from_secs(1);

/// Bounds of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time for one request.
    pub timeout: Duration,
    /// Longest answer, in tokens, thinking included.
    pub max_output_tokens: u32,
}

/// Timeout and retries of requests.
#[derive(Clone)]
pub(crate) struct RetryPolicy {
    pub limits: Limits,
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
}

impl RetryPolicy {
    /// Sends a request with at most two retries, and never beyond `until`. `send` receives the time
    /// that it has. `provider` and `model` are for the log.
    pub async fn ask<T, F: Future<Output = Result<T, ProviderError>>>(
        &self,
        (provider, model): (&str, &str),
        until: Timestamp,
        send: impl Fn(Duration) -> F,
    ) -> Result<T, ProviderError> {
        let mut retries = 0;
        loop {
            let error = match self.attempt(&send, until).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let pause = error.retry_after().unwrap_or_else(|| self.pause(retries));
            let resume = self.clock.now() + pause;
            if !error.is_transient() || retries == RETRIES || resume + MIN_REQUEST_TIME > until {
                return Err(error);
            }
            retries += 1;
            tracing::warn!(provider, model, %error, retries, "a request is sent again");
            self.clock.sleep_until(resume).await;
        }
    }

    /// One request, within the time of a request and the time that is left.
    async fn attempt<T, F: Future<Output = Result<T, ProviderError>>>(
        &self,
        send: impl Fn(Duration) -> F,
        until: Timestamp,
    ) -> Result<T, ProviderError> {
        let begun = self.clock.now();
        let end = until.min(begun + self.limits.timeout);
        let time = end.since(begun);
        if time.is_zero() {
            return Err(ProviderError::Timeout);
        }
        match select(Box::pin(send(time)), self.clock.sleep_until(end)).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => Err(ProviderError::Timeout),
        }
    }

    /// Exponential backoff with jitter between half and all of the pause, so that callers that fail
    /// together do not retry together.
    fn pause(&self, retries: u32) -> Duration {
        let longest = PAUSE * 2u32.pow(retries);
        let [byte] = random::bytes::<1>(self.random.as_ref());
        longest / 2 + longest / 2 * u32::from(byte) / 255
    }
}

impl fmt::Debug for RetryPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryPolicy").field("limits", &self.limits).finish_non_exhaustive()
    }
}
