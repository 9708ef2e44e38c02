//! A bound on the work that a user's input causes.
//!
//! Whoever starts a computation gives it a [`Budget`]. The loops of the computation call [`spend`] with what each round
//! costs. When nothing is left, or when nobody waits any more, `spend` unwinds the stack to the budget, as `salsa`
//! unwinds a cancelled query: code between the two needs no error path. A computation that runs outside of any budget
//! is not bounded.
//!
//! A step is about what one comparison of a character costs: 1 to 5 ns on a processor of 2024.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Steps between two looks at whether somebody still waits.
const LOOK: u64 = 1 << 16;

/// Steps that a computation may take, and whether somebody waits for it.
#[derive(Debug)]
pub struct Budget {
    steps: u64,
    stopped: Arc<AtomicBool>,
}

/// Stops the computation of a budget when it is dropped.
#[derive(Debug)]
pub struct StopOnDrop(Arc<AtomicBool>);

/// Why a computation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Spent {
    /// It took more steps than its budget has.
    #[error("the input takes more work than its size allows")]
    Steps,
    /// Nobody waits for its result any more.
    #[error("nobody waits for the result")]
    Stopped,
}

/// What the computation of a thread has left.
struct Scope {
    /// Steps behind those of the present look.
    steps: u64,
    stopped: Arc<AtomicBool>,
}

thread_local! {
    /// Steps until the next look.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static SCOPE: Cell<Option<Scope>> = const { Cell::new(None) };
}

impl Budget {
    /// A budget of so many steps.
    pub fn of(steps: u64) -> Self {
        Self { steps, stopped: Arc::default() }
    }

    /// What stops the computation when it is dropped.
    pub fn stop_on_drop(&self) -> StopOnDrop {
        StopOnDrop(self.stopped.clone())
    }

    /// Steps that are left.
    pub fn left(&self) -> u64 {
        self.steps
    }

    /// Computes something at the cost of this budget.
    ///
    /// # Errors
    ///
    /// The computation spent more than is left, or was stopped.
    ///
    /// # Panics
    ///
    /// As the computation does.
    pub fn pay<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, Spent> {
        let outer = Self::enter(self.steps, self.stopped.clone());
        let result = catch_unwind(AssertUnwindSafe(work));
        self.steps = Self::leave(outer);
        match result {
            Ok(value) => Ok(value),
            Err(cause) => match cause.downcast_ref::<Spent>() {
                Some(spent) => Err(*spent),
                None => resume_unwind(cause),
            },
        }
    }

    /// Makes a budget the thread's own. Returns what the thread had before.
    fn enter(steps: u64, stopped: Arc<AtomicBool>) -> (u64, Option<Scope>) {
        let first = steps.min(LOOK);
        let outer = SCOPE.replace(Some(Scope { steps: steps - first, stopped }));
        (LEFT.replace(first), outer)
    }

    /// Gives the thread back what it had before. Returns the steps that the budget has left.
    fn leave((left, outer): (u64, Option<Scope>)) -> u64 {
        let behind = SCOPE.replace(outer).map_or(0, |scope| scope.steps);
        LEFT.replace(left) + behind
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Spends steps of the thread's budget. Unwinds to it where not as many are left.
#[inline]
pub fn spend(steps: usize) {
    let steps = steps as u64;
    match LEFT.get().checked_sub(steps) {
        Some(left) => LEFT.set(left),
        None => look(steps),
    }
}

/// Looks whether the computation may go on, and for how long until the next look.
#[cold]
fn look(steps: u64) {
    let Some(scope) = SCOPE.take() else { return LEFT.set(u64::MAX) };
    let all = LEFT.get() + scope.steps;
    let spent = match all.checked_sub(steps) {
        _ if scope.stopped.load(Ordering::Relaxed) => Some(Spent::Stopped),
        None => Some(Spent::Steps),
        Some(rest) => {
            let next = rest.min(LOOK);
            LEFT.set(next);
            SCOPE.set(Some(Scope { steps: rest - next, ..scope }));
            None
        }
    };
    if let Some(spent) = spent {
        LEFT.set(0);
        resume_unwind(Box::new(spent));
    }
}

/// Gives the thread's budget steps more, for input that has just come in.
pub fn grant(steps: u64) {
    if let Some(scope) = SCOPE.take() {
        SCOPE.set(Some(Scope { steps: scope.steps.saturating_add(steps), ..scope }));
    }
}

/// Computes a part at a cost of `steps` at most. What it spends is spent of the thread's budget, too.
///
/// # Errors
///
/// The part took more steps.
pub fn limited<T>(steps: u64, work: impl FnOnce() -> T) -> Result<T, Spent> {
    let Some(scope) = SCOPE.take() else { return Budget::of(steps).pay(work) };
    let (all, stopped) = (LEFT.get() + scope.steps, scope.stopped.clone());
    SCOPE.set(Some(scope));
    let granted = steps.min(all);
    let mut part = Budget { steps: granted, stopped };
    let result = part.pay(work);
    let taken = granted - part.steps;
    match result {
        // The whole is spent, or nobody waits for it: that is not the part's to tell.
        Err(spent) if granted < steps || spent == Spent::Stopped => resume_unwind(Box::new(spent)),
        result => {
            spend(usize::try_from(taken).unwrap_or(usize::MAX));
            result
        }
    }
}

/// Computes something, and counts the steps that it takes.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let mut budget = Budget::of(u64::MAX >> 1);
    let before = budget.left();
    match budget.pay(work) {
        Ok(made) => (made, before - budget.left()),
        Err(spent) => resume_unwind(Box::new(spent)),
    }
}
