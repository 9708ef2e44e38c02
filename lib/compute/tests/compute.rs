//! Whose work runs, and when it ends.

use std::{
    future::ready,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use budget::spend;
use compute::{Spent, place, run};
use domain::AccountId;
use tokio::{sync::oneshot, task::yield_now};

const ENDLESS: u64 = u64::MAX >> 1;

fn account(number: usize) -> AccountId {
    format!("acct_{number:026}").parse().expect("an identifier")
}

/// Works until its budget is spent.
fn busily() {
    loop {
        spend(1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn work_runs_beside_the_threads_that_serve() {
    let serving = std::thread::current().id();
    let working = run(account(1), 1, async { std::thread::current().id() }).await;
    assert_ne!(working, Ok(serving));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_account_whose_work_never_ends_leaves_a_thread_to_others() {
    let endless: Vec<_> =
        (0..24).map(|_| tokio::spawn(run(account(2), ENDLESS, async { busily() }))).collect();
    assert_eq!(run(account(3), 1, ready("done")).await, Ok("done"));
    assert!(endless.iter().all(|work| !work.is_finished()));
    endless.iter().for_each(|work| work.abort());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn work_that_nobody_waits_for_ends() {
    let (started, has_started) = oneshot::channel();
    let (ended, has_ended) = oneshot::channel::<()>();
    let work = tokio::spawn(run(account(4), ENDLESS, async move {
        let _ended = ended;
        let _ = started.send(());
        busily();
    }));
    has_started.await.expect("the work starts");
    work.abort();
    assert!(has_ended.await.is_err(), "the work was dropped with what it held");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn work_that_takes_too_many_steps_is_refused() {
    assert_eq!(run(account(5), 100_000, async { busily() }).await, Err(Spent::Steps));
}

#[tokio::test]
async fn a_runtime_with_one_thread_bounds_the_work_just_so() {
    assert_eq!(run(account(5), 100_000, async { busily() }).await, Err(Spent::Steps));
    assert_eq!(run(account(5), 100_000, ready(7)).await, Ok(7));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn work_that_waits_has_no_thread() {
    let gate = Arc::new(AtomicBool::new(false));
    let waiting: Vec<_> = (0..24)
        .map(|_| {
            let gate = gate.clone();
            tokio::spawn(run(account(6), 10_000, async move {
                while !gate.load(Ordering::Relaxed) {
                    yield_now().await;
                }
                "done"
            }))
        })
        .collect();
    assert_eq!(run(account(6), 1, ready("done")).await, Ok("done"));
    gate.store(true, Ordering::Relaxed);
    for work in waiting {
        assert_eq!(work.await.expect("no panic"), Ok("done"));
    }
}

#[test]
fn an_account_has_as_many_places_as_it_may() {
    let first = place(account(7), 2).expect("a place");
    let _second = place(account(7), 2).expect("a place");
    assert!(place(account(7), 2).is_none());
    assert!(place(account(8), 2).is_some(), "another account has its own");
    drop(first);
    assert!(place(account(7), 2).is_some());
}
