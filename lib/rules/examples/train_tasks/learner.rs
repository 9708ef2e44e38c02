//! Logistic regression of each task against the others, learned with FTRL-Proximal: gradient steps of its own size for
//! each weight, and a penalty that leaves most weights at zero (McMahan et al., "Ad Click Prediction: a View from the
//! Trenches", 2013).

/// Times that all goals are gone through.
const ROUNDS: usize = 20;
/// Size of the first steps.
const STEP: f32 = 0.5;
/// What is added to the root of the squared gradients.
const CALM: f32 = 0.05;
/// Penalty of each weight that is not zero.
const PENALTY: f32 = 0.5;

/// About the mean of what features count, so that steps are of the size that they would have for features of 1.
const NORM: f32 = 7.0;

/// A goal: its task and its features, by number.
pub struct Example {
    pub task: usize,
    pub features: Vec<usize>,
}

/// What was learned.
pub struct Learned {
    /// Score of each task before any feature.
    pub biases: Vec<f32>,
    /// Weight for each feature and, within it, each task.
    pub weights: Vec<f32>,
    /// Goals that have the feature.
    pub goals: Vec<u32>,
}

/// Learns the weights of tasks from examples. `scale` is how much each feature counts.
pub fn learn(examples: &[Example], scale: &[f32], tasks: usize, random: &mut Random) -> Learned {
    let mut weights = vec![0f32; scale.len() * tasks];
    let mut pulls = vec![0f32; weights.len()];
    let mut squares = vec![0f32; weights.len()];
    let mut biases = vec![0f32; tasks];
    let mut bias_squares = vec![0.01f32; tasks];
    let mut order: Vec<usize> = (0..examples.len()).collect();
    for round in 0..ROUNDS {
        random.shuffle(&mut order);
        let rate = 0.3 * STEP * (1.0 - round as f32 / ROUNDS as f32);
        for example in order.iter().map(|number| &examples[*number]) {
            let norm = NORM * (example.features.len().max(1) as f32).sqrt();
            let mut errors = biases.clone();
            for feature in &example.features {
                let value = scale[*feature] / norm;
                let row = &weights[feature * tasks..][..tasks];
                errors.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight * value);
            }
            for (task, error) in errors.iter_mut().enumerate() {
                let likely = 1.0 / (1.0 + (-*error).exp());
                *error = likely - f32::from(u8::from(task == example.task));
                bias_squares[task] += *error * *error;
                biases[task] -= rate * *error / bias_squares[task].sqrt();
            }
            for feature in &example.features {
                let value = scale[*feature] / norm;
                let row = feature * tasks..(feature + 1) * tasks;
                let states = pulls[row.clone()].iter_mut().zip(&mut squares[row.clone()]);
                for ((weight, (pull, square)), error) in
                    weights[row].iter_mut().zip(states).zip(&errors)
                {
                    let gradient = error * value;
                    let sum = *square + gradient * gradient;
                    *pull += gradient - (sum.sqrt() - square.sqrt()) / STEP * *weight;
                    *square = sum;
                    let rest = (pull.abs() - PENALTY).max(0.0);
                    *weight = -pull.signum() * rest * STEP / (CALM + sum.sqrt());
                }
            }
        }
    }
    for (weight, scale) in weights.chunks_mut(tasks).zip(scale) {
        weight.iter_mut().for_each(|weight| *weight *= scale / NORM);
    }
    let mut goals = vec![0; scale.len()];
    for feature in examples.iter().flat_map(|example| &example.features) {
        goals[*feature] += 1;
    }
    Learned { biases, weights, goals }
}

/// Numbers that look random (xorshift64*).
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Brings things into another order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
            things.swap(last, number as usize % (last + 1));
        }
    }
}
