//! Numbers that cannot be.

use patterns::{Pattern, pattern, table};

use super::reading::Reading;
use super::rule::Spot;

/// The words for numbers.
const VALUES: &[(&str, Pattern)] = table!("number_values", r"^{}$");

/// The value of a number in figures or words.
pub fn value(text: &str) -> Option<usize> {
    let text = text.trim().to_lowercase();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return text.parse().ok();
    }
    VALUES.iter().find(|(_, words)| words.is_match(&text))?.0.parse().ok()
}

/// Shares of a whole that make more or less than a hundred.
pub fn wrong_sum(reading: &Reading<'_>) -> Vec<Spot> {
    let weighs = pattern!(r"(?i)\b{analyze.weights}\b|{analyze.weights_scripted}");
    let share = pattern!(r"(?P<n>\d{1,3}) ?%");
    let mut spots = Vec::new();
    for sentence in &reading.source.sentences {
        let text = reading.source.prose_of(sentence.span);
        let shares: Vec<usize> =
            share.captures_iter(text).filter_map(|found| value(&found["n"])).collect();
        let sum: usize = shares.iter().sum();
        if shares.len() >= 3 && !(98..=102).contains(&sum) && weighs.is_match(text) {
            spots.push(Spot::naming(sentence.span, sum.to_string()));
        }
    }
    spots
}
