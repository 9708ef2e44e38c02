//! The linear classifier of goals: what it looks at in a text, and how its weights are stored.
//!
//! A text becomes a set of features: words, their pieces, pairs of words. Each feature that is known adds
//! its weights to the scores of some tasks. The file of weights is made by `examples/train_tasks`, which shares this
//! module, and is read where it lies. All its numbers are little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 8 | digest of the goals that it was trained on |
//! | 4 | weight that the largest magnitude stands for, `f32` |
//! | 128 × 24 | identifiers of the tasks, filled up with zeros |
//! | 128 × 4 | score of each task before any feature, `f32` |
//! | 8,193 × 4 | number of the first weight in each bucket of features, `u32` |
//! | 3 a weight | 11 bits feature within its bucket, 7 bits task, 1 bit sign, 5 bits magnitude |
//!
//! The weight is the square of the magnitude; so small ones are told apart more finely.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Most tasks that a file of weights has room for.
pub const TASKS: usize = 128;
/// Bits of a feature.
pub const FEATURE_BITS: u32 = 24;
/// Bits of a feature that number its bucket.
pub const BUCKET_BITS: u32 = 13;
const REST_BITS: u32 = FEATURE_BITS - BUCKET_BITS;
/// Largest magnitude of a stored weight.
pub const MAGNITUDE: u32 = 31;
/// Room for the identifier of a task.
pub const NAME_BYTES: usize = 24;
const WEIGHT_BYTES: usize = 3;
const NAMES: usize = 12;
const BIASES: usize = NAMES + TASKS * NAME_BYTES;
const BUCKETS: usize = BIASES + TASKS * 4;
const WEIGHTS: usize = BUCKETS + ((1 << BUCKET_BITS) + 1) * 4;

/// Characters of the pieces of a word that are features, too; a space stands before the word and behind it.
const PIECES: [usize; 3] = [3, 4, 5];
/// Words at the beginning of a text that count once more as such.
const OPENING: usize = 3;
/// Words from which on a text counts as long, and those between two steps of length.
const LONGEST: usize = 16;
const LENGTH_STEP: usize = 4;

/// The features of a text, in ascending order, each once.
pub fn features(text: &str) -> Vec<u32> {
    let unaccented = text.nfd().filter(|c| !is_combining_mark(*c));
    let folded: String = unaccented.flat_map(char::to_lowercase).collect();
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    for (number, word) in words.iter().enumerate() {
        found.push(feature("word", word, ""));
        if number < OPENING {
            found.push(feature("opening", word, ""));
        }
        let spaced = format!(" {word} ");
        let ends: Vec<usize> =
            spaced.char_indices().map(|(at, _)| at).chain([spaced.len()]).collect();
        for size in PIECES {
            let pieces = ends.windows(size + 1).map(|part| &spaced[part[0]..part[size]]);
            found.extend(pieces.map(|piece| feature("piece", piece, "")));
        }
    }
    found.extend(words.windows(2).map(|pair| feature("pair", pair[0], pair[1])));
    let length = words.len().min(LONGEST) / LENGTH_STEP;
    found.push(feature("length", &length.to_string(), ""));
    if text.trim_end().ends_with('?') {
        found.push(feature("question", "", ""));
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn feature(kind: &str, first: &str, second: &str) -> u32 {
    let text = [kind, first, second];
    let hash = digest(text.iter().flat_map(|part| part.bytes().chain([0])));
    (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - FEATURE_BITS)) as u32
}

/// FNV-1a.
pub fn digest(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A file of weights.
#[derive(Clone, Copy)]
pub struct Weights<'a>(&'a [u8]);

impl<'a> Weights<'a> {
    /// Reads a file of weights. Its methods panic if it is none.
    pub const fn of(file: &'a [u8]) -> Self {
        Self(file)
    }

    /// The identifiers of the tasks.
    pub fn tasks(self) -> impl Iterator<Item = &'a str> {
        self.0[NAMES..BIASES]
            .chunks(NAME_BYTES)
            .map(|name| str::from_utf8(name).unwrap_or_default().trim_end_matches('\0'))
            .take_while(|name| !name.is_empty())
    }

    /// The score of each task for a request and for what is said beside it, which counts `beside` times as much.
    ///
    /// Features that are not known count as nothing; a text without known features has the scores of an empty one.
    pub fn scores(self, request: &str, rest: &str, beside: f32) -> Vec<f32> {
        let mut sums = [0f32; TASKS];
        let mut norm = 0f32;
        let requested = features(request);
        let others = features(rest).into_iter().filter(|one| requested.binary_search(one).is_err());
        let all = requested.iter().map(|one| (*one, 1.0)).chain(others.map(|one| (one, beside)));
        for (feature, share) in all {
            let mut known = false;
            for (task, weight) in self.weights(feature) {
                sums[task] += weight * share;
                known = true;
            }
            if known {
                norm += share * share;
            }
        }
        let norm = norm.max(1.0).sqrt();
        let bias = |task: usize| f32::from_bits(self.number(BIASES + 4 * task));
        (0..self.tasks().count()).map(|task| bias(task) + sums[task] / norm).collect()
    }

    /// The tasks that a feature speaks for or against, with its weight.
    fn weights(self, feature: u32) -> impl Iterator<Item = (usize, f32)> {
        let unit = f32::from_bits(self.number(8)) / (MAGNITUDE * MAGNITUDE) as f32;
        let bucket = BUCKETS + 4 * (feature >> REST_BITS) as usize;
        let place = |at: usize| WEIGHTS + WEIGHT_BYTES * self.number(at) as usize;
        self.0[place(bucket)..place(bucket + 4)].chunks(WEIGHT_BYTES).filter_map(move |bytes| {
            let stored = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
            if stored >> 13 != feature & ((1 << REST_BITS) - 1) {
                return None;
            }
            let magnitude = (stored & MAGNITUDE) as f32;
            let sign = if stored >> 5 & 1 == 1 { -1.0 } else { 1.0 };
            Some(((stored >> 6 & 0x7F) as usize, sign * magnitude * magnitude * unit))
        })
    }

    fn number(self, at: usize) -> u32 {
        u32::from_le_bytes([self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]])
    }
}
