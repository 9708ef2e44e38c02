//! How an AI operation is started, run and ended, whoever asks and wherever it runs.
//!
//! One rule makes every crash recoverable: the queue has acknowledged the operation's message
//! before the transaction that makes the operation true is sent, and whoever receives the message
//! believes only the record. [`start`] starts operations that way, [`run`] is the one function
//! that calls and the processor share, [`process`] is what the processor does with a message.

mod attachments;
pub mod data_url;
pub mod deletion;
pub mod generate;
pub mod history;
pub mod optimize;
pub mod process;
pub mod refine;
pub mod reverse;
pub mod run;
pub mod source;
pub mod start;
mod summary;
pub mod task;

use std::{sync::Arc, time::Duration};

use domain::{Clock, Timestamp, operation::CALL_DEADLINE};
use engine::Engine;
use outbound::Fetcher;
use store::Store;

pub use process::Disposition;
pub use run::{Attempt, Run};
pub use start::{Begun, Enqueued, Intent};
pub use task::{Assignment, Attachment, Task};

/// How long operations may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// For a synchronous call, from its arrival.
    pub call: Duration,
    /// For one attempt of the processor.
    pub processing: Duration,
}

impl Deadlines {
    /// What an attempt may need beyond its deadline to record its end, storage at its slowest
    /// included. Its lease lasts that long, and API Gateway waits a second longer than that.
    pub const SETTLING: Duration = Duration::from_secs(4);

    /// Deadlines with `processing` for the processor.
    pub const fn new(processing: Duration) -> Self {
        Self { call: CALL_DEADLINE, processing }
    }

    /// How long the processor leaves a synchronous operation alone: until its lease has lapsed.
    pub fn watchdog(&self) -> Duration {
        self.call + Self::SETTLING + Duration::from_secs(1)
    }
}

impl Default for Deadlines {
    /// An attempt of the processor ends before its machine does: the function has 120 s.
    fn default() -> Self {
        Self::new(Duration::from_secs(100))
    }
}

/// Everything that operations need.
#[derive(Clone)]
pub struct Workflow {
    pub(crate) store: Store,
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) fetcher: Fetcher,
    pub(crate) deadlines: Deadlines,
}

impl Workflow {
    /// A workflow that keeps its records in `store`, has `engine` do the work and reads public pages
    /// with `fetcher`.
    pub fn new(
        store: Store,
        engine: Arc<dyn Engine>,
        fetcher: Fetcher,
        deadlines: Deadlines,
    ) -> Self {
        Self { store, engine, fetcher, deadlines }
    }

    /// Everything durable.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Who does the work.
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.store.clock().now()
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &**self.store.clock()
    }
}
