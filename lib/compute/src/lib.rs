//! Where work on users' inputs runs: on a few threads of their own, each input within a [`budget`].
//!
//! So the threads that serve requests are free whatever somebody sends, and no account has all threads. Work that
//! nobody waits for any more ends at its next [`budget::spend`].

mod accounts;

use std::{
    future::{Future, poll_fn},
    panic::resume_unwind,
    pin::Pin,
    sync::{Arc, LazyLock},
    task::{Context, Poll, Wake, Waker},
    thread,
};

use budget::Budget;
use domain::AccountId;
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::{Notify, Semaphore},
    task::spawn_blocking,
};
use tracing::Span;

pub use accounts::Place;
pub use budget::Spent;

use accounts::Accounts;

/// Steps that any input may take.
const STEPS: u64 = 25_000_000;
/// Steps more for each character of an input.
const STEPS_A_CHARACTER: u64 = 5_000;

/// The steps that an input of so many characters may take.
pub const fn steps(characters: usize) -> u64 {
    STEPS + STEPS_A_CHARACTER * characters as u64
}

/// Gives the work that runs the steps of an input of so many characters, which it has just received.
pub fn received(characters: usize) {
    budget::grant(steps(characters));
}

/// What a caller reads whose input took too many steps.
pub const TOO_MUCH_WORK: &str =
    "The content takes more work than its length allows; shorten or simplify it.";

/// The threads of the process, and who uses them.
static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    Pool { threads: Semaphore::new(processors + 1), accounts: Accounts::of(processors) }
});

struct Pool {
    /// One more than processors, so that one is left for others where an account has a share for each processor.
    threads: Semaphore,
    accounts: Accounts,
}

/// A place among the computations of an account that no operation records; free again when it is dropped. `None` if the
/// account has as many as it may, `limit`.
pub fn place(account: AccountId, limit: u32) -> Option<Place> {
    POOL.accounts.of_account(account).place(limit)
}

/// Runs work of an account at a cost of `steps` at most. Whenever the work can go on, it does so on a thread of the
/// pool; while it waits for others, it has none. It ends with the future that is returned: at its next step.
///
/// A runtime with a single thread runs the work on that one: it has nobody else to serve.
///
/// # Errors
///
/// The work took more steps.
pub async fn run<T: Send + 'static>(
    account: AccountId,
    steps: u64,
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, Spent> {
    let mut work: Pin<Box<dyn Future<Output = T> + Send>> = Box::pin(work);
    let mut budget = Budget::of(steps);
    let _waits = budget.stop_on_drop();
    if Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread {
        return poll_fn(|context| poll(&mut work, &mut budget, context)).await;
    }
    let account = POOL.accounts.of_account(account);
    let woken = Arc::new(Woken::default());
    loop {
        let _turn = account.turn().await;
        let _thread = POOL.threads.acquire().await;
        let (span, waker) = (Span::current(), Waker::from(woken.clone()));
        let polled = spawn_blocking(move || {
            let mut context = Context::from_waker(&waker);
            let polled = span.in_scope(|| poll(&mut work, &mut budget, &mut context));
            (work, budget, polled)
        });
        let polled = match polled.await {
            Ok((unfinished, left, polled)) => {
                (work, budget) = (unfinished, left);
                polled
            }
            Err(error) => match error.try_into_panic() {
                Ok(cause) => resume_unwind(cause),
                // The process ends.
                Err(_) => return Err(Spent::Stopped),
            },
        };
        drop((_turn, _thread));
        match polled {
            Poll::Ready(done) => return done,
            Poll::Pending => woken.0.notified().await,
        }
    }
}

/// Lets work go on within its budget.
fn poll<T>(
    work: &mut Pin<Box<dyn Future<Output = T> + Send>>,
    budget: &mut Budget,
    context: &mut Context<'_>,
) -> Poll<Result<T, Spent>> {
    match budget.pay(|| work.as_mut().poll(context)) {
        Ok(polled) => polled.map(Ok),
        Err(spent) => Poll::Ready(Err(spent)),
    }
}

/// Tells that work can go on.
#[derive(Default)]
struct Woken(Notify);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
    }
}
