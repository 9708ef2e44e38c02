//! What the rules engine costs a process: until its first result, and after many.
//!
//! `cargo run -q --release -p rules --example start [none|first]`
//!
//! Prints the milliseconds until the first results, and the resident megabytes then and after 1,000 different goals in
//! eight threads; with `first` it ends after the first, with `none` it only loads what functions load at their start.
//! Instructions: `valgrind --tool=callgrind` before the program.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use domain::Timestamp;
use engine::{Engine, GenerateBrief, Mode, OutputMode, PromptBrief, TargetModel};
use futures::FutureExt;
use rules::Rules;

const GOALS: usize = 1_000;
const THREADS: usize = 8;

fn main() {
    let until = std::env::args().nth(1).unwrap_or_default();
    let began = Instant::now();
    Rules::warm_up();
    if until == "none" {
        return;
    }
    run("Write a short thank-you note to a colleague");
    println!(
        "{:.0} ms, {} MB after the first results",
        began.elapsed().as_secs_f64() * 1e3,
        resident()
    );
    if until == "first" {
        return;
    }
    let lines: Vec<&str> = include_str!("tasks/training.tsv").lines().collect();
    let goals: Vec<&str> = lines
        .iter()
        .step_by(lines.len() / GOALS)
        .filter_map(|line| line.rsplit('\t').next())
        .take(GOALS)
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(goal) = goals.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(goal);
                }
            });
        }
    });
    println!("{} MB after {} goals in {THREADS} threads", resident(), goals.len());
}

/// Generates a prompt for a goal, analyzes and optimizes it.
fn run(goal: &str) {
    let until = Timestamp::from_millis(0);
    let brief = GenerateBrief {
        message: goal.to_owned(),
        mode: Mode::default(),
        output_mode: OutputMode::default(),
        target_model: TargetModel::default(),
        language: "en".to_owned(),
        current_prompt: None,
        conversation: Vec::new(),
        previous: None,
        images: Vec::new(),
    };
    let prompt = PromptBrief {
        prompt: goal.to_owned(),
        context: String::new(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        variations: 2,
        images: Vec::new(),
    };
    let _ = Rules.generate(&brief, until).now_or_never();
    let _ = Rules.analyze_and_optimize(&prompt, until).now_or_never();
}

/// Megabytes of memory that the process holds; 0 where `/proc` does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
