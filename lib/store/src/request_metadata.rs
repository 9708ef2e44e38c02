//! Calls without what the SDK tells AWS about itself: its user agent, and an identifier and a number for each try.
//!
//! No service needs them. To write, sign and send them takes an eighth of the instructions of a call. The cost: what AWS logs
//! of calls does not name the SDK.

use aws_runtime::{
    invocation_id::InvocationIdInterceptor, request_info::RequestInfoInterceptor,
    user_agent::UserAgentInterceptor,
};
use aws_smithy_runtime_api::{
    box_error::BoxError,
    client::interceptors::{
        Intercept, context::BeforeSerializationInterceptorContextRef, disable_interceptor,
        dyn_dispatch_hint,
    },
};
use aws_smithy_types::config_bag::ConfigBag;

/// Switches the interceptors off that add these headers.
#[derive(Clone, Copy, Debug)]
pub struct NoRequestMetadata;

#[dyn_dispatch_hint]
impl Intercept for NoRequestMetadata {
    fn name(&self) -> &'static str {
        "NoRequestMetadata"
    }

    fn read_before_execution(
        &self,
        _: &BeforeSerializationInterceptorContextRef<'_>,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        const CAUSE: &str = "no service needs it";
        let state = config.interceptor_state();
        state.store_put(disable_interceptor::<UserAgentInterceptor>(CAUSE));
        state.store_put(disable_interceptor::<InvocationIdInterceptor>(CAUSE));
        state.store_put(disable_interceptor::<RequestInfoInterceptor>(CAUSE));
        Ok(())
    }
}
