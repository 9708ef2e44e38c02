//! Races: the same work done in several ways, in turn, in one process.
//!
//! After a warm-up each round runs every way once, one behind the other. What else the machine does disturbs neighbours
//! alike, so each round has a ratio of its own, and the median of the rounds counts. Its spread is that of their
//! quartiles. Time is processor time of this process, which other processes do not lengthen.

use std::{hint::black_box, time::Duration};

use cpu_time::ProcessTime;

/// Rounds after the warm-up.
pub const ROUNDS: usize = 21;
/// How long a way runs in a round at least: what takes less is repeated.
const AT_LEAST: Duration = Duration::from_millis(4);

/// A way to do the work. What it returns is made and dropped within its time.
pub struct Way<'a> {
    name: &'static str,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Way<'a> {
    /// A way with a name.
    pub fn new<T>(name: &'static str, mut run: impl FnMut() -> T + 'a) -> Self {
        Self { name, run: Box::new(move || drop(black_box(run()))) }
    }

    /// Processor time of so many runs.
    fn time(&mut self, runs: u32) -> Duration {
        let start = ProcessTime::now();
        (0..runs).for_each(|_| (self.run)());
        start.elapsed()
    }

    /// Runs that take long enough to be timed; also the warm-up.
    fn runs(&mut self) -> u32 {
        let mut runs = 1;
        while self.time(runs) < AT_LEAST {
            runs *= 2;
        }
        runs
    }
}

/// How a way compares with the first one.
pub struct Ratio {
    /// The way's name.
    pub name: &'static str,
    /// Processor time of a run, the median of all rounds.
    pub time: Duration,
    /// How many times as long as the first way it took, in each round: ascending.
    ratios: Vec<f64>,
}

impl Ratio {
    /// The median of the rounds, between their quartiles.
    pub fn quartiles(&self) -> [f64; 3] {
        [1, 2, 3].map(|quarter| self.ratios[(self.ratios.len() - 1) * quarter / 4])
    }
}

/// Runs the ways in turn. The first is ours, and has a ratio of one.
pub fn race(mut ways: Vec<Way<'_>>) -> Vec<Ratio> {
    let runs: Vec<u32> = ways.iter_mut().map(Way::runs).collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        for ((way, runs), times) in ways.iter_mut().zip(&runs).zip(&mut times) {
            times.push(way.time(*runs).as_secs_f64() / f64::from(*runs));
        }
    }
    let ratio = |(way, theirs): (&Way<'_>, &Vec<f64>)| {
        let mut ratios: Vec<f64> =
            theirs.iter().zip(&times[0]).map(|(theirs, ours)| theirs / ours).collect();
        ratios.sort_by(f64::total_cmp);
        let mut times = theirs.clone();
        times.sort_by(f64::total_cmp);
        Ratio { name: way.name, time: Duration::from_secs_f64(times[ROUNDS / 2]), ratios }
    };
    ways.iter().zip(&times).map(ratio).collect()
}

/// Prints a race in a line: our time, and how many times as long the others take, with the quartiles.
pub fn print(name: &str, ratios: &[Ratio]) {
    let mut line = format!("{name:<36}");
    for ratio in ratios {
        let [low, median, high] = ratio.quartiles();
        line += &if std::ptr::eq(ratio, &ratios[0]) {
            format!("{:>10}", duration(ratio.time))
        } else {
            format!("   {} {median:>7.2} ({low:.2}–{high:.2})", ratio.name)
        };
    }
    println!("{line}");
}

/// The median of a way's ratios in several races.
pub fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[(ratios.len() - 1) / 2]
}

fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 1e-3 {
        format!("{:.2} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.2} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}
