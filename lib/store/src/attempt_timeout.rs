//! The time limit of one try of a call, which follows the service's pace: the retransmission timeout of RFC 6298.
//!
//! A fixed limit makes an overload worse: a service that has become slower than the limit does all of its work twice.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use aws_smithy_runtime_api::{
    box_error::BoxError,
    client::{
        interceptors::{
            Intercept,
            context::{
                BeforeTransmitInterceptorContextMut, BeforeTransmitInterceptorContextRef,
                FinalizerInterceptorContextRef,
            },
            dyn_dispatch_hint,
        },
        runtime_components::RuntimeComponents,
    },
};
use aws_smithy_types::{
    config_bag::{ConfigBag, Storable, StoreReplace},
    timeout::TimeoutConfig,
};

/// Sets the limit of each try of a client's calls, but for calls that have none.
#[derive(Clone, Debug)]
pub struct AttemptTimeout {
    estimate: Arc<Mutex<Estimate>>,
}

impl AttemptTimeout {
    /// The limit is at least `least`, which it is at first, and at most `most`.
    pub fn new(least: Duration, most: Duration) -> Self {
        Self { estimate: Arc::new(Mutex::new(Estimate::new(least, most))) }
    }

    /// Whether an answer takes half of the longest time on average: work that needs several would end too late.
    pub fn is_overloaded(&self) -> bool {
        self.with(|estimate| {
            estimate.smoothed.is_some_and(|(average, _)| average >= estimate.most / 2)
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut Estimate) -> T) -> T {
        act(&mut self.estimate.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn limit_next(&self, config: &mut ConfigBag) {
        let Some(timeouts) = config.load::<TimeoutConfig>() else { return };
        if timeouts.operation_attempt_timeout().is_some() {
            let limit = self.with(|estimate| estimate.timeout);
            let timeouts = timeouts.to_builder().operation_attempt_timeout(limit).build();
            config.interceptor_state().store_put(timeouts);
        }
    }
}

/// When a try began.
#[derive(Debug)]
struct Began(SystemTime);

impl Storable for Began {
    type Storer = StoreReplace<Self>;
}

#[dyn_dispatch_hint]
impl Intercept for AttemptTimeout {
    fn name(&self) -> &'static str {
        "AttemptTimeout"
    }

    fn modify_before_retry_loop(
        &self,
        _: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.limit_next(config);
        Ok(())
    }

    fn read_before_attempt(
        &self,
        _: &BeforeTransmitInterceptorContextRef<'_>,
        components: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let now = components.time_source().unwrap_or_default().now();
        config.interceptor_state().store_put(Began(now));
        Ok(())
    }

    fn read_after_attempt(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        components: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let now = components.time_source().unwrap_or_default().now();
        let began = config.load::<Began>().map_or(now, |began| began.0);
        if context.response().is_some() {
            self.with(|it| it.answered_after(now.duration_since(began).unwrap_or_default()));
        } else if context
            .output_or_error()
            .is_some_and(|ended| ended.is_err_and(|error| error.is_timeout_error()))
        {
            self.with(Estimate::timed_out);
        }
        self.limit_next(config);
        Ok(())
    }
}

/// The estimate of the time that an answer takes (RFC 6298, section 2).
#[derive(Debug)]
struct Estimate {
    /// `SRTT` and `RTTVAR`, once there is an answer.
    smoothed: Option<(Duration, Duration)>,
    timeout: Duration,
    least: Duration,
    most: Duration,
}

impl Estimate {
    fn new(least: Duration, most: Duration) -> Self {
        Self { smoothed: None, timeout: least, least, most }
    }

    /// (2.2) to (2.4), with K = 4, alpha = 1/8 and beta = 1/4.
    fn answered_after(&mut self, time: Duration) {
        let (average, variation) = match self.smoothed {
            None => (time, time / 2),
            Some((average, variation)) => {
                ((average * 7 + time) / 8, (variation * 3 + average.abs_diff(time)) / 4)
            }
        };
        self.smoothed = Some((average, variation));
        self.timeout = (average + variation * 4).clamp(self.least, self.most);
    }

    /// (5.5): twice as long.
    fn timed_out(&mut self) {
        self.timeout = (self.timeout * 2).min(self.most);
    }
}
