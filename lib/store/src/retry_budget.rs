//! How many calls of a client are tried again: a tenth of those that succeed, and one to begin with.
//!
//! The SDK's own quota begins full. So each process that starts in an outage would try its first calls several times, and
//! in an outage many processes start: those before them fail, or were stopped.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use aws_smithy_runtime_api::{
    box_error::BoxError,
    client::{
        interceptors::{Intercept, context::FinalizerInterceptorContextRef, dyn_dispatch_hint},
        retries::classifiers::{ClassifyRetry as _, RetryAction},
        runtime_components::RuntimeComponents,
    },
};
use aws_smithy_types::{config_bag::ConfigBag, retry::RetryConfig};

/// Tokens that a retry takes. A call that succeeds brings one.
const COST: u32 = 10;
/// Tokens of a new client: a connection that breaks first thing is no outage, yet.
const INITIAL: u32 = COST;
/// Tokens that a client may have: failures come several at once.
const MAX: u32 = COST * 5;

/// The budget of a client's retries. The SDK says what may pass by itself, and when to try again.
#[derive(Clone, Debug)]
pub struct RetryBudget(Arc<AtomicU32>);

impl Default for RetryBudget {
    fn default() -> Self {
        Self(Arc::new(AtomicU32::new(INITIAL)))
    }
}

impl RetryBudget {
    /// Takes note of a call that succeeded.
    fn deposit(&self) {
        let _ = self.0.fetch_update(Relaxed, Relaxed, |tokens| Some((tokens + 1).min(MAX)));
    }

    /// Pays for a retry, if there is enough.
    fn withdraw(&self) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |tokens| tokens.checked_sub(COST)).is_ok()
    }
}

#[dyn_dispatch_hint]
impl Intercept for RetryBudget {
    fn name(&self) -> &'static str {
        "RetryBudget"
    }

    fn read_after_attempt(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        components: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let classifiers = components.retry_classifiers();
        let action =
            classifiers.fold(RetryAction::NoActionIndicated, |so_far, classifier| match classifier
                .classify_retry_v2(context.inner(), &so_far)
            {
                RetryAction::NoActionIndicated => so_far,
                action => action,
            });
        if context.output_or_error().is_some_and(|ended| ended.is_ok()) {
            self.deposit();
        } else if action.should_retry() && !self.withdraw() {
            config.interceptor_state().store_put(RetryConfig::disabled());
        }
        Ok(())
    }
}
