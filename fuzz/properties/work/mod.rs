//! What is true of the work of every operation: it grows with the length of the text, not faster, and each character
//! costs little. It is counted in steps, so that the same text always takes the same.

mod operations;
mod seed;

use seed::Seed;

/// Characters of the longer text that is compared with a quarter of it. Operations that take less are given as much as they
/// take; what their work grows by tells little.
const LONGER: usize = 12_000;
/// Steps that a character of the longer text may take on average. The service allows 5,000, and 25 million for any text.
const MOST_STEPS: u64 = 3_000;
/// How many times the work of a quarter of the text may be that of the whole.
const MOST_GROWTH: f64 = 5.0;

/// Each line is a seed.
pub fn hold(input: &[u8]) {
    let text = std::str::from_utf8(input).expect("UTF-8");
    for line in text.lines() {
        let seed = Seed::read(line).expect("a seed of an operation");
        let longer = seed.longest().min(LONGER);
        let steps = |characters| {
            let [first, second] = seed.texts(characters);
            budget::measured(|| (seed.operation.run)(&first, &second)).1
        };
        // What is made at its first use is made now.
        steps(longer / 16);
        let [quarter, whole] = [longer / 4, longer].map(steps);
        let told =
            format!("{line}: {quarter} steps for a quarter, {whole} for {longer} characters");
        assert!(whole <= MOST_STEPS * longer as u64, "{told}");
        let grows_little = longer < LONGER || whole as f64 <= MOST_GROWTH * quarter as f64;
        assert!(grows_little, "{told}");
    }
}
