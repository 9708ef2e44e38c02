//! Evolution of seeds: what costs most is changed, joined and tried again.

use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::{measure::Cost, operations::Operation, seed::Seed};

/// What evolution starts from, an array in JSON on each line: a unit; or prefix, unit and suffix.
const UNITS: &str = include_str!("units.jsonl");
/// Bytes of a part of a seed at most.
const LONGEST_PART: usize = 150;
/// Characters of the texts that are compared, and of a quarter of it, as a share of the longest text.
const SHARE: usize = 32;
/// Characters of the longer of them at least, if the operation takes as many.
const FEWEST: usize = 4_000;
/// Seeds that are kept by each of the measures.
const KEPT: usize = 8;
/// Signs that tell something to one of the operations.
const SIGNS: &str =
    " \n\t.,:;!?-*#`'\"()[]{}<>/\\|&%$@_=+~^0123456789aZéß中の。，«“…—\u{301}\u{200d}🎈";

/// A seed and what it costs: steps and time of a character, and the growth of time and steps.
struct Tried {
    seed: Seed,
    measures: [f64; 4],
}

/// The search of an operation.
pub struct Search {
    pub operation: &'static Operation,
    random: Rng,
    units: Vec<[String; 3]>,
    tried: Vec<Tried>,
}

impl Search {
    pub fn new(operation: &'static Operation, seed: u64) -> Self {
        let units = UNITS.lines().filter(|line| !line.is_empty()).map(|line| {
            let parts: Vec<String> = serde_json::from_str(line).expect("an array of texts");
            match parts.as_slice() {
                [unit] => [String::new(), unit.clone(), String::new()],
                [prefix, unit, suffix] => [prefix.clone(), unit.clone(), suffix.clone()],
                _ => panic!("neither a unit nor prefix, unit and suffix: {line}"),
            }
        });
        Self { operation, random: Rng::with_seed(seed), units: units.collect(), tried: Vec::new() }
    }

    /// Tries the units alone, and what is kept of all operations.
    pub fn start(&mut self, kept: &[Seed]) {
        let units = self.units.clone();
        for [prefix, unit, suffix] in units {
            let operation = self.operation;
            self.add(Seed { operation, prefix, unit, suffix, other: String::new() });
        }
        for seed in kept {
            self.add(Seed { operation: self.operation, ..seed.clone() });
        }
    }

    /// Changes what costs most, for so long.
    pub fn evolve(&mut self, time: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < time {
            let seed = self.child();
            self.add(seed);
        }
    }

    /// The worst by each of the measures, so many, without repetitions.
    pub fn worst(&self, number: usize) -> Vec<Seed> {
        let mut worst: Vec<Seed> = Vec::new();
        for measure in 0..4 {
            for tried in self.ranked(measure).into_iter().take(number) {
                if !worst.contains(&tried.seed) {
                    worst.push(tried.seed.clone());
                }
            }
        }
        worst
    }

    fn ranked(&self, measure: usize) -> Vec<&Tried> {
        let mut ranked: Vec<&Tried> = self.tried.iter().collect();
        ranked.sort_by(|one, other| other.measures[measure].total_cmp(&one.measures[measure]));
        ranked
    }

    /// Tries a seed, and keeps it if it is among the worst.
    fn add(&mut self, mut seed: Seed) {
        if self.operation.most[1] == 0 {
            seed.other.clear();
        }
        if seed.unit.is_empty() || self.tried.iter().any(|tried| tried.seed == seed) {
            return;
        }
        let whole = (seed.longest() / SHARE).max(FEWEST).min(seed.longest());
        let [quarter, whole] = [whole / 4, whole].map(|characters| Cost::of(&seed, characters));
        let [time_growth, steps_growth] = whole.growth(&quarter);
        let measures =
            [whole.steps_a_character(), whole.time_a_thousand(), time_growth, steps_growth];
        self.tried.push(Tried { seed, measures });
        if self.tried.len() > 8 * KEPT {
            let kept = self.worst(KEPT);
            self.tried.retain(|tried| kept.contains(&tried.seed));
        }
    }

    /// A changed copy of a kept seed, or two of them joined.
    fn child(&mut self) -> Seed {
        let kept = self.worst(KEPT);
        let mut seed = kept[self.random.usize(..kept.len())].clone();
        let other = kept[self.random.usize(..kept.len())].clone();
        let [prefix, unit, suffix] = self.units[self.random.usize(..self.units.len())].clone();
        match self.random.u8(..10) {
            0 => seed.unit += &unit,
            1 => seed.unit = unit + &seed.unit,
            2 => seed.unit += &other.unit,
            3 => seed.other = if self.random.bool() { unit } else { other.unit },
            4 => (seed.prefix, seed.suffix) = (prefix, suffix),
            5 => (seed.prefix, seed.suffix) = (other.prefix, other.suffix),
            6 => seed.prefix = unit,
            7 => seed.other = self.mutated(&seed.other),
            _ => seed.unit = self.mutated(&seed.unit),
        }
        for part in [&mut seed.prefix, &mut seed.unit, &mut seed.suffix, &mut seed.other] {
            *part = text::head(part, LONGEST_PART).to_owned();
        }
        seed
    }

    /// The text with a piece removed, doubled, or replaced.
    fn mutated(&mut self, text: &str) -> String {
        let characters: Vec<char> = text.chars().collect();
        let from = self.random.usize(..=characters.len());
        let to = (from + self.random.usize(..8)).min(characters.len());
        let [before, piece, after] =
            [&characters[..from], &characters[from..to], &characters[to..]]
                .map(|part| part.iter().collect::<String>());
        let sign = SIGNS.chars().nth(self.random.usize(..SIGNS.chars().count()));
        let sign = sign.map(String::from).unwrap_or_default();
        let piece = match self.random.u8(..6) {
            0 => String::new(),
            1 => piece.repeat(2),
            2 => sign,
            3 => piece + &sign,
            4 => piece + ["{#}", "{a}", "{+}"][self.random.usize(..3)],
            _ => piece.to_uppercase(),
        };
        before + &piece + &after
    }
}
