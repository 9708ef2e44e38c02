//! Time that passes only when nothing else can happen, and the randomness that decides everything.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
    time::Duration,
};

use domain::Random;

/// Time since the simulation began. It stands still while a task can go on; then it jumps to where the next sleeper
/// wakes. Sleepers of the same instant wake one after the other, each once the one before has no more to do.
#[derive(Clone, Debug, Default)]
pub struct Time(Arc<Mutex<Sleepers>>);

#[derive(Debug, Default)]
struct Sleepers {
    now: Duration,
    number: u64,
    waiting: BTreeMap<(Duration, u64), Waker>,
    is_stuck: bool,
    on_stuck: Option<Waker>,
}

impl Time {
    fn sleepers(&self) -> MutexGuard<'_, Sleepers> {
        self.0.lock().expect("nothing panics with it")
    }

    /// How much has passed.
    pub fn now(&self) -> Duration {
        self.sleepers().now
    }

    /// Lets so much pass.
    pub fn sleep(&self, time: Duration) -> Sleep {
        self.sleep_until(self.now() + time)
    }

    /// Resolves at that instant, or at once if it is over.
    pub fn sleep_until(&self, until: Duration) -> Sleep {
        let mut sleepers = self.sleepers();
        sleepers.number += 1;
        Sleep { time: self.clone(), until, number: sleepers.number }
    }

    /// Wakes the next sleeper.
    fn pass(&self) {
        let mut sleepers = self.sleepers();
        match sleepers.waiting.pop_first() {
            Some(((instant, _), waker)) => {
                sleepers.now = sleepers.now.max(instant);
                drop(sleepers);
                waker.wake();
            }
            None => {
                sleepers.is_stuck = true;
                if let Some(waker) = sleepers.on_stuck.take() {
                    drop(sleepers);
                    waker.wake();
                }
            }
        }
    }

    /// Resolves when everybody waits for something that never comes.
    fn stuck(&self) -> impl Future<Output = ()> + '_ {
        std::future::poll_fn(|context| {
            let mut sleepers = self.sleepers();
            if sleepers.is_stuck {
                return Poll::Ready(());
            }
            sleepers.on_stuck = Some(context.waker().clone());
            Poll::Pending
        })
    }

    /// Runs a simulation on this thread. Its tasks run one at a time, in an order that only they decide.
    pub fn run<T>(&self, main: impl Future<Output = T>) -> T {
        let time = self.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .on_thread_park(move || time.pass())
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            tokio::select! {
                biased;
                done = main => done,
                () = self.stuck() => panic!("everybody waits for something that never comes"),
            }
        })
    }
}

/// Somebody who waits for an instant.
#[derive(Debug)]
pub struct Sleep {
    time: Time,
    until: Duration,
    number: u64,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut sleepers = self.time.sleepers();
        if sleepers.now >= self.until {
            return Poll::Ready(());
        }
        sleepers.waiting.insert((self.until, self.number), context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.time.sleepers().waiting.remove(&(self.until, self.number));
    }
}

/// Chance, the same for the same seed.
#[derive(Debug)]
pub struct SeededRandom(Mutex<fastrand::Rng>);

impl SeededRandom {
    /// The randomness of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(fastrand::Rng::with_seed(seed)))
    }

    fn roll<T>(&self, roll: impl FnOnce(&mut fastrand::Rng) -> T) -> T {
        roll(&mut self.0.lock().expect("nothing panics with it"))
    }

    /// Whether something of that probability happens.
    pub fn chance(&self, probability: f64) -> bool {
        self.roll(fastrand::Rng::f64) < probability
    }

    /// One of `0..count`.
    pub fn below(&self, count: usize) -> usize {
        self.roll(|rng| rng.usize(..count))
    }

    /// One of these.
    pub fn pick<T: Clone>(&self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// A time between these, most likely a short one: of each order of magnitude as often.
    pub fn time(&self, shortest: Duration, longest: Duration) -> Duration {
        let (from, to) = (shortest.as_secs_f64().max(1e-6).ln(), longest.as_secs_f64().ln());
        Duration::from_secs_f64((from + (to - from) * self.roll(fastrand::Rng::f64)).exp())
    }
}

impl Random for SeededRandom {
    fn fill(&self, buffer: &mut [u8]) {
        self.roll(|rng| rng.fill(buffer));
    }
}
