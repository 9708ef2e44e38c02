//! A clock that a test moves by hand.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use domain::{Clock, Timestamp, clock::Sleep};
use tokio::sync::watch;

/// Stands still until [`ManualClock::advance`].
#[derive(Debug)]
pub struct ManualClock {
    millis: AtomicI64,
    moved: watch::Sender<i64>,
}

impl ManualClock {
    /// A clock that shows `start`.
    pub fn new(start: Timestamp) -> Self {
        let (moved, _) = watch::channel(start.millis());
        Self { millis: AtomicI64::new(start.millis()), moved }
    }

    /// Moves the clock on, and wakes whoever waited for an instant that has come.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).expect("a test's duration");
        let now = self.millis.fetch_add(by, Ordering::SeqCst) + by;
        self.moved.send_replace(now);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis.load(Ordering::SeqCst))
    }

    fn sleep_until(&self, instant: Timestamp) -> Sleep {
        let mut moved = self.moved.subscribe();
        Box::pin(async move {
            let gone = moved.wait_for(|now| *now >= instant.millis()).await.is_err();
            if gone {
                // The clock is gone, and with it the world that anyone would wake up in.
                std::future::pending::<()>().await;
            }
        })
    }
}
