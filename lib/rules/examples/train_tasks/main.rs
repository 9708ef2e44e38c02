//! Trains the classifier that decides the kind of task of a goal.
//!
//! `cargo run -q --release -p rules --example train_tasks -- [--check] [SEED]`
//!
//! Reads `examples/tasks/training.tsv` (language, task and goal, with tabs between) and writes `knowledge/tasks.weights`; the same goals and
//! the same seed make the same file. With `--check` it writes nothing: it trains on four fifths of the goals at a time,
//! and prints how many of the others are decided, and decided rightly, by how far the best task has to be ahead.
#![allow(clippy::cast_precision_loss, clippy::indexing_slicing)]

#[path = "../../src/task/classifier.rs"]
#[allow(dead_code, unreachable_pub)]
mod classifier;
mod file;
mod learner;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use classifier::{Weights, digest, features};
use learner::{Example, Random};

/// Parts that the goals are divided into for a check.
const PARTS: usize = 5;
/// By how far the best task is ahead, as a check shows it.
const LEADS: [f32; 8] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let checks = arguments.iter().any(|argument| argument == "--check");
    arguments.retain(|argument| argument != "--check");
    let seed: u64 = arguments.first().map_or(Ok(1), |seed| seed.parse())?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(folder.join("examples/tasks/training.tsv"))?;
    let goals: Vec<[&str; 3]> = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>().try_into())
        .collect::<Result<_, _>>()
        .map_err(|line| format!("not three columns: {line:?}"))?;
    let tasks: Vec<&str> =
        goals.iter().map(|goal| goal[1]).collect::<BTreeSet<_>>().into_iter().collect();
    if checks {
        check(&goals, &tasks, seed);
        return Ok(());
    }
    let all: Vec<&[&str; 3]> = goals.iter().collect();
    let file = train(&all, &tasks, seed, digest(text.bytes()));
    println!("{} goals, {} tasks, {} bytes", goals.len(), tasks.len(), file.len());
    std::fs::write(folder.join("../../knowledge/tasks.weights"), file)?;
    Ok(())
}

fn train(goals: &[&[&str; 3]], tasks: &[&str], seed: u64, digest: u64) -> Vec<u8> {
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    let found: Vec<Vec<u32>> = goals.iter().map(|goal| features(goal[2])).collect();
    for feature in found.iter().flatten() {
        *numbers.entry(*feature).or_default() += 1;
    }
    let order: Vec<u32> = numbers.keys().copied().collect();
    // Rare features tell more about what a goal is.
    let rarity: Vec<f32> = numbers
        .values()
        .map(|number| ((1 + goals.len()) as f32 / (1 + number) as f32).ln() + 1.0)
        .collect();
    let examples: Vec<Example> = goals
        .iter()
        .zip(&found)
        .map(|(goal, features)| Example {
            task: tasks.binary_search(&goal[1]).unwrap_or_default(),
            features: features.iter().filter_map(|one| order.binary_search(one).ok()).collect(),
        })
        .collect();
    let learned = learner::learn(&examples, &rarity, tasks.len(), &mut Random::new(seed));
    file::write(&learned, &order, tasks, digest)
}

fn check(goals: &[[&str; 3]], tasks: &[&str], seed: u64) {
    let mut parts: Vec<usize> = (0..goals.len()).map(|goal| goal % PARTS).collect();
    Random::new(seed).shuffle(&mut parts);
    let mut answers: Vec<(f32, bool)> = Vec::new();
    for part in 0..PARTS {
        let of = |inside: bool| {
            goals.iter().zip(&parts).filter(move |(_, own)| (**own == part) == inside)
        };
        let learned_from: Vec<&[&str; 3]> = of(false).map(|(goal, _)| goal).collect();
        let file = train(&learned_from, tasks, seed, 0);
        for (goal, _) in of(true) {
            let (task, lead) = best(&Weights::of(&file).scores(goal[2], "", 0.0));
            if tasks[task] != "general" {
                answers.push((lead, tasks[task] == goal[1]));
            }
        }
        println!("part {} of {PARTS}: {} bytes", part + 1, file.len());
    }
    println!("{:>6}{:>10}{:>9}", "lead", "decided", "right");
    for wanted in LEADS {
        let decided: Vec<bool> =
            answers.iter().filter(|(lead, _)| *lead >= wanted).map(|(_, right)| *right).collect();
        let right = decided.iter().filter(|right| **right).count() as f32;
        println!(
            "{wanted:>6.2}{:>9.1}%{:>8.1}%",
            100.0 * decided.len() as f32 / goals.len() as f32,
            100.0 * right / decided.len().max(1) as f32,
        );
    }
}

/// How the best of several scores stands out: its number, and by how much its probability exceeds the next one.
fn best(scores: &[f32]) -> (usize, f32) {
    let likely: Vec<f32> = scores.iter().map(|score| 1.0 / (1.0 + (-score).exp())).collect();
    let first =
        (0..likely.len()).max_by(|a, b| likely[*a].total_cmp(&likely[*b])).unwrap_or_default();
    let second = likely.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, one)| *one);
    (first, (likely[first] - second.fold(0.0, f32::max)) / likely.iter().sum::<f32>())
}
