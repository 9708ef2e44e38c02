//! How AI operations are started, run and ended, for every caller and host.
//!
//! One rule makes every crash recoverable: the operation's message is in the queue before the
//! transaction that records the operation, and the receiver of the message trusts only the record.
//! [`start`] starts operations this way, [`run`] is shared by calls and the processor, [`process`]
//! handles the processor's messages. A call whose operation may ask a language model leaves it to
//! the processor and [waits](wait).

mod attachments;
pub mod data_url;
pub mod deletion;
mod failure;
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
pub mod wait;

use std::{sync::Arc, time::Duration};

use domain::{Clock, Timestamp, operation::CALL_DEADLINE, prices::Budget};
use engine::{Engine, EngineKind};
use outbound::Fetcher;
use store::Store;

pub use process::Disposition;
pub use run::{Attempt, Run};
pub use start::{Begun, Intent};
pub use task::{Assignment, Attachment, Task};
pub use wait::{Waited, Waiting};

/// Time limits of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// For a synchronous call, from its arrival.
    pub call: Duration,
    /// For one attempt of the processor.
    pub processing: Duration,
}

impl Deadlines {
    /// Time after its deadline in which an attempt can settle, even if storage is slow. Its lease
    /// lasts until then.
    pub const SETTLING: Duration = Duration::from_secs(4);
    /// Time after its deadline at which a call is answered, settled or not: enough for storage at
    /// its usual pace, and a second less than the 29 s that its function has.
    pub const ANSWERING: Duration = Duration::from_secs(3);

    /// Deadlines with `processing` for the processor.
    pub const fn new(processing: Duration) -> Self {
        Self { call: CALL_DEADLINE, processing }
    }

    /// How long the processor leaves an operation alone that a call runs: until its lease has ended.
    pub fn watchdog(self) -> Duration {
        self.call + Self::SETTLING + Duration::from_secs(1)
    }
}

impl Default for Deadlines {
    /// An attempt of the processor ends before its function's timeout of 120 s.
    fn default() -> Self {
        Self::new(Duration::from_secs(100))
    }
}

/// What running operations needs.
#[derive(Clone)]
pub struct Workflow {
    pub(crate) store: Store,
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) fetcher: Fetcher,
    pub(crate) deadlines: Deadlines,
    pub(crate) budget: Arc<Budget>,
}

impl Workflow {
    /// A workflow that records in `store`, uses `engine` within `budget` and reads public pages with `fetcher`.
    pub fn new(
        store: Store,
        engine: Arc<dyn Engine>,
        fetcher: Fetcher,
        deadlines: Deadlines,
        budget: Budget,
    ) -> Self {
        Self { store, engine, fetcher, deadlines, budget: Arc::new(budget) }
    }

    /// The store of all durable state.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The engine.
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }

    /// Whether the engine asks a language model, which takes long and is paid for each time.
    pub(crate) fn asks_model(&self) -> bool {
        self.engine.identity().kind == EngineKind::Llm
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.store.clock().now()
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &**self.store.clock()
    }
}
