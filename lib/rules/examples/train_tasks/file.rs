//! Writing what was learned as a file of weights.

use crate::classifier::{BUCKET_BITS, FEATURE_BITS, MAGNITUDE, NAME_BYTES, TASKS};
use crate::learner::Learned;

/// Most weights that are kept: what 2.5 MB have room for.
const KEPT: usize = 800_000;
/// The file of weights, as `classifier` describes it. `features` are in ascending order.
///
/// If there are too many weights, those that matter least for the goals are left out.
pub fn write(learned: &Learned, features: &[u32], tasks: &[&str], digest: u64) -> Vec<u8> {
    assert!(tasks.len() <= TASKS && tasks.iter().all(|task| task.len() < NAME_BYTES));
    let mut kept: Vec<(usize, f32)> = learned
        .weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| **weight != 0.0)
        .map(|(at, weight)| (at, weight.abs() * (learned.goals[at / tasks.len()] as f32).sqrt()))
        .collect();
    kept.sort_by(|a, b| b.1.total_cmp(&a.1));
    kept.truncate(KEPT);
    kept.sort_by_key(|(at, _)| *at);
    let unit = kept.iter().map(|(at, _)| learned.weights[*at].abs()).fold(0.0, f32::max);

    let mut file = digest.to_le_bytes().to_vec();
    file.extend(unit.to_le_bytes());
    for number in 0..TASKS {
        let mut name = tasks.get(number).copied().unwrap_or_default().as_bytes().to_vec();
        name.resize(NAME_BYTES, 0);
        file.extend(name);
    }
    for number in 0..TASKS {
        file.extend(learned.biases.get(number).copied().unwrap_or_default().to_le_bytes());
    }
    let rest_bits = FEATURE_BITS - BUCKET_BITS;
    let mut weights: Vec<u8> = Vec::new();
    let mut bucket = 0;
    let mut stored = 0u32;
    file.extend(stored.to_le_bytes());
    for (at, _) in kept {
        let feature = features[at / tasks.len()];
        while bucket < feature >> rest_bits {
            file.extend(stored.to_le_bytes());
            bucket += 1;
        }
        let weight = learned.weights[at];
        let magnitude = ((weight.abs() / unit).sqrt() * MAGNITUDE as f32).round().max(1.0) as u32;
        let rest = feature & ((1 << rest_bits) - 1);
        let task = (at % tasks.len()) as u32;
        let bits = rest << 13 | task << 6 | u32::from(weight < 0.0) << 5 | magnitude;
        weights.extend(&bits.to_le_bytes()[..3]);
        stored += 1;
    }
    while bucket < 1 << BUCKET_BITS {
        file.extend(stored.to_le_bytes());
        bucket += 1;
    }
    file.extend(weights);
    file
}
