//! How often the kind of task of a goal is decided, and decided rightly.
//!
//! `cargo run -q --release -p rules --example tasks -- [--misses] [FILE]`
//!
//! Lines of a file are language, tasks that fit (with commas between) and goal, with tabs between. `outside.tsv` has the goals of
//! `tests/outside` that nothing is learned from, with the tasks that three readers found. Without a file, the 1,600 goals of `held_out.tsv` are
//! measured: 800 English ones of a hundred imagined people, and as many German, French and Italian ones. They are hard: many only look
//! like a kind of task. No goal of them is learned from; the classifier's features, penalty and bound were chosen by their totals. The classifier learns from `training.tsv`
//! (`--example train_tasks`). Both were written for this project, by authors who did not know the rules. A goal is decided
//! if its task is not `general`.

use std::{collections::BTreeMap, process::ExitCode};

#[derive(Default)]
struct Tally {
    goals: u32,
    decided: u32,
    right: u32,
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let shows_misses = arguments.iter().any(|argument| argument == "--misses");
    arguments.retain(|argument| argument != "--misses");
    let lines = match arguments.first() {
        None => include_str!("held_out.tsv").to_owned(),
        Some(path) => match std::fs::read_to_string(path) {
            Ok(lines) => lines,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::FAILURE;
            }
        },
    };
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for line in lines.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [language, label, goal] = columns[..] else {
            eprintln!("not three columns: {line}");
            return ExitCode::FAILURE;
        };
        let task = rules::task_of(goal);
        for group in ["all", language] {
            let tally = tallies.entry(group).or_default();
            tally.goals += 1;
            tally.decided += u32::from(task != "general");
            tally.right +=
                u32::from(task != "general" && label.split(',').any(|fits| fits == task));
        }
        if shows_misses && task != "general" && task != label {
            println!("{task} instead of {label}: {goal}");
        }
    }
    println!("{:<10}{:>7}{:>9}{:>9}", "goals", "", "decided", "right");
    for (group, tally) in tallies {
        let share = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
        let decided = share(tally.decided, tally.goals);
        let right = share(tally.right, tally.decided);
        println!("{group:<10}{:>7}{decided:>8.1}%{right:>8.1}%", tally.goals);
    }
    ExitCode::SUCCESS
}
