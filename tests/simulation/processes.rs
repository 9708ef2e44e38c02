//! Processes of functions as Lambda runs them: one invocation at a time, frozen in between, killed at their time
//! limit or whenever it pleases.

use std::{
    collections::BTreeMap,
    fmt,
    future::pending,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use aws_sdk_sqs::config::{AsyncSleep, Sleep};
use aws_smithy_async::time::TimeSource;
use axum::Router;
use domain::{Clock, Timestamp};
use futures::future::BoxFuture;
use sqs_consumer::SqsHandler;
use tokio::sync::watch;

use crate::scheduler::Time;

/// A function of the deployment; one stands for all that API Gateway invokes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Function {
    /// Whoever prepares and examines a simulation: nothing ever happens to it.
    Operator,
    /// What API Gateway invokes.
    Api,
    /// Runs queued operations.
    Processor,
    /// Delivers events.
    Deliveries,
    /// Verifies uploads.
    UploadEvents,
    /// Writes the index of the library.
    LibraryIndexer,
}

impl Function {
    /// Those whose roles it has, by their names in `tests/calls.tsv`; `None` if it may do anything.
    pub fn roles(self) -> Option<&'static [&'static str]> {
        Some(match self {
            Self::Operator => return None,
            Self::Api => &[
                "history",
                "library",
                "operations",
                "presets",
                "prompts",
                "system",
                "uploads",
                "webhooks",
            ],
            Self::Processor => &["processor"],
            Self::Deliveries => &["deliveries"],
            Self::UploadEvents => &["upload-events"],
            Self::LibraryIndexer => &["library-indexer"],
        })
    }

    /// After how long an invocation is killed.
    pub fn timeout(self) -> Duration {
        Duration::from_secs(match self {
            Self::Processor => 120,
            Self::LibraryIndexer => 300,
            _ => 29,
        })
    }
}

/// How often each function was invoked on the way to a message, by which Lambda detects recursive loops.
pub type Lineage = BTreeMap<Function, u32>;

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Frozen,
    Killed,
}

/// A process as its clients and its clock see it.
#[derive(Clone)]
pub struct Process {
    /// Which one it is.
    pub number: u64,
    /// Whose.
    pub function: Function,
    state: watch::Sender<State>,
    lineage: Arc<Mutex<Lineage>>,
    invocations: Arc<AtomicU64>,
    time: Time,
    start: Timestamp,
    /// How far its clock is ahead, in milliseconds.
    skew: i64,
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.function, self.number)
    }
}

impl Process {
    /// A new process of a simulation that began at `start`.
    pub fn new(number: u64, function: Function, time: Time, start: Timestamp, skew: i64) -> Self {
        let (state, _) = watch::channel(State::Running);
        Self {
            number,
            function,
            state,
            lineage: Arc::default(),
            invocations: Arc::default(),
            time,
            start,
            skew,
        }
    }

    fn set(&self, state: State) {
        self.state.send_if_modified(|stands| {
            let changes = *stands != State::Killed && *stands != state;
            if changes {
                *stands = state;
            }
            changes
        });
    }

    /// Nothing in it happens any more.
    pub fn kill(&self) {
        self.set(State::Killed);
    }

    /// Nothing in it happens until it is thawed.
    pub fn freeze(&self) {
        self.set(State::Frozen);
    }

    /// It goes on, with an invocation of that lineage.
    pub fn thaw(&self, lineage: Lineage) {
        *self.lineage() = lineage;
        self.invocations.fetch_add(1, Ordering::Relaxed);
        self.set(State::Running);
    }

    /// Which invocation it has; the first is 1.
    pub fn invocation(&self) -> u64 {
        self.invocations.load(Ordering::Relaxed)
    }

    /// Whether it was killed.
    pub fn is_killed(&self) -> bool {
        *self.state.borrow() == State::Killed
    }

    /// The lineage of the present invocation.
    pub fn lineage(&self) -> MutexGuard<'_, Lineage> {
        self.lineage.lock().expect("nothing panics with it")
    }

    /// Waits until it is killed.
    pub async fn until_killed(&self) {
        let mut state = self.state.subscribe();
        let _ = state.wait_for(|state| *state == State::Killed).await;
    }

    /// Waits while it is frozen; for ever, if it is dead.
    pub async fn until_running(&self) {
        let mut state = self.state.subscribe();
        let state = state.wait_for(|state| *state != State::Frozen).await.map(|state| *state);
        if !matches!(state, Ok(State::Running)) {
            pending::<()>().await;
        }
    }

    async fn sleep_for(self, until: Duration) {
        self.time.sleep_until(until).await;
        self.until_running().await;
    }
}

impl Clock for Process {
    fn now(&self) -> Timestamp {
        let passed = i64::try_from(self.time.now().as_millis()).expect("a short simulation");
        Timestamp::from_millis(self.start.millis() + passed + self.skew)
    }

    fn sleep_until(&self, instant: Timestamp) -> domain::clock::Sleep {
        let until = instant.millis() - self.start.millis() - self.skew;
        let until = Duration::from_millis(u64::try_from(until).unwrap_or(0));
        Box::pin(self.clone().sleep_for(until))
    }
}

/// The SDK's time.
impl TimeSource for Process {
    fn now(&self) -> SystemTime {
        let millis = u64::try_from(Clock::now(self).millis()).expect("after the epoch");
        UNIX_EPOCH + Duration::from_millis(millis)
    }
}

/// The SDK's sleeps.
impl AsyncSleep for Process {
    fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(self.clone().sleep_for(self.time.now() + duration))
    }
}

/// What a process serves.
#[derive(Clone)]
pub enum Service {
    /// Requests.
    Api(Router),
    /// Batches of messages.
    Queue(Arc<dyn SqsHandler>),
}

/// A process with what it serves.
pub struct Instance {
    /// The process.
    pub process: Process,
    /// What it serves.
    pub service: Service,
}

/// Work that a process does.
pub type Work<T> = BoxFuture<'static, T>;

/// Processes that wait for an invocation.
#[derive(Default)]
pub struct IdleInstances(Mutex<Vec<Instance>>);

impl IdleInstances {
    /// A process of a function that has nothing to do, chosen by `choose` among so many.
    pub fn take(
        &self,
        function: Function,
        choose: impl FnOnce(usize) -> usize,
    ) -> Option<Instance> {
        let mut idle = self.0.lock().expect("nothing panics with it");
        idle.retain(|instance| !instance.process.is_killed());
        let places: Vec<_> =
            (0..idle.len()).filter(|place| idle[*place].process.function == function).collect();
        (!places.is_empty()).then(|| idle.remove(places[choose(places.len())]))
    }

    /// Keeps a process for the next invocation.
    pub fn put(&self, instance: Instance) {
        self.0.lock().expect("nothing panics with it").push(instance);
    }

    /// Lets all of them go.
    pub fn clear(&self) {
        self.0.lock().expect("nothing panics with it").clear();
    }
}
