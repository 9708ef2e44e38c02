//! The process: system clock, system randomness, logging.

pub mod config;
pub mod lambda;
pub mod outbound_ports;
pub mod server_secret;
pub mod storage;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use domain::{Clock, Random, Timestamp, clock::Sleep};
use tracing_subscriber::EnvFilter;

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Timestamp::from_millis(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }

    fn sleep_until(&self, instant: Timestamp) -> Sleep {
        Box::pin(tokio::time::sleep(instant.since(self.now())))
    }
}

/// The operating system's random source.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, buffer: &mut [u8]) {
        #[allow(clippy::expect_used, reason = "without randomness no key or id is safe to make")]
        getrandom::fill(buffer).expect("the operating system gives random bytes");
    }
}

/// Checks the syntax of a log filter.
///
/// # Errors
///
/// The problem with it.
pub fn check_filter(filter: &str) -> Result<(), String> {
    EnvFilter::try_new(filter).map(drop).map_err(|error| error.to_string())
}

/// Logs one JSON object a line to standard error. `filter` is in the syntax of
/// `tracing_subscriber::EnvFilter`, for example `info` or `info,store=debug`. Panics are logged by
/// their place only: their messages may quote what a user wrote.
pub fn init_logging(filter: &str) {
    let _ = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_writer(std::io::stderr)
        .with_env_filter(EnvFilter::new(filter))
        .try_init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "panicked");
    }));
}
