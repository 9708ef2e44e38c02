//! Searches for the texts on which the operations work hardest: docs/design/fuzzing.md.
//!
//!   work <seconds for each operation> [--write] [--seed <number>] [operation…]
//!   work <seed>…

mod evolve;
mod measure;
#[path = "../properties/work/operations.rs"]
mod operations;
#[path = "../properties/work/seed.rs"]
mod seed;

use std::{fs, io, path::Path, process::ExitCode, thread, time::Duration};

use evolve::Search;
use measure::Measured;
use operations::{OPERATIONS, Operation};
use rules::Rules;
use seed::Seed;

/// Where the worst are kept, a file for each operation.
const CORPUS: &str = "corpus/work";
/// Seeds that are worst by one of the measures: how many are measured in full length, and how many are kept.
const MEASURED: usize = 3;
const KEPT: usize = 1;
/// Seeds above a bound that are told of an operation; many of them have the same cause.
const TOLD: usize = 4;

/// How the program is called.
const USAGE: &str =
    "work <seconds for each operation> [--write] [--seed <number>] [operation…]\nwork <seed>…";

enum Task {
    /// To measure what was found.
    Measure(Vec<Seed>),
    Search {
        time: Duration,
        seed: u64,
        write: bool,
        chosen: Vec<String>,
    },
}

impl Task {
    fn read() -> Option<Self> {
        let mut given = std::env::args().skip(1).peekable();
        if given.peek()?.starts_with('[') {
            return given.map(|line| Seed::read(&line)).collect::<Option<_>>().map(Self::Measure);
        }
        let time = Duration::from_secs(given.next()?.parse().ok()?);
        let (mut seed, mut write, mut chosen) = (1, false, Vec::new());
        while let Some(argument) = given.next() {
            match argument.as_str() {
                "--write" => write = true,
                "--seed" => seed = given.next()?.parse().ok()?,
                _ => chosen.push(argument),
            }
        }
        Some(Self::Search { time, seed, write, chosen })
    }

    /// Tells whether everything stays within the bounds.
    fn run(self) -> io::Result<bool> {
        Rules::warm_up();
        println!("{}", measure::HEAD);
        match self {
            Self::Measure(seeds) => {
                let measured: Vec<_> = seeds.into_iter().map(Measured::of).collect();
                measured.iter().for_each(|one| println!("{one}"));
                Ok(measured.iter().all(Measured::is_within))
            }
            Self::Search { time, seed, write, chosen } => {
                let kept = kept()?;
                let is_chosen = |operation: &&Operation| {
                    let mut names = chosen.iter();
                    chosen.is_empty() || names.any(|name| operation.name.starts_with(name))
                };
                let mut within = true;
                for operation in OPERATIONS.iter().filter(is_chosen) {
                    let mut search = Search::new(operation, seed);
                    search.start(&kept);
                    search.evolve(time);
                    within &= told(&search);
                    if write {
                        keep(&search)?;
                    }
                }
                Ok(within)
            }
        }
    }
}

fn main() -> ExitCode {
    let Some(task) = Task::read() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    // With as large a stack as the service's threads have.
    match thread::spawn(move || task.run()).join() {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        Ok(Ok(false)) | Err(_) => ExitCode::FAILURE,
        Ok(Err(error)) => {
            eprintln!("{CORPUS}: {error}");
            ExitCode::from(2)
        }
    }
}

/// Prints what was found. Tells whether it stays within the bounds.
fn told(search: &Search) -> bool {
    let mut measured: Vec<_> = search.worst(MEASURED).into_iter().map(Measured::of).collect();
    measured.sort_by(|one, other| other.excess().total_cmp(&one.excess()));
    let above = measured.iter().filter(|one| !one.is_within()).count();
    for one in measured.iter().take(above.clamp(1, TOLD)) {
        println!("{one}");
    }
    above == 0
}

/// Keeps the worst in the corpus.
fn keep(search: &Search) -> io::Result<()> {
    let lines: String = search.worst(KEPT).iter().map(|seed| format!("{seed}\n")).collect();
    fs::write(Path::new(CORPUS).join(search.operation.name.replace('/', "-")), lines)
}

/// The seeds of the corpus.
fn kept() -> io::Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    for file in fs::read_dir(CORPUS)? {
        let text = fs::read_to_string(file?.path())?;
        seeds.extend(text.lines().filter_map(Seed::read));
    }
    Ok(seeds)
}
