//! A trial of a linear classifier beside the rules: logistic regression over hashed n-grams.
//!
//! The features are words, pairs of words, and runs of three to five characters within a word (Weinberger et al.,
//! "Feature Hashing for Large Scale Multitask Learning", 2009). Steps are of AdaGrad's sizes (Duchi et al., 2011).

use crate::collections::Text;

/// Bits of a feature's number.
const BITS: u32 = 18;
/// Times that all texts are gone through.
const ROUNDS: usize = 12;
/// Share of the harmless texts that may be blocked.
const ALARMS: f64 = 0.02;

/// Learns from all collections but one, and measures with that one, for each collection.
pub fn try_out(texts: &[Text]) {
    let samples: Vec<Vec<u32>> = texts.iter().map(|text| features(&text.text)).collect();
    let mut collections: Vec<&str> = texts.iter().map(|text| text.collection).collect();
    collections.dedup();
    println!(
        "tested with\tharmful texts\tfound at {} % false alarms\tthe alarms are in",
        ALARMS * 100.0
    );
    for tested in collections.iter().filter(|name| **name != "gitleaks") {
        // Languages of one collection have the same source.
        let source = |text: &Text| text.collection.split(',').next();
        let learns =
            |text: &Text| source(text) != tested.split(',').next() && text.collection != "gitleaks";
        let examples: Vec<_> = (0..texts.len())
            .filter(|at| learns(&texts[*at]))
            .map(|at| (&samples[at][..], texts[at].harmful))
            .collect();
        let weights = learn(&examples);
        let scores = |harmful: bool| {
            let of = |at: &usize| texts[*at].collection == *tested && texts[*at].harmful == harmful;
            (0..texts.len())
                .filter(of)
                .map(|at| score(&weights, &samples[at]))
                .collect::<Vec<f32>>()
        };
        let (found, mut harmless) = (scores(true), scores(false));
        if found.is_empty() || harmless.is_empty() {
            continue;
        }
        harmless.sort_by(f32::total_cmp);
        let limit = harmless[((1.0 - ALARMS) * harmless.len() as f64) as usize];
        let share =
            found.iter().filter(|score| **score > limit).count() as f64 / found.len() as f64;
        println!("{tested}\t{}\t{:.1} %\t{}", found.len(), 100.0 * share, harmless.len());
    }
}

/// The features of a text, each of them once.
fn features(text: &str) -> Vec<u32> {
    let text = text.to_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut features: Vec<u32> = Vec::new();
    let mut add = |kind: u8, parts: &[&str]| {
        // FNV-1a (Fowler, Noll, Vo).
        let bytes = std::iter::once(kind).chain(parts.join(" ").into_bytes());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        features.push((hash >> (64 - BITS)) as u32);
    };
    for (at, word) in words.iter().enumerate() {
        add(1, &[word]);
        if let Some(next) = words.get(at + 1) {
            add(2, &[word, next]);
        }
        let within: Vec<char> = format!(" {word} ").chars().collect();
        for length in 3..=5 {
            within.windows(length).for_each(|run| add(3, &[&run.iter().collect::<String>()]));
        }
    }
    features.sort_unstable();
    features.dedup();
    features
}

fn score(weights: &[f32], features: &[u32]) -> f32 {
    let sum: f32 = features.iter().map(|feature| weights[*feature as usize]).sum();
    sum / (features.len().max(1) as f32).sqrt() + weights[1 << BITS]
}

/// The weights of the features, and behind them that of every text. Both labels count the same in all.
fn learn(examples: &[(&[u32], bool)]) -> Vec<f32> {
    let harmful = examples.iter().filter(|(_, harmful)| *harmful).count().max(1) as f32;
    let all = examples.len() as f32;
    let mut weights = vec![0f32; (1 << BITS) + 1];
    let mut squares = vec![1e-6f32; weights.len()];
    // A stride that is coprime to the number of texts visits each of them once, far from its neighbours.
    let stride = (7_919..).find(|stride| gcd(*stride, examples.len()) == 1).unwrap_or(1);
    for _ in 0..ROUNDS {
        for step in 0..examples.len() {
            let (features, label) = examples[step * stride % examples.len()];
            let importance = all / 2.0 / if label { harmful } else { all - harmful };
            let chance = 1.0 / (1.0 + (-score(&weights, features)).exp());
            let error = (chance - f32::from(u8::from(label))) * importance;
            let value = error / (features.len().max(1) as f32).sqrt();
            let bias = (weights.len() - 1, error);
            for (at, gradient) in features.iter().map(|at| (*at as usize, value)).chain([bias]) {
                squares[at] += gradient * gradient;
                weights[at] -= 0.3 * gradient / squares[at].sqrt();
            }
        }
    }
    weights
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
