//! The cost of a seed, and what is allowed.

use std::{fmt, time::Duration};

use budget::Budget;
use cpu_time::ThreadTime;

use crate::seed::Seed;

/// CPU time that 1,000 characters may take at most.
const MOST_TIME: Duration = Duration::from_millis(20);
/// How many times the cost of a text a text of four times the length may cost. Clocks are less exact than steps.
const MOST_TIME_GROWTH: f64 = 5.0;
const MOST_STEPS_GROWTH: f64 = 4.4;
/// CPU time of a text from which on no longer one is tried.
const TOO_LONG: Duration = Duration::from_secs(10);
/// Characters of the texts that are measured at least: of shorter ones, what does not depend on their length is most.
const SHORTEST: usize = 3_000;
/// CPU time below which its growth tells nothing.
const TOO_SHORT: Duration = Duration::from_millis(10);

/// The head of a table of [`Measured`].
pub const HEAD: &str =
    "operation                      characters  ms/1,000  steps/char.  time ×4  steps ×4  seed";

/// What a text costs.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub characters: usize,
    pub steps: u64,
    pub time: Duration,
    /// Whether it has spent what the service allows a text of its length.
    pub stopped: bool,
}

impl Cost {
    /// The cost of a seed's text with so many characters.
    pub fn of(seed: &Seed, characters: usize) -> Self {
        let [first, second] = seed.texts(characters);
        let characters = first.chars().count() + second.chars().count();
        let mut budget = Budget::of(compute::steps(characters));
        let (all, begun) = (budget.left(), ThreadTime::now());
        let ended = budget.pay(|| (seed.operation.run)(&first, &second));
        let (time, steps) = (begun.elapsed(), all - budget.left());
        Self { characters, steps, time, stopped: ended.is_err() }
    }

    /// CPU time of 1,000 characters, in milliseconds.
    pub fn time_a_thousand(&self) -> f64 {
        1e6 * self.time.as_secs_f64() / self.characters as f64
    }

    /// Steps of a character.
    pub fn steps_a_character(&self) -> f64 {
        self.steps as f64 / self.characters as f64
    }

    /// How many times the time and the steps of a text of a quarter of the length it takes, and the least of the clock's
    /// errors.
    pub fn growth(&self, quarter: &Self) -> [f64; 2] {
        let four = self.characters as f64 / quarter.characters as f64 / 4.0;
        let time = self.time.as_secs_f64() / quarter.time.max(TOO_SHORT).as_secs_f64();
        [time / four, self.steps as f64 / quarter.steps.max(1) as f64 / four]
    }
}

/// The cost of a seed's texts of several lengths.
pub struct Measured {
    seed: Seed,
    longest: Cost,
    time: f64,
    growth: [f64; 2],
}

impl Measured {
    /// Measures a seed with a sixteenth, a quarter and all of its longest text.
    pub fn of(seed: Seed) -> Self {
        let once = Self::once(seed);
        if once.is_within() {
            return once;
        }
        // Other programs on the same processor disturb the clock.
        let again = Self::once(once.seed.clone());
        if again.excess() < once.excess() { again } else { once }
    }

    fn once(seed: Seed) -> Self {
        let lengths = [16, 4, 1].map(|part| seed.longest() / part);
        let (mut longest, mut time, mut growth): (Option<Cost>, _, _) = (None, 0.0, [0.0, 0.0]);
        for characters in lengths.into_iter().filter(|characters| *characters >= SHORTEST) {
            let cost = Cost::of(&seed, characters);
            time = f64::max(time, cost.time_a_thousand());
            if let Some(shorter) = longest {
                let grown = cost.growth(&shorter);
                growth = [f64::max(growth[0], grown[0]), f64::max(growth[1], grown[1])];
            }
            longest = Some(cost);
            if cost.time > TOO_LONG || cost.stopped {
                break;
            }
        }
        let longest = longest.expect("a length");
        Self { seed, longest, time, growth }
    }

    /// Whether it stays within the bounds.
    pub fn is_within(&self) -> bool {
        self.excess() <= 1.0
    }

    /// What it costs as a multiple of what it may.
    pub fn excess(&self) -> f64 {
        let time = self.time / (1e3 * MOST_TIME.as_secs_f64());
        let [time_growth, steps_growth] = self.growth;
        let growth = f64::max(time_growth / MOST_TIME_GROWTH, steps_growth / MOST_STEPS_GROWTH);
        let stopped = if self.longest.stopped { 100.0 } else { 0.0 };
        f64::max(f64::max(time, growth), stopped)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, longest, time, growth: [time_growth, steps_growth] } = self;
        let (name, characters) = (seed.operation.name, longest.characters);
        let steps = longest.steps_a_character();
        write!(
            f,
            "{name:<30} {characters:>10} {time:>9.2} {steps:>12.0} {time_growth:>8.2} {steps_growth:>9.2}  {}{}{}",
            seed,
            if longest.stopped { "  STOPPED: out of steps" } else { "" },
            if self.is_within() { "" } else { "  ABOVE" },
        )
    }
}
