//! The time limit of one try of a call: the retransmission timeout of the service's [`ResponseTime`].
//!
//! A fixed limit makes an overload worse: a service that has become slower than the limit does all of its work twice.

use std::time::SystemTime;

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

use crate::response_time::ResponseTime;

/// Measures each try of a client's calls, and sets its limit, but for calls that have none.
#[derive(Clone, Debug)]
pub struct AttemptTimeout {
    response_time: ResponseTime,
}

impl AttemptTimeout {
    /// The limit of tries at a service with this response time.
    pub fn new(response_time: ResponseTime) -> Self {
        Self { response_time }
    }

    fn limit_next(&self, config: &mut ConfigBag) {
        let Some(timeouts) = config.load::<TimeoutConfig>() else { return };
        if timeouts.operation_attempt_timeout().is_some() {
            let limit = self.response_time.timeout();
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
            self.response_time.answered_after(now.duration_since(began).unwrap_or_default());
        } else if context
            .output_or_error()
            .is_some_and(|ended| ended.is_err_and(|error| error.is_timeout_error()))
        {
            self.response_time.timed_out();
        }
        self.limit_next(config);
        Ok(())
    }
}
