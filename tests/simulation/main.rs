//! The service against an adversary: storage that fails, processes that die, queues that repeat themselves. One seed
//! decides everything, so that what a seed finds is found again.
//!
//! ```sh
//! cargo test -p acceptance --test simulation                          # seeds 0 to 199
//! FROM=200 SEEDS=20000 cargo test -p acceptance --test simulation     # seeds 200 to 19,999
//! SEED=17 cargo test -p acceptance --test simulation -- --nocapture   # one seed, and what happens in it
//! ```

mod documents;
mod engine;
mod faults;
mod invariants;
mod library;
mod network;
mod processes;
mod queues;
mod quotas;
mod receivers;
mod scheduler;
mod simulation;
mod table;
mod uploads;
mod workload;

use std::{
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use domain::Plan;

use crate::{
    scheduler::Time,
    simulation::{Load, Simulation},
};

/// What a run of a seed came to.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    violations: Vec<String>,
    digest: u64,
    load: Load,
}

/// Runs a seed.
fn run(seed: u64, is_printed: bool) -> Outcome {
    // The SDK has its jitter from here.
    fastrand::seed(seed);
    let time = Time::default();
    time.run(async {
        let simulation = Simulation::new(seed, time.clone(), is_printed).await;
        let mut accounts = Vec::new();
        for plan in [Plan::Max, Plan::Pro, Plan::Free] {
            accounts.push(simulation.account(plan).await);
        }
        if simulation.random.chance(0.1) {
            let item = simulation.write_item(&accounts[1]).await.expect("an item");
            simulation.change_often(&accounts[1], &item).await;
        }
        let item = simulation.write_item(&accounts[0]).await.expect("an item");
        assert!(simulation.publish(&accounts[0], &item).await, "it is published");
        for _ in 0..if simulation.random.chance(0.1) { 2 } else { 1 } {
            simulation.start_faults();
            simulation.work(&accounts).await;
            simulation.quiesce().await;
            simulation.check_invariants(&accounts).await;
            simulation.let_days_pass().await;
        }
        simulation.end();
        Outcome {
            violations: simulation.violations(),
            digest: simulation.digest(),
            load: simulation.load(),
        }
    })
}

/// How somebody sees what happens in a seed.
fn replay(seed: u64) -> String {
    format!("see SEED={seed} cargo test -p acceptance --test simulation -- --nocapture")
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().map(|text| text.parse().expect("a number"))
}

#[test]
fn whatever_happens_everything_ends_as_it_must() {
    if let Some(seed) = number("SEED") {
        let outcome = run(seed, true);
        assert!(outcome.violations.is_empty(), "seed {seed}: {:#?}", outcome.violations);
        return;
    }
    let (next, end) = (AtomicU64::new(number("FROM").unwrap_or(0)), number("SEEDS").unwrap_or(200));
    let (wrong, load) = (Mutex::new(Vec::new()), Mutex::new(Load::default()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end {
                        return;
                    }
                    // A panic is a finding like any other.
                    let outcome = catch_unwind(AssertUnwindSafe(|| run(seed, false)));
                    let violations = match outcome {
                        Ok(outcome) => {
                            load.lock().expect("nothing panics with it").add(outcome.load);
                            outcome.violations
                        }
                        Err(_) => vec!["a panic".to_owned()],
                    };
                    if !violations.is_empty() {
                        eprintln!("seed {seed}: {violations:#?}\n{}", replay(seed));
                        wrong.lock().expect("nothing panics with it").push(seed);
                    }
                }
            });
        }
    });
    let Load { asked, sent } = load.into_inner().expect("nothing panics with it");
    println!("during outages of minutes, {sent} calls were sent for {asked} asked");
    // A few calls show nothing.
    assert!(asked < 300 || sent * 10 <= asked * 13, "{sent} calls were sent for {asked} asked");
    let mut wrong = wrong.into_inner().expect("nothing panics with it");
    wrong.sort_unstable();
    let first = wrong.first().copied().map(replay).unwrap_or_default();
    assert!(wrong.is_empty(), "these seeds go wrong: {wrong:?}; {first}");
}

#[test]
fn waiting_messages_do_not_multiply_when_the_queue_loses_its_answers() {
    for seed in [300, 329] {
        assert_eq!(run(seed, false).violations, Vec::<String>::new(), "{}", replay(seed));
    }
}

#[test]
fn a_seed_decides_everything() {
    for seed in [3, 17, 40] {
        assert_eq!(run(seed, false), run(seed, false), "seed {seed}");
    }
}
